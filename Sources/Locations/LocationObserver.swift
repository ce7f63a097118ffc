public import Timestamps

/// Learns what a source's locations do.
public protocol LocationObserver: AnyObject {
    func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant)
    func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant)
    func statusChanged(of source: any LocationSource, at now: Instant)
}
