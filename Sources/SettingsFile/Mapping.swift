package import JSON
package import YAML

/// One key of a mapping: its kind of value, where the value goes, and a line for whoever writes the file.
package struct Field<Target> {
    package let key: String
    package let summary: String
    package let isRequired: Bool
    private let makeSchema: () -> JSONValue
    package let read: (YAMLNode, Context, inout Target) -> Void

    package init<Value>(
        _ key: String, _ kind: ValueKind<Value>, _ summary: String, required: Bool = false,
        set: @escaping (inout Target, Value, YAMLNode) -> Void
    ) {
        self.key = key
        self.summary = summary
        isRequired = required
        makeSchema = { kind.schema }
        read = { node, context, target in
            if let value = kind.read(node, context) { set(&target, value, node) }
        }
    }

    package var schema: JSONValue { makeSchema() }

    /// The same key, for what is a part of something larger.
    package init<Part>(_ field: Field<Part>, of path: WritableKeyPath<Target, Part>) {
        key = field.key
        summary = field.summary
        isRequired = field.isRequired
        makeSchema = field.makeSchema
        read = { node, context, target in field.read(node, context, &target[keyPath: path]) }
    }

    package init<Value>(
        _ key: String, _ kind: ValueKind<Value>, _ path: WritableKeyPath<Target, Value>, _ summary: String
    ) {
        self.init(key, kind, summary) { target, value, _ in target[keyPath: path] = value }
    }

    package init<Value>(
        _ key: String, _ kind: ValueKind<Value>, _ path: WritableKeyPath<Target, Value?>, _ summary: String
    ) {
        self.init(key, kind, summary) { target, value, _ in target[keyPath: path] = value }
    }
}

/// A mapping with known keys. What it does not know is an error, so that no misspelt setting is silently ignored.
package struct Mapping<Target> {
    /// In the order in which they are read, whatever the order of the file.
    package let fields: [Field<Target>]

    package init(fields: [Field<Target>]) { self.fields = fields }

    /// Nothing at all reads as an empty mapping: a section whose lines are all comments.
    package func read(_ node: YAMLNode, into target: inout Target, _ context: Context) {
        guard let entries = node.mapping ?? (node.isNull ? [] : nil) else {
            context.expected("a mapping", node)
            return
        }
        let byKey = Dictionary(entries.map { ($0.key, $0) }) { first, _ in first }
        for field in fields {
            if let entry = byKey[field.key] {
                field.read(entry.value, context.entering(field.key), &target)
            } else if field.isRequired {
                context.error(node, "the setting \"\(field.key)\" is missing")
            }
        }
        for entry in entries where !fields.contains(where: { $0.key.hasSameBytes(as: entry.key) }) {
            unknown(entry, context)
        }
    }

    private func unknown(_ entry: YAMLEntry, _ context: Context) {
        let keys = fields.map(\.key)
        if entry.key == "<<" {
            context.error(at: entry.keyPlace, "merge keys (<<) are not read; write the settings out")
        } else {
            let found = hint(entry.key, keys)
            let rest = found.isEmpty ? "; known are \(keys.joined(separator: ", "))" : found
            context.error(at: entry.keyPlace, "unknown setting \"\(entry.key)\"\(rest)")
        }
    }

    package var schema: JSONValue {
        let properties = fields.map { field in
            var schema = field.schema.object ?? JSONObject()
            schema["description"] = .string(field.summary)
            return (field.key, JSONValue.object(schema))
        }
        var schema = JSONObject([
            ("type", ["object", "null"]), ("additionalProperties", false),
            ("properties", .object(JSONObject(properties))),
        ])
        let required = fields.filter(\.isRequired).map { JSONValue.string($0.key) }
        if !required.isEmpty {
            schema["type"] = "object"
            schema["required"] = .array(required)
        }
        return .object(schema)
    }
}

extension ValueKind {
    /// A mapping as a value.
    package static func mapping(_ mapping: Mapping<Value>, startingWith initial: Value) -> ValueKind {
        ValueKind(schema: mapping.schema) { node, context in
            var value = initial
            mapping.read(node, into: &value, context)
            return value
        }
    }
}
