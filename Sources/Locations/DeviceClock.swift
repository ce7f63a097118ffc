public import Timestamps

/// Judges what a device says of the time.
enum DeviceClock {
    /// Earlier times are those of clocks that were never set: they start at 1970, 1980, 2000 or 2004.
    private static let earliest = Timestamp(milliseconds: 1_262_304_000_000)  // 2010-01-01T00:00:00Z

    /// - Returns: Why a time cannot be used, as the fault to count; `nil` where it can.
    static func fault(_ time: Timestamp, arrival: Timestamp, _ settings: SourceSettings) -> String? {
        if time < earliest { return "ts-before-2010" }
        return time > arrival.advanced(by: settings.futureTolerance) ? "ts-in-future" : nil
    }
}

extension Report {
    /// The device's time where it can be used.
    public func usableTime(arrival: Timestamp, _ settings: SourceSettings) -> Timestamp? {
        guard settings.clock == .device, let time else { return nil }
        return DeviceClock.fault(time, arrival: arrival, settings) == nil ? time : nil
    }
}
