internal import Geometry
internal import Glibc
internal import JSON
internal import Locations
internal import Timestamps

/// One way to a number in a unit.
public struct MappedNumber<Unit: MessageUnit>: Sendable, Equatable {
    public var value: MappedValue
    public var unit: Unit
    /// What one count is worth in the unit: 0.05 m for a pixel.
    public var scale: Double
    /// The number of bits of a signed number that was written as an unsigned one; `nil`: numbers are what they say.
    public var bits: Int?

    public init(_ value: MappedValue, _ unit: Unit = .base, scale: Double = 1, bits: Int? = nil) {
        self.value = value
        self.unit = unit
        self.scale = scale
        self.bits = bits
    }
}

extension MappedNumber: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(MappedValue(stringLiteral: text)) }
}

/// One way to a direction.
public struct MappedHeading: Sendable, Equatable {
    public var number: MappedNumber<AngleUnit>
    /// Where 0 points to.
    public var zero: Zero
    /// Which way it grows.
    public var turns: Turns

    /// Of a plan, `north` is its y axis and `east` its x axis.
    public enum Zero: String, Sendable, CaseIterable { case north, east }
    public enum Turns: String, Sendable, CaseIterable { case clockwise, anticlockwise }

    /// - Parameters:
    ///   - zero: `nil`: east for a quaternion, else north.
    ///   - turns: `nil`: as is usual from there: clockwise from north, anticlockwise from east.
    public init(_ number: MappedNumber<AngleUnit>, zero: Zero? = nil, turns: Turns? = nil) {
        self.number = number
        self.zero = zero ?? (number.unit == .quaternion ? .east : .north)
        self.turns = turns ?? (self.zero == .north ? .clockwise : .anticlockwise)
    }
}

extension MappedHeading: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(MappedNumber(stringLiteral: text)) }
}

/// One way to a time.
public struct MappedTime: Sendable, Equatable {
    public var value: MappedValue
    /// `nil`: ISO 8601, or a Unix time whose size tells its unit.
    public var unit: TimeUnit?

    public init(_ value: MappedValue, _ unit: TimeUnit? = nil) {
        self.value = value
        self.unit = unit
    }
}

extension MappedTime: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(MappedValue(stringLiteral: text)) }
}

// MARK: Reading

extension MappedNumber {
    /// The number in the base unit, as JSON that the common readers judge.
    ///
    /// - Parameter json: What the message says.
    func converted(_ json: JSONValue) -> JSONValue {
        guard var number = FieldReader.number(json) else { return json }
        if let bits, number >= exp2(Double(bits - 1)), number < exp2(Double(bits)) { number -= exp2(Double(bits)) }
        return .number(unit.convert(scale == 1 ? number : number * scale))
    }

    func read(_ scope: MappingScope, _ field: StaticString, _ fields: inout FieldReader) -> Reading<JSONValue> {
        value.read(scope, field, &fields).map(converted)
    }
}

extension MappedHeading {
    func read(_ scope: MappingScope, _ fields: inout FieldReader) -> Reading<Double> {
        switch number.value.read(scope, "heading", &fields) {
        case .absent: return .absent
        case .unknown: return .unknown
        case .value(let json):
            let angle = number.unit == .quaternion ? Self.yaw(json) : number.converted(json)
            // Farther than any device turns, and far from where degrees overflow.
            return fields.number(angle, "heading", in: -1e9...1e9).map(direction)
        }
    }

    /// Degrees clockwise from north.
    private func direction(_ angle: Double) -> Double {
        let clockwise = turns == .clockwise ? angle : -angle
        return normalizedDirection(zero == .north ? clockwise : clockwise + 90)
    }

    /// The turn about the upright axis in degrees, anticlockwise; whatever it is where that is no quaternion.
    private static func yaw(_ json: JSONValue) -> JSONValue {
        let parts: [JSONValue?] =
            if let object = json.object { ["x", "y", "z", "w"].map { object[$0] } } else { json.array ?? [] }
        let numbers = parts.compactMap { $0.flatMap(FieldReader.number) }
        guard parts.count == 4, numbers.count == 4, numbers.contains(where: { $0 != 0 }) else { return .string("") }
        let (x, y, z, w) = (numbers[0], numbers[1], numbers[2], numbers[3])
        return .number(atan2(2 * (w * z + x * y), w * w + x * x - y * y - z * z) * 180 / .pi)
    }
}

extension MappedTime {
    /// - Returns: `nil` where that is no time.
    func time(_ json: JSONValue, _ times: TimeReader) -> TimeReader.Reading? {
        guard let unit else { return times.read(json) }
        guard let number = FieldReader.number(json) else { return nil }
        let microseconds = number / unit.count * 1e6
        guard microseconds >= 0, microseconds < 1e17 else { return nil }
        return TimeReader.Reading(time: Timestamp(microseconds: Int64(microseconds.rounded())))
    }
}
