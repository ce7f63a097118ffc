/// A unit that numbers of a message are in. Raw values are what a configuration says.
public protocol MessageUnit: Sendable, Equatable, CaseIterable, RawRepresentable where RawValue == String {
    /// The unit of numbers that name none: the one that reports have.
    static var base: Self { get }
    /// Brings a number into the base unit.
    func convert(_ number: Double) -> Double
}

/// Latitudes and longitudes.
public enum CoordinateUnit: String, MessageUnit {
    case degrees
    case tenMillionths = "1e-7 degrees"
    case millionths = "1e-6 degrees"
    case hundredThousandths = "1e-5 degrees"
    case radians

    public static let base = degrees

    // Divisions give the nearest number to the decimal that was meant; multiplications do not always.
    public func convert(_ number: Double) -> Double {
        switch self {
        case .degrees: number
        case .tenMillionths: number / 1e7
        case .millionths: number / 1e6
        case .hundredThousandths: number / 1e5
        case .radians: number * 180 / .pi
        }
    }
}

public enum LengthUnit: String, MessageUnit {
    case metres = "m"
    case centimetres = "cm"
    case millimetres = "mm"
    case feet = "ft"

    public static let base = metres

    public func convert(_ number: Double) -> Double {
        switch self {
        case .metres: number
        case .centimetres: number / 100
        case .millimetres: number / 1_000
        case .feet: number * 0.3048
        }
    }
}

public enum SpeedUnit: String, MessageUnit {
    case metresPerSecond = "m/s"
    case centimetresPerSecond = "cm/s"
    case kilometresPerHour = "km/h"
    case milesPerHour = "mph"
    case knots

    public static let base = metresPerSecond

    public func convert(_ number: Double) -> Double {
        switch self {
        case .metresPerSecond: number
        case .centimetresPerSecond: number / 100
        case .kilometresPerHour: number / 3.6
        case .milesPerHour: number * 0.44704
        case .knots: number * 1_852 / 3_600
        }
    }
}

/// Volts are none: how full a battery is, they do not say.
public enum ChargeUnit: String, MessageUnit {
    case percent
    /// 0 … 1
    case fraction

    public static let base = percent

    public func convert(_ number: Double) -> Double {
        switch self {
        case .percent: number
        // To a millionth of a percent, so that 0.56 is 56, and no neighbour of it.
        case .fraction: (number * 1e8).rounded() / 1e6
        }
    }
}

public enum AngleUnit: String, MessageUnit {
    case degrees
    case radians
    case hundredThousandths = "1e-5 degrees"
    /// An object with `x`, `y`, `z` and `w`, or an array of the four: the direction is its yaw.
    case quaternion

    public static let base = degrees

    public func convert(_ number: Double) -> Double {
        switch self {
        case .degrees, .quaternion: number
        case .radians: number * 180 / .pi
        case .hundredThousandths: number / 1e5
        }
    }
}

public enum TimeUnit: String, Sendable, CaseIterable {
    case seconds, milliseconds, microseconds

    /// In a second.
    var count: Double {
        switch self {
        case .seconds: 1
        case .milliseconds: 1e3
        case .microseconds: 1e6
        }
    }
}
