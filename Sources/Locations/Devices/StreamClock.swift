internal import Timestamps

/// Orders the reports of one stream of one device by the device's own clock.
struct StreamClock {
    enum Order {
        case newer, duplicate, late, /** The device's clock went back, and it means it. */
            clockReset
    }

    /// Late reports in a row after which the device is believed rather than the past.
    private static let patience = 5

    private(set) var time: Timestamp
    private var sequence: Int64?
    private var last: Report?
    private var lateInARow = 0
    private var newestLate: Timestamp?

    init(_ report: Report, time: Timestamp) {
        (self.time, sequence, last) = (time, report.sequence, report)
        // That the device started anew before this report makes it no other report.
        if report.ordering == .restart { last?.ordering = .timeOrSequence }
    }

    /// Of what an earlier process published; what the report said beside is not known.
    init(restored time: Timestamp) { self.time = time }

    /// Judges a report that has a usable time, and takes it over where it is applied.
    mutating func order(_ report: Report, time: Timestamp, retained: Bool) -> Order {
        if time > self.time {
            self = StreamClock(report, time: time)
            return .newer
        }
        if time == self.time {
            if let sequence, let next = report.sequence, sequence != next {
                guard next > sequence else { return late(report, time: time, retained: retained) }
            } else if report == last {
                return .duplicate
            }
            self = StreamClock(report, time: time)
            return .newer
        }
        if report.ordering == .timeOrSequence, let sequence, let next = report.sequence, next > sequence {
            self = StreamClock(report, time: time)
            return .newer
        }
        return late(report, time: time, retained: retained)
    }

    private mutating func late(_ report: Report, time: Timestamp, retained: Bool) -> Order {
        guard !retained else { return .late }
        lateInARow = newestLate.map { time > $0 } ?? true ? lateInARow + 1 : 1
        newestLate = time
        guard lateInARow >= Self.patience else { return .late }
        self = StreamClock(report, time: time)
        return .clockReset
    }
}
