internal import Geometry
internal import JSON
internal import Locations

/// Turns JSON members into readings by the policies that hold for every format: what is there but cannot be true is
/// unknown and counted, it never keeps the old value and never becomes 0.
struct FieldReader {
    /// What `null` says: in native telemetry that the value is unknown from now on, elsewhere nothing.
    let nullMeans: NullMeaning
    private(set) var faults: [String] = []

    enum NullMeaning { case unknown, absent }

    init(nullMeans: NullMeaning) { self.nullMeans = nullMeans }

    mutating func fault(_ slug: String) { faults.append(slug) }

    private func null<Value>() -> Reading<Value> { nullMeans == .unknown ? .unknown : .absent }

    /// A number, also as decimal text, within a range.
    mutating func number(
        _ value: JSONValue?, _ field: StaticString,
        in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) -> Reading<Double> {
        guard let value else { return .absent }
        if value.isNull { return null() }
        guard let number = Self.number(value) else {
            fault("\(field)-not-a-number")
            return .unknown
        }
        guard range.contains(number) else {
            fault("\(field)-out-of-range")
            return .unknown
        }
        return .value(number)
    }

    static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .number(let number): number
        case .bigInteger: value.number
        case .string(let text): DecimalText.number(text)
        default: nil
        }
    }

    /// A direction, brought into 0 ≤ heading < 360.
    mutating func heading(_ value: JSONValue?) -> Reading<Double> {
        number(value, "heading").map(normalizedDirection)
    }

    /// An angle in radians anticlockwise from the x axis, as a direction in degrees clockwise from the y axis.
    mutating func radians(_ value: JSONValue?) -> Reading<Double> {
        // Farther than any device turns, and far from where degrees overflow.
        number(value, "heading", in: -1e6...1e6).map { Heading.fromXAxis($0 * 180 / Double.pi) }
    }

    /// A charge on a scale, as percent.
    mutating func charge(_ value: JSONValue?, scale: ClosedRange<Double>) -> Reading<Double> {
        number(value, "charge", in: scale).map {
            // On the usual scale the value stays as it is, to the last bit.
            scale == 0...100 ? $0 : ($0 - scale.lowerBound) / (scale.upperBound - scale.lowerBound) * 100
        }
    }

    /// A text that says something.
    mutating func text(_ value: JSONValue?, _ field: StaticString) -> Reading<String> {
        guard let value else { return .absent }
        if value.isNull { return null() }
        guard let text = value.string, !text.isEmpty else {
            fault("\(field)-not-a-text")
            return .unknown
        }
        return .value(text)
    }

    mutating func boolean(_ value: JSONValue?, _ field: StaticString) -> Reading<Bool> {
        switch value {
        case nil: return .absent
        case .null: return null()
        case .bool(let value): return .value(value)
        case .string(let text) where text.lowercased() == "true": return .value(true)
        case .string(let text) where text.lowercased() == "false": return .value(false)
        default:
            fault("\(field)-not-a-boolean")
            return .unknown
        }
    }

    mutating func floor(_ value: JSONValue?) -> Reading<ReportedFloor> {
        switch value {
        case nil: return .absent
        case .null: return null()
        case .number(let number): return .value(.number(number))
        case .string(let text) where !text.isEmpty: return .value(.text(text))
        default:
            fault("floor-not-an-integer")
            return .unknown
        }
    }
}

extension Reading {
    /// A value that means "not known" is unknown.
    func filter(_ isKnown: (Value) -> Bool) -> Reading {
        if case .value(let value) = self, !isKnown(value) { .unknown } else { self }
    }
}

/// Directions.
enum Heading {
    /// An angle anticlockwise from the x axis, in degrees, as a direction clockwise from the y axis.
    static func fromXAxis(_ degrees: Double) -> Double { normalizedDirection(90 - degrees) }
}
