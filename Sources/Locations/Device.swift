internal import Timestamps

/// One device of a telemetry source: its location, and what decides its status.
final class Device {
    var location: Location
    private var streams: [Stream] = []
    /// The newest fix that had a time of its own.
    var newestFix: Timestamp?
    /// Monotonic time of the last sign of life; `nil` where only stored copies of unknown age are known.
    var lastHeard: Duration?
    var lastArrival: Duration
    /// Monotonic time at which the position was fixed.
    var fixedAt: Duration?
    var hasNoFix = false
    var offline: OfflineClaim?
    /// The device has said that it will be silent.
    var isSilentByIntent = false
    /// When the agenda calls for it; entries for other times are outdated.
    var scheduled: Duration?

    init(location: Location, arrival: Duration) {
        self.location = location
        lastArrival = arrival
    }
}

extension Device {
    /// One of the format's streams; almost every format has one alone.
    private struct Stream {
        let number: Int
        var isHeard = false
        /// `nil` where the stream has not told a usable time yet.
        var clock: StreamClock?
    }

    private func index(of number: Int) -> Int {
        if let index = streams.firstIndex(where: { $0.number == number }) { return index }
        streams.append(Stream(number: number))
        return streams.count - 1
    }

    func hasHeard(_ stream: Int) -> Bool { streams.first { $0.number == stream }?.isHeard ?? false }

    func markHeard(_ stream: Int) { streams[index(of: stream)].isHeard = true }

    /// The device's own time of the newest applied report of a stream.
    func clock(of stream: Int) -> Timestamp? { streams.first { $0.number == stream }?.clock?.time }

    func order(_ report: Report, time: Timestamp, retained: Bool) -> StreamClock.Order {
        let index = index(of: report.stream)
        if report.ordering == .restart, !retained { streams[index].clock = nil }
        if let order = streams[index].clock?.order(report, time: time, retained: retained) { return order }
        streams[index].clock = StreamClock(report, time: time)
        return .newer
    }
}

/// Somebody says that the device is offline.
struct OfflineClaim {
    enum Origin: String { case connection, source }

    var origin: Origin
    var since: Instant
    /// A claim counts from here on: short absences are nobody's business.
    var effective: Duration
}

/// A status with the reason and the monotonic time at which it began; `nil` for now.
struct Judgement {
    var status: LocationStatus
    var reason: String
    var began: Duration?
}

extension Device {
    func judge(_ settings: SourceSettings, at now: Duration) -> Judgement {
        if let offline, now >= offline.effective {
            return Judgement(
                status: .offline, reason: "\(offline.origin.rawValue)-offline", began: offline.since.monotonic)
        }
        if hasNoFix { return Judgement(status: .lost, reason: "no-fix") }
        if let lostAfter = settings.lostAfter, let fixedAt, now >= fixedAt + lostAfter {
            return Judgement(status: .lost, reason: "position-too-old", began: fixedAt + lostAfter)
        }
        if let staleAfter = settings.staleAfter, !isSilentByIntent {
            guard let lastHeard else { return Judgement(status: .stale, reason: "age-unknown") }
            if now >= lastHeard + staleAfter {
                return Judgement(status: .stale, reason: "silent", began: lastHeard + staleAfter)
            }
        }
        return Judgement(status: .live, reason: "heard")
    }

    /// The next moment at which time alone changes something.
    func nextDeadline(_ settings: SourceSettings, after now: Duration) -> Duration? {
        var next: Duration?
        func consider(_ deadline: Duration) {
            if deadline > now, deadline < next ?? .seconds(Int64.max) { next = deadline }
        }
        if let offline { consider(offline.effective) }
        if let limit = settings.lostAfter, let fixedAt { consider(fixedAt + limit) }
        if let limit = settings.staleAfter, let lastHeard, !isSilentByIntent { consider(lastHeard + limit) }
        // Removal stands also when its time has passed: it is done by the agenda, not by judging.
        guard let removal = settings.removeAfter.map({ lastArrival + $0 }) else { return next }
        return next.map { min($0, removal) } ?? removal
    }
}
