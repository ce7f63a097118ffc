public import JSON

/// What an expression yields.
public enum Value: Sendable {
    case null
    case bool(Bool)
    /// Also NaN and infinities, which JSON does not have: `["/", 1, 0]`.
    case number(Double)
    case string(String)
    case array([Value])
    case object(JSONObject)
    indirect case color(Color)
    indirect case formatted(FormattedText)
    indirect case image(ResolvedImage)
    case collator(Collator)
}

extension Value {
    /// A JSON value as expressions see it. Big integers are rounded to a `Double`, as in upstream.
    public init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let value): self = .number(value)
        case .bigInteger(let digits): self = .number(Double(digits) ?? .nan)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { Value($0) })
        case .object(let object): self = .object(object)
        }
    }

    /// The type that upstream finds for a value. Items of different types, and several arrays, make `array<value, n>`.
    var type: ExpressionType {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .number: .number
        case .string: .string
        case .object: .object
        case .color: .color
        case .formatted: .formatted
        case .image: .resolvedImage
        case .collator: .collator
        case .array(let elements): .array(of: Value.itemType(of: elements), length: elements.count)
        }
    }

    /// Looks into a nested array only where it stands alone: several count as different, whatever is in them.
    private static func itemType(of elements: [Value]) -> ExpressionType {
        guard let first = elements.first else { return .value }
        if elements.count == 1 { return first.type }
        if case .array = first { return .value }
        let type = first.type
        return elements.allSatisfy { if case .array = $0 { false } else { $0.type == type } } ? type : .value
    }

    /// Whether there is nothing to use: null, or a number that is none. The caller's fallback stands in then.
    public var isMissing: Bool {
        switch self {
        case .null: true
        case .number(let number): number.isNaN
        default: false
        }
    }
}

extension ExpressionType {
    /// The type of an array's items. Two array types count as different even when they are equal, as upstream has it.
    static func common(to types: [ExpressionType]) -> ExpressionType {
        guard let first = types.first else { return .value }
        let others = types.dropFirst()
        return others.allSatisfy { $0 == first && !$0.isArray } ? first : .value
    }
}

extension Value: Equatable {
    /// The same value, for finding out whether anything changed: NaN equals NaN here and text compares by bytes.
    public static func == (a: Value, b: Value) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let x), .bool(let y)): x == y
        case (.number(let x), .number(let y)): x == y || (x.isNaN && y.isNaN)
        case (.string(let x), .string(let y)): x.hasSameBytes(as: y)
        case (.array(let x), .array(let y)): x == y
        case (.object(let x), .object(let y)): x == y
        case (.color(let x), .color(let y)): x == y
        case (.formatted(let x), .formatted(let y)): x == y
        case (.image(let x), .image(let y)): x == y
        case (.collator(let x), .collator(let y)): x === y
        default: false
        }
    }

    /// Upstream's `===`: values of different types are never equal, nor is NaN, nor are two arrays or objects.
    func isStrictlyEqual(to other: Value) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let x), .bool(let y)): x == y
        case (.number(let x), .number(let y)): x == y
        case (.string(let x), .string(let y)): x.utf8.count == y.utf8.count && x.hasSameBytes(as: y)
        default: false
        }
    }
}
