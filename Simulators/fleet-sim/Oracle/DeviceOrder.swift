import JSON
import Timestamps

/// The order of one device's reports by its own clock, as docs/topics.md has it.
struct DeviceOrder: Sendable {
    enum Verdict: Sendable, Equatable {
        case applied, duplicate, late
    }

    private struct Applied: Sendable {
        var time: Timestamp
        var sequence: Double?
        var content: JSONObject
    }

    /// So many late reports in a row, each newer than the one before, are believed.
    private static let patience = 5
    private static let earliest = Timestamp(milliseconds: 1_262_304_000_000)  // 2010
    private static let tolerance = Duration.seconds(60)

    private var newest: Applied?
    private var lateTimes: [Timestamp] = []

    /// The time that a report tells, if it can be believed.
    static func usable(_ time: Timestamp?, arrival: Timestamp) -> Timestamp? {
        guard let time, time >= earliest, time <= arrival.advanced(by: tolerance) else { return nil }
        return time
    }

    /// - Parameter time: `nil` for a report without a usable time, which is the newest and leaves the device's clock alone.
    mutating func judge(_ content: JSONObject, time: Timestamp?) -> Verdict {
        guard let time else { return .applied }
        let report = Applied(time: time, sequence: content["seq"]?.number, content: content)
        guard let newest else { return apply(report) }
        if time > newest.time { return apply(report) }
        if time == newest.time {
            if let before = newest.sequence, let now = report.sequence, before != now {
                return now > before ? apply(report) : late(report)
            }
            return content == newest.content ? .duplicate : apply(report)
        }
        return late(report)
    }

    private mutating func apply(_ report: Applied) -> Verdict {
        (newest, lateTimes) = (report, [])
        return .applied
    }

    private mutating func late(_ report: Applied) -> Verdict {
        if let last = lateTimes.last, report.time <= last { lateTimes = [] }
        lateTimes.append(report.time)
        return lateTimes.count >= Self.patience ? apply(report) : .late
    }
}
