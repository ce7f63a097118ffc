/// A moment of the wall clock, in microseconds since 1970-01-01T00:00:00Z (no leap seconds).
public struct Timestamp: Sendable, Hashable, Comparable {
    public var microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }
    public init(milliseconds: Int64) { microseconds = milliseconds * 1_000 }

    /// Milliseconds, rounded down.
    public var milliseconds: Int64 {
        microseconds >= 0 ? microseconds / 1_000 : (microseconds - 999) / 1_000
    }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.microseconds < b.microseconds }

    public func advanced(by duration: Duration) -> Timestamp {
        Timestamp(microseconds: microseconds &+ duration.microseconds)
    }

    public func duration(since other: Timestamp) -> Duration {
        .microseconds(microseconds &- other.microseconds)
    }

    /// A Unix time in seconds, milliseconds or microseconds, told apart by magnitude: no clock of a device is in the year
    /// 5138 or in 1973 by intent.
    ///
    /// - Returns: `nil` for negative, non-finite and larger numbers.
    public init?(unix number: Double) {
        switch number {
        case 0..<1e11: microseconds = Int64((number * 1e6).rounded())
        case 1e11..<1e14: microseconds = Int64((number * 1e3).rounded())
        case 1e14..<1e17: microseconds = Int64(number.rounded())
        default: return nil
        }
    }
}

extension Duration {
    /// Whole microseconds, rounded toward zero.
    public var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000
    }

    /// Seconds with their fraction.
    public var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
