public import Timestamps

/// Learns what a source's locations do.
///
/// An observer of the engine hears of every location that exists before anything else of it: of those that are there when
/// it is added, and of those that an earlier process of the bridge published, once all of these have been read back. Such
/// updates have the cause ``LocationUpdate/Cause/known``: they say where a location is, and nothing new. Who keeps what
/// happened, as a log does, has it already and writes nothing.
public protocol LocationObserver: AnyObject {
    /// Locations are new, or are otherwise than they were.
    func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant)
    func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant)
    func statusChanged(of source: any LocationSource, at now: Instant)
    /// A fix has come that is older than what is known: for those who keep the past. Nothing live changes by it.
    func fixCameLate(_ fix: LateFix, from source: any LocationSource, at now: Instant)
    /// A location has entered or left rooms and zones for good; leaving comes first.
    func areasChanged(
        _ changes: [AreaChange], of location: Identifier, from source: any LocationSource, at now: Instant)
}

extension LocationObserver {
    public func fixCameLate(_ fix: LateFix, from source: any LocationSource, at now: Instant) {}
    public func areasChanged(
        _ changes: [AreaChange], of location: Identifier, from source: any LocationSource, at now: Instant
    ) {}
}
