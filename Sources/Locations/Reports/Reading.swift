/// What a message says of one field: nothing, that it is not known any more, or its value.
public enum Reading<Value> {
    /// Not mentioned: what was known stays.
    case absent
    /// Said to be unknown, or said in a way that cannot be true: what was known goes.
    case unknown
    case value(Value)

    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    public var isAbsent: Bool {
        if case .absent = self { true } else { false }
    }

    /// Takes the reading over into what is known.
    public func merge(into known: inout Value?) {
        switch self {
        case .absent: break
        case .unknown: known = nil
        case .value(let value): known = value
        }
    }

    public func map<Other>(_ transform: (Value) -> Other) -> Reading<Other> {
        switch self {
        case .absent: .absent
        case .unknown: .unknown
        case .value(let value): .value(transform(value))
        }
    }
}

extension Reading: Sendable where Value: Sendable {}
extension Reading: Equatable where Value: Equatable {}
