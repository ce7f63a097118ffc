package import JSON
package import YAML

/// One kind of value: how it is read, and how a JSON Schema describes it.
package struct ValueKind<Value> {
    private let makeSchema: () -> JSONValue
    /// `nil` when there is no value, which then has been reported.
    package let read: (YAMLNode, Context) -> Value?

    /// - Parameter schema: Made only when it is asked for: whoever reads a file needs none.
    package init(schema: @autoclosure @escaping () -> JSONValue, read: @escaping (YAMLNode, Context) -> Value?) {
        makeSchema = schema
        self.read = read
    }

    package var schema: JSONValue { makeSchema() }

    /// Goes on with what was read.
    package func then<Other>(_ transform: @escaping (Value, YAMLNode, Context) -> Other?) -> ValueKind<Other> {
        ValueKind<Other>(schema: schema) { [read] node, context in
            read(node, context).flatMap { transform($0, node, context) }
        }
    }

    package func described(by schema: @autoclosure @escaping () -> JSONValue) -> ValueKind {
        ValueKind(schema: schema(), read: read)
    }
}

extension ValueKind {
    /// A single value, which may also come from the environment.
    ///
    /// - Parameter parse: `nil` where the value is not `what`.
    package static func scalar(
        _ what: String, schema: JSONValue, _ parse: @escaping (CoreValue, _ text: String) -> Value?
    ) -> ValueKind {
        ValueKind(schema: ["anyOf": [schema, ["$ref": "#/$defs/environment"]]]) { node, context in
            guard let scalar = node.scalar,
                let value = parse(scalar.coreValue, scalar.text) ?? substituted(scalar, parse)
            else {
                context.expected(what, node)
                return nil
            }
            return value
        }
    }

    /// Braces force quotes around `${…}`, so these quotes make no text of a number.
    private static func substituted(_ scalar: YAMLScalar, _ parse: (CoreValue, String) -> Value?) -> Value? {
        guard scalar.template != nil else { return nil }
        return parse(CoreValue(plain: scalar.text), scalar.text) ?? parse(.text(scalar.text), scalar.text)
    }

    /// A list of one kind; elements that cannot be read are left out.
    package static func list<Element>(
        of element: ValueKind<Element>, atLeast minimum: Int = 0
    ) -> ValueKind where Value == [(value: Element, node: YAMLNode)] {
        var schema: JSONValue {
            [
                "type": "array", "items": element.schema, "minItems": .number(Double(minimum)),
            ]
        }
        return ValueKind(schema: schema) { node, context in
            guard let nodes = node.sequence else {
                context.expected("a list", node)
                return nil
            }
            if nodes.count < minimum { context.error(node, "the list is empty") }
            return nodes.enumerated().compactMap { index, node in
                element.read(node, context.entering(index)).map { (value: $0, node: node) }
            }
        }
    }

    /// Entries by name, in the order of the file.
    ///
    /// - Parameters:
    ///   - what: What is expected, where something else stands there.
    ///   - key: What the name is of, where it is empty.
    ///   - entry: The schema of one.
    package static func named<Entry>(
        _ what: String, key: String, _ entry: @autoclosure @escaping () -> JSONValue,
        read: @escaping (YAMLEntry, Context) -> Entry
    ) -> ValueKind where Value == [Entry] {
        ValueKind(
            schema: ["type": "object", "additionalProperties": entry(), "propertyNames": ["minLength": 1]]
        ) { node, context in
            guard let entries = node.mapping else {
                context.expected(what, node)
                return nil
            }
            return entries.map { entry in
                if entry.key.isEmpty { context.error(at: entry.keyPlace, "\(key) is text that is not empty") }
                return read(entry, context.entering(entry.key))
            }
        }
    }
}
