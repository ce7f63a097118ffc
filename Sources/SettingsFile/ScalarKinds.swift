internal import JSON
internal import Timestamps
package import YAML

extension ValueKind where Value == String {
    /// Text that is not empty.
    package static var text: ValueKind {
        .scalar(
            "text; a number or word with a meaning of its own needs quotes", schema: ["type": "string", "minLength": 1]
        ) {
            value, _ in
            if case .text(let text) = value, !text.isEmpty { text } else { nil }
        }
    }
}

extension ValueKind where Value == Bool {
    package static var bool: ValueKind {
        .scalar("true or false", schema: ["type": "boolean"]) { value, _ in
            if case .bool(let value) = value { value } else { nil }
        }
    }
}

extension ValueKind where Value == Int {
    package static func integer(in range: ClosedRange<Int>) -> ValueKind {
        let schema: JSONValue = [
            "type": "integer", "minimum": .number(Double(range.lowerBound)),
            "maximum": .number(Double(range.upperBound)),
        ]
        return .scalar("a whole number from \(range.lowerBound) to \(range.upperBound)", schema: schema) { value, _ in
            guard case .integer(let value) = value, let number = Int(exactly: value), range.contains(number) else {
                return nil
            }
            return number
        }
    }

    /// Bytes: `65536`, `64 KiB`, `1 MiB`.
    package static func size(in range: ClosedRange<Int>) -> ValueKind {
        let schema: JSONValue = [
            "anyOf": [
                [
                    "type": "integer", "minimum": .number(Double(range.lowerBound)),
                    "maximum": .number(Double(range.upperBound)),
                ],
                ["type": "string", "pattern": "^[0-9]+ ?(B|KiB|MiB|GiB)$"],
            ]
        ]
        let what = "a size such as 65536, 64 KiB or 1 MiB, from \(range.lowerBound) to \(range.upperBound) bytes"
        return .scalar(what, schema: schema) { value, text in
            let bytes: Int? =
                switch value {
                case .integer(let value): Int(exactly: value)
                case .text: Self.bytes(text)
                default: nil
                }
            guard let bytes, range.contains(bytes) else { return nil }
            return bytes
        }
    }

    private static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text[digits.endIndex...]
        let factor: Int? =
            switch unit.hasPrefix(" ") ? unit.dropFirst() : unit {
            case "B": 1
            case "KiB": 1 << 10
            case "MiB": 1 << 20
            case "GiB": 1 << 30
            default: nil
            }
        guard let factor, let count = Int(digits) else { return nil }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: factor)
        return overflow ? nil : bytes
    }
}

extension ValueKind where Value == Double {
    package static func number(_ what: String, in range: ClosedRange<Double>) -> ValueKind {
        let schema: JSONValue = [
            "type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
        ]
        return .scalar(what, schema: schema) { value, _ in
            guard let number = value.double, range.contains(number) else { return nil }
            return number
        }
    }
}

extension ValueKind where Value == Double? {
    /// A number or a word that means none.
    package static func number(_ what: String, in range: ClosedRange<Double>, or word: String) -> ValueKind {
        let number = ValueKind<Double>.number(what, in: range)
        let schema: JSONValue = ["anyOf": [number.schema, ["const": .string(word)]]]
        return ValueKind(schema: schema) { node, context in
            if node.scalar?.coreValue == .text(word) { return .some(nil) }
            return number.read(node, context)
        }
    }
}

extension CoreValue {
    /// Finite numbers only.
    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .number(let value) where value.isFinite: value
        default: nil
        }
    }
}

extension ValueKind where Value == Duration {
    package static func duration(in range: ClosedRange<Duration>) -> ValueKind {
        let schema: JSONValue = [
            "anyOf": [["type": "string", "pattern": #"^[0-9]+(\.[0-9]+)?(ms|s|m|h|d)$"#], environment]
        ]
        return ValueKind(schema: schema) { node, context in
            guard let text = node.scalar?.text, !node.isNull else {
                context.expected("a duration such as 500ms, 10s, 5m, 24h or 7d", node)
                return nil
            }
            do throws(Duration.SyntaxError) {
                let duration = try Duration(text: text)
                if range.contains(duration) { return duration }
                context.error(
                    node,
                    "\(node.quoted) is not possible here; expected \(range.lowerBound.text) to \(range.upperBound.text)"
                )
            } catch {
                context.error(node, "\(node.quoted) \(error.message)")
            }
            return nil
        }
    }
}

extension ValueKind where Value == Duration? {
    /// A duration, or `nil` for `off`.
    package static func durationOrOff(in range: ClosedRange<Duration>) -> ValueKind {
        let duration = ValueKind<Duration>.duration(in: range)
        return ValueKind(schema: ["anyOf": [["const": "off"], duration.schema]]) { node, context in
            if node.scalar?.coreValue == .text("off") { return .some(nil) }
            return duration.read(node, context)
        }
    }
}

private let environment: JSONValue = ["$ref": "#/$defs/environment"]

extension ValueKind where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of a few words.
    package static var choice: ValueKind {
        ValueKind<String>.word(of: Value.allCases.map(\.rawValue)).then { word, _, _ in Value(rawValue: word) }
    }
}

extension ValueKind where Value == String {
    /// One of a few words, which are listed when it is another.
    package static func word(of words: [String]) -> ValueKind {
        ValueKind(schema: ["anyOf": [["enum": .array(words.map { .string($0) })], environment]]) { node, context in
            if case .text(let text) = node.scalar?.coreValue, words.contains(text) { return text }
            let suggestion = node.scalar.map { hint($0.text, words) } ?? ""
            context.expected((words.count > 1 ? "one of " : "") + words.joined(separator: ", ") + suggestion, node)
            return nil
        }
    }
}

extension Duration {
    package static let longest = Duration.seconds(36_500 * 86_400)
}
