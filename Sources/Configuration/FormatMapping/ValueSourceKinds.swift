internal import JSON
internal import SettingsFile
internal import TelemetryFormats
internal import YAML

extension ValueKind where Value == JSONPointer {
    static var pointer: ValueKind {
        var schema: JSONValue { ["type": "string", "pattern": "^(/|$)"] }
        return ValueKind(schema: schema) { node, context in
            guard let text = node.textIncludingEmpty else {
                context.expected("a JSON Pointer such as /battery", node)
                return nil
            }
            return pointer(text, node, context)
        }
    }

    static func pointer(_ text: String, _ node: YAMLNode, _ context: Context) -> JSONPointer? {
        if let pointer = JSONPointer(text) { return pointer }
        if text.hasPrefix("/") {
            context.error(node, "\(node.quoted): in a JSON Pointer ~ stands only in ~0, a ~, and ~1, a /")
        } else {
            context.error(node, "\(node.quoted) is no JSON Pointer; did you mean \"/\(text)\"?")
        }
        return nil
    }
}

extension ValueKind where Value == MessageMapping.Elements {
    /// A JSON Pointer, or one with `/*` at its end.
    static var elements: ValueKind {
        ValueKind<JSONPointer>.pointer.then { pointer, node, context in
            guard pointer.text.hasSuffix("/*") else { return MessageMapping.Elements(pointer) }
            return ValueKind<JSONPointer>.pointer(String(pointer.text.dropLast(2)), node, context).map {
                MessageMapping.Elements($0, isEach: true)
            }
        }
    }
}

extension ValueKind where Value == ValueSource {
    /// - Parameter words: Texts that are no source but a constant.
    static func source(words: [String: JSONValue] = [:]) -> ValueKind {
        var schemas: [JSONValue] = [["type": "string", "pattern": "^(#?/|$|.*\\{)"]]
        if !words.isEmpty { schemas.append(["enum": .array(words.keys.sorted().map { .string($0) })]) }
        return ValueKind(schema: ["anyOf": .array(schemas)]) { node, context in
            if let text = node.forgottenQuotes {
                context.error(node, "braces need quotes here: \"\(text)\"")
                return nil
            }
            guard let text = node.textIncludingEmpty else {
                context.expected("a JSON Pointer such as /battery, or \"{device}\" for a level of the topic", node)
                return nil
            }
            if let constant = words[text] { return .constant(constant) }
            do throws(ValueSource.SyntaxError) {
                let source = try ValueSource(text)
                guard check(source, node, context) else { return nil }
                return source
            } catch {
                let words = words.isEmpty ? "" : ", nor one of \(words.keys.sorted().joined(separator: ", "))"
                context.error(node, "\(node.quoted) is \(error.message)\(words)")
                return nil
            }
        }
    }

    /// Whether some topic has the levels that a source names.
    private static func check(_ source: ValueSource, _ node: YAMLNode, _ context: Context) -> Bool {
        guard let known = context.levelNames else { return true }
        guard let stranger = source.names.first(where: { !known.contains($0) }) else { return true }
        let names = known.sorted()
        context.error(
            node,
            "no topic names a level {\(stranger)}\(hint(stranger, names)); known are "
                + names.map { "{\($0)}" }.joined(separator: ", "))
        return false
    }
}

extension ValueKind where Value == JSONValue {
    /// A text, number, truth value or `null`.
    static var jsonScalar: ValueKind {
        ValueKind(schema: ["type": ["string", "number", "boolean", "null"]]) { node, context in
            guard node.scalar != nil else {
                context.expected("a single value", node)
                return nil
            }
            return node.json { context.error(at: $0.place, $0.message) }
        }
    }
}

extension YAMLNode {
    /// A text, also one without a character.
    var textIncludingEmpty: String? {
        if case .text(let text)? = scalar?.coreValue { text } else { nil }
    }

    /// `{device}` without quotes is a mapping with a key and no value.
    var forgottenQuotes: String? {
        guard let entries = mapping, entries.count == 1, entries[0].value.isNull, entries[0].value.scalar?.text == ""
        else { return nil }
        return "{\(entries[0].key)}"
    }
}
