/// A JSON value (RFC 8259).
///
/// Text is compared byte by byte, never by Swift's canonical equivalence: composed and decomposed letters are different
/// texts to every other program that reads them.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// Always finite: the parser refuses NaN, infinities and numbers that overflow.
    case number(Double)
    /// A whole number beyond ±2^53 as its decimal digits: a `Double` would silently change it, and ids look like this.
    case bigInteger(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// The number as a `Double`, also of a big integer (then rounded); `nil` for everything else.
    public var number: Double? {
        switch self {
        case .number(let value): value
        case .bigInteger(let digits): Double(digits)
        default: nil
        }
    }

    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension JSONValue: Hashable {
    public static func == (a: JSONValue, b: JSONValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let x), .bool(let y)): x == y
        case (.number(let x), .number(let y)): x == y
        case (.bigInteger(let x), .bigInteger(let y)): x == y
        case (.string(let x), .string(let y)): x.hasSameBytes(as: y)
        case (.array(let x), .array(let y)): x == y
        case (.object(let x), .object(let y)): x == y
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .bigInteger(let digits): hasher.combine(digits)
        case .string(let text): text.hashBytes(into: &hasher)
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}
