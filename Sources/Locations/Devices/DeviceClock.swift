public import Timestamps

/// Judges what a device says of the time.
enum DeviceClock {
    /// Earlier times are those of clocks that were never set: they start at 1970, 1980, 2000 or 2004.
    private static let earliest = Timestamp(milliseconds: 1_262_304_000_000)  // 2010-01-01T00:00:00Z

    /// - Returns: Why a time cannot be used, as the fault to count; `nil` where it can.
    static func fault(_ time: Timestamp, arrival: Timestamp, tolerance: Duration) -> String? {
        if time < earliest { return "ts-before-2010" }
        return time > arrival.advanced(by: tolerance) ? "ts-in-future" : nil
    }
}

extension Report {
    /// The device's time where it can be used.
    public func usableTime(arrival: Timestamp, _ settings: SourceSettings) -> Timestamp? {
        guard settings.clock == .device, let time else { return nil }
        return DeviceClock.fault(time, arrival: arrival, tolerance: settings.futureTolerance) == nil ? time : nil
    }

    /// Keeps of the times what can be used, and notes what cannot as faults.
    ///
    /// - Parameter newest: The device's time of the newest report before this one.
    /// - Returns: The report's own time.
    mutating func judgeTimes(after newest: Timestamp?, _ settings: FixedSettings, at now: Instant) -> Timestamp? {
        guard settings.clock == .device else {
            fixTime = nil
            return nil
        }
        if let fix = fixTime, let fault = DeviceClock.fault(fix, arrival: now.wall, tolerance: settings.futureTolerance)
        {
            fixTime = nil
            faults.append("fix-\(fault)")
        }
        guard var time else { return nil }
        // In the hour that comes twice, the reading that does not go back.
        if let laterTime, let newest, time < newest { time = laterTime }
        guard let fault = DeviceClock.fault(time, arrival: now.wall, tolerance: settings.futureTolerance) else {
            return time
        }
        faults.append(fault)
        return nil
    }
}
