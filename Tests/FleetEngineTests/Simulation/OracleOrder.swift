import Timestamps

/// Which of a device's reports is newer, by the device's own clock.
struct OracleOrder {
    private var newest: (time: Timestamp, sequence: Double?, payload: [UInt8])?
    private var lateInARow = 0
    private var newestLate: Timestamp?
    private var wasHeard = false

    init() {}

    /// After a restart only the time is known.
    init(readBack time: Timestamp) { newest = (time, nil, []) }

    /// - Parameter time: The report's, where its clock can be right.
    /// - Returns: Whether the report is newer than what is known.
    mutating func take(_ report: OracleReport, time: Timestamp?) -> Bool {
        defer { wasHeard = true }
        // Without a time it is the newest; but nobody knows how old a stored one is.
        guard let time else { return !report.retained || !wasHeard }
        guard isNewer(report, time) || isInsisted(report, time) else { return false }
        newest = (time, report.sequence, report.payload)
        (lateInARow, newestLate) = (0, nil)
        return true
    }

    private func isNewer(_ report: OracleReport, _ time: Timestamp) -> Bool {
        guard let newest, time <= newest.time else { return true }
        guard time == newest.time else { return false }
        if let known = newest.sequence, let sequence = report.sequence, sequence != known { return sequence > known }
        return report.payload != newest.payload
    }

    /// Five late ones in a row whose own times increase: the clock was set back.
    private mutating func isInsisted(_ report: OracleReport, _ time: Timestamp) -> Bool {
        guard let newest, !report.retained, report.payload != newest.payload else { return false }
        lateInARow = newestLate.map { time > $0 } ?? true ? lateInARow + 1 : 1
        newestLate = time
        return lateInARow == 5
    }
}
