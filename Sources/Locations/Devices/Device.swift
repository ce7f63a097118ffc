internal import Timestamps

/// One device of a telemetry source: its location, and what decides its status.
final class Device {
    @exclusivity(unchecked) var location: Location
    @exclusivity(unchecked) var claims = OfflineClaims()
    /// Monotonic time of the last sign of life; `nil` where only stored copies of unknown age are known.
    @exclusivity(unchecked) var lastHeard: Duration?
    @exclusivity(unchecked) var lastArrival: Duration
    /// Monotonic time at which the position was fixed.
    @exclusivity(unchecked) var fixedAt: Duration?
    @exclusivity(unchecked) var hasNoFix = false
    /// Intervals between its reports, one after another, after which one lost report would have made it stale.
    @exclusivity(unchecked) var longIntervals = 0
    /// The device has said that it will be silent.
    var isSilentByIntent = false
    /// Known from before the bridge was started, and not heard since.
    @exclusivity(unchecked) var isRestored = false
    /// Its newest time from before the bridge was started, by which streams are ordered that have not spoken since.
    var restoredTime: Timestamp?
    /// When the agenda calls for it; entries for other times are outdated.
    @exclusivity(unchecked) var scheduled: Duration?
    private(set) var entry: DeviceEntry?
    /// The map of the last position; `nil` where that came in degrees.
    @exclusivity(unchecked) var map: Identifier?
    /// The last position does not continue the one before; told with the next update.
    @exclusivity(unchecked) var breaksTrail = false
    /// Only where the settings compare fixes.
    private(set) var movement: Movement?
    /// Only where the settings ask for it.
    private(set) var stuck: StuckWatch?
    /// Only where there are rooms or zones.
    private(set) var presence: Presence?
    @exclusivity(unchecked) private var streams: [Stream] = []

    init(location: Location, arrival: Duration, _ settings: FixedSettings) {
        self.location = location
        lastArrival = arrival
        entry = settings.devices.isEmpty ? nil : settings.devices[location.id]
        if !settings.derive.contains(.averageSpeed) { self.location.averageSpeed = nil }
        movement = settings.comparesFixes ? Movement() : nil
        stuck = settings.stuckAfter == nil ? nil : StuckWatch()
        presence = settings.areas == nil ? nil : Presence()
    }

    /// From now on is judged by other settings. What the operator said goes with them, what the device said stays.
    func change(from old: SourceSettings, to new: SourceSettings) {
        let entry = new.devices[location.id]
        func change(_ known: inout String?, _ said: String?, _ says: String?) {
            if let says { known = says } else if known == said { known = nil }
        }
        change(&location.name, self.entry?.name, entry?.name)
        change(&location.type, self.entry?.type ?? old.type, entry?.type)
        change(&location.building, self.entry?.building ?? old.building, entry?.building)
        location.type = location.type ?? new.type
        location.building = location.building ?? new.building
        self.entry = entry
        if !new.comparesFixes { movement = nil } else if movement == nil { beginMovement() }
        if !new.derive.contains(.averageSpeed) { location.averageSpeed = nil }
        stuck = new.stuckAfter == nil ? nil : stuck ?? StuckWatch()
        presence = new.areas == nil ? nil : presence ?? Presence()
        if presence == nil { location.room = nil }
    }

    /// Fixes are compared from the one on that is known.
    func beginMovement() {
        let movement = Movement()
        self.movement = movement
        guard let position = location.rawPosition ?? location.position else { return }
        movement.resume(
            from: Fix(
                position: position, map: map, time: location.positionTime, arrival: fixedAt,
                accuracy: location.accuracy))
    }

    /// A message of the device has come.
    ///
    /// - Parameters:
    ///   - time: The device's own time, where it can be used.
    ///   - isLive: Else it is a stored copy, as old as it says, and of unknown age where it says nothing.
    func renewLife(time: Timestamp?, isLive: Bool, at now: Instant) {
        lastArrival = now.monotonic
        isRestored = false
        if isLive {
            lastHeard = now.monotonic
        } else if let time {
            let heard = now.monotonic - max(.zero, now.wall.duration(since: time))
            lastHeard = max(lastHeard ?? heard, heard)
        }
    }
}

// MARK: Order

extension Device {
    /// One of the format's streams; almost every format has one alone.
    private struct Stream {
        let number: Int
        /// `nil` where the stream has not told a usable time yet.
        var clock: StreamClock?
    }

    /// The device's own time of the newest applied report of a stream.
    func clock(of stream: Int) -> Timestamp? { streams.first { $0.number == stream }?.clock?.time }

    /// Judges whether a report is newer than what its stream has said, and notes it where it is.
    ///
    /// - Parameter time: The report's own time, where it can be used; without one it is the newest.
    func order(_ report: Report, time: Timestamp?, retained: Bool) -> StreamClock.Order {
        let known = streams.firstIndex { $0.number == report.stream }
        if known == nil {
            let clock = restoredTime.map { StreamClock(restored: $0) } ?? time.map { StreamClock(report, time: $0) }
            streams.append(Stream(number: report.stream, clock: clock))
            if restoredTime == nil || time == nil { return .newer }
        }
        let index = known ?? streams.count - 1
        // A stored copy without a time tells nothing new of a stream that was heard.
        guard let time else { return retained ? .duplicate : .newer }
        if report.ordering == .restart, !retained { streams[index].clock = nil }
        if let order = streams[index].clock?.order(report, time: time, retained: retained) { return order }
        streams[index].clock = StreamClock(report, time: time)
        return .newer
    }
}
