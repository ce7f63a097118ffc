public import JSON

extension Value {
    /// The value as `to-string` and `concat` write it: numbers as ECMAScript does, null as nothing.
    public var text: String {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .number(let number): NumberText.text(of: number)
        case .string(let text): text
        case .color(let color): color.text
        case .formatted(let formatted): formatted.text
        case .image(let image): image.name
        case .array, .object, .collator: jsonText
        }
    }

    /// The value as ECMAScript's `JSON.stringify` writes it, for messages and for texts of arrays and objects.
    var jsonText: String {
        var text = ""
        appendJSON(to: &text)
        return text
    }

    private func appendJSON(to text: inout String) {
        switch self {
        case .string(let string): JSONText.append(string, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.appendJSON(to: &text)
            }
            text += "]"
        default: JSONText.append(json, to: &text)
        }
    }

    /// The value as JSON, where numbers that are none become null. A colour is an object of premultiplied parts, as
    /// upstream prints it; for the styled state use ``Color/hexText``.
    public var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let number): number.isFinite ? .number(number) : .null
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.json))
        case .object(let object): .object(object)
        case .color(let color): color.json
        case .formatted(let formatted): formatted.json
        case .image(let image): image.json
        case .collator: .object(JSONObject())
        }
    }
}

/// Compact JSON with ECMAScript's escapes.
enum JSONText {
    static func append(_ json: JSONValue, to text: inout String) {
        switch json {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += JSONNumber.text(of: number)
        case .bigInteger(let digits): text += NumberText.text(of: Double(digits) ?? .nan)
        case .string(let string): append(string, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                append(element, to: &text)
            }
            text += "]"
        case .object(let object):
            text += "{"
            for (index, member) in object.members.enumerated() {
                if index > 0 { text += "," }
                append(member.key, to: &text)
                text += ":"
                append(member.value, to: &text)
            }
            text += "}"
        }
    }

    static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{8}": text += "\\b"
            case "\u{C}": text += "\\f"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
