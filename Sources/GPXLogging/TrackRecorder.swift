internal import GPX
internal import Geometry
public import Locations
public import Timestamps

/// Finds in what locations do the points of their ways: each new fix once, and where a way is interrupted.
///
/// A way is interrupted where the location is lost, silent or offline, or comes from where no way leads here. What late
/// reports say belongs to it, too.
public final class TrackRecorder: LocationObserver {
    private struct Way {
        var time: Timestamp
        var position: Position
        var isInterrupted = false
    }

    private let sources: Set<Identifier>?
    private let record: (LoggedPoint) -> Void
    private var ways: [LocationReference: Way] = [:]

    /// - Parameters:
    ///   - sources: Whose locations; `nil`: all.
    ///   - record: Gets the points, from within the engine's call: it must not wait.
    public init(_ sources: Set<Identifier>? = nil, record: @escaping (LoggedPoint) -> Void) {
        (self.sources, self.record) = (sources, record)
    }

    public func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant) {
        guard isLogged(source) else { return }
        for update in updates {
            let location = update.location
            let key = LocationReference(location)
            if update.breaksTrail { ways[key]?.isInterrupted = true }
            // What time alone or a restart brings is no new fix.
            if let position = location.position {
                let time = location.positionTime ?? location.time
                switch update.cause {
                case .report: follow(location, to: position, at: time, key)
                // An earlier process has logged it. What came while there was none, nobody knows.
                case .known where ways[key] == nil: ways[key] = Way(time: time, position: position, isInterrupted: true)
                case .known, .time: break
                }
            }
            if location.position == nil || location.status != .live { ways[key]?.isInterrupted = true }
        }
    }

    private func follow(_ location: Location, to position: Position, at time: Timestamp, _ key: LocationReference) {
        let way = ways[key]
        guard way?.time != time || way?.position != position else { return }
        record(
            LoggedPoint(
                source: location.source, location: location.id, name: location.displayName,
                point: TrackPoint(
                    position: position, time: time, elevation: location.altitude, course: location.heading,
                    speed: location.speed, accuracy: location.accuracy),
                isAfterGap: way?.isInterrupted ?? true))
        ways[key] = Way(time: time, position: position)
    }

    public func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant) {
        for id in ids { ways[LocationReference(source: source.id, id: id)] = nil }
    }

    public func statusChanged(of source: any LocationSource, at now: Instant) {}

    public func fixCameLate(_ fix: LateFix, from source: any LocationSource, at now: Instant) {
        guard isLogged(source) else { return }
        record(
            LoggedPoint(
                source: source.id, location: fix.location,
                name: source.location(fix.location)?.displayName ?? fix.location.text,
                point: TrackPoint(
                    position: fix.position, time: fix.time, elevation: fix.altitude, course: fix.heading,
                    speed: fix.speed, accuracy: fix.accuracy),
                isAfterGap: false))
    }

    private func isLogged(_ source: any LocationSource) -> Bool { sources?.contains(source.id) ?? true }
}
