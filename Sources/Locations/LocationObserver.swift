public import Timestamps

/// Learns what a source's locations do.
public protocol LocationObserver: AnyObject {
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
