/// A type of the expression language. It prints as in upstream's messages: `number`, `value`, `array<string, 2>`.
public indirect enum ExpressionType: Sendable, Hashable {
    case null, boolean, number, string, color, object, formatted, resolvedImage, collator
    /// Any value that a property can hold: known only when evaluated.
    case value
    /// What `["error", …]` has: it never yields a value, so it fits everywhere.
    case error
    /// - Parameter length: `nil` when any length will do.
    case array(of: ExpressionType, length: Int?)
}

extension ExpressionType: CustomStringConvertible {
    public var description: String {
        switch self {
        case .array(let item, let length?): "array<\(item), \(length)>"
        case .array(.value, nil): "array"
        case .array(let item, nil): "array<\(item)>"
        default: kind
        }
    }

    /// The name without item type and length.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .number: "number"
        case .string: "string"
        case .color: "color"
        case .object: "object"
        case .formatted: "formatted"
        case .resolvedImage: "resolvedImage"
        case .collator: "collator"
        case .value: "value"
        case .error: "error"
        case .array: "array"
        }
    }

    var isArray: Bool {
        if case .array = self { true } else { false }
    }
}

extension ExpressionType {
    /// Whether an expression of the other type may stand where this one is expected.
    func accepts(_ other: ExpressionType) -> Bool {
        switch (self, other) {
        case (_, .error): return true
        case (.array(let item, let length), .array(let otherItem, let otherLength)):
            // An empty literal has no item type of its own.
            guard (otherLength == 0 && otherItem == .value) || item.accepts(otherItem) else {
                return false
            }
            return length == nil || length == otherLength
        case (.array, _): return false
        case (.value, .array(let otherItem, let otherLength)):
            return (otherLength == 0 && otherItem == .value) || ExpressionType.value.accepts(otherItem)
        case (.value, .collator): return false
        case (.value, _): return true
        default: return self == other
        }
    }

    /// Whether the value is of this type, without working out the value's own type.
    func admits(_ value: Value) -> Bool {
        switch (self, value) {
        case (.number, .number), (.string, .string), (.boolean, .bool), (.object, .object),
            (.null, .null),
            (.color, .color), (.formatted, .formatted), (.resolvedImage, .image), (.collator, .collator):
            return true
        case (.value, .collator): return false
        case (.value, _): return true
        case (.array(let item, let length), .array(let elements)):
            guard length == nil || length == elements.count else { return false }
            return item == .value || elements.allSatisfy { item.admits($0) }
        default: return false
        }
    }
}
