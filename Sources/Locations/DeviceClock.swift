internal import Timestamps

/// Judges what a device says of the time.
struct DeviceClock {
    /// Earlier times are those of clocks that were never set: they start at 1970, 1980, 2000 or 2004.
    private static let earliest = Timestamp(milliseconds: 1_262_304_000_000)  // 2010-01-01T00:00:00Z

    /// - Returns: The time where it can be used, else the fault to count.
    static func judge(
        _ time: Timestamp, arrival: Timestamp, tolerance: Duration
    ) -> (time: Timestamp?, fault: String?) {
        if time < earliest { return (nil, "ts-before-2010") }
        if time > arrival.advanced(by: tolerance) { return (nil, "ts-in-future") }
        return (time, nil)
    }
}
