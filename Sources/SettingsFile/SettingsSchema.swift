package import JSON

/// The JSON Schema (draft 2020-12) of a settings file, made of the same table that reads it.
package enum SettingsSchema {
    /// - Parameter definitions: What the schemas of values refer to, besides `environment`.
    package static func document<Target>(
        _ mapping: Mapping<Target>, title: String, definitions: [(String, JSONValue)] = []
    ) -> JSONValue {
        var schema = JSONObject([
            ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", .string(title)),
        ])
        for member in mapping.schema.object?.members ?? [] { schema[member.key] = member.value }
        let environment: JSONValue = [
            "type": "string", "pattern": #"\$\{[A-Za-z_]"#,
            "description": "A value with ${NAME} or ${NAME:-default} of the environment.",
        ]
        schema["$defs"] = .object(JSONObject([("environment", environment)] + definitions))
        return .object(schema)
    }

    /// A schema as it is shipped: indented, with a line break at the end.
    package static func text(_ schema: JSONValue) -> String {
        var text = ""
        append(schema, indent: 0, to: &text)
        return text + "\n"
    }

    private static func append(_ value: JSONValue, indent: Int, to text: inout String) {
        let lines: [(key: String?, value: JSONValue)]
        switch value {
        case .object(let object) where !object.isEmpty: lines = object.members.map { ($0.key, $0.value) }
        case .array(let elements) where elements.contains { $0.object != nil }: lines = elements.map { (nil, $0) }
        default:
            text += value.text
            return
        }
        text += value.object == nil ? "[" : "{"
        for (index, line) in lines.enumerated() {
            text += (index == 0 ? "\n" : ",\n") + String(repeating: "  ", count: indent + 1)
            if let key = line.key { text += JSONValue.string(key).text + ": " }
            append(line.value, indent: indent + 1, to: &text)
        }
        text += "\n" + String(repeating: "  ", count: indent) + (value.object == nil ? "]" : "}")
    }
}
