public import Timestamps

/// Produces locations: an MQTT feed, or something of one's own.
///
/// A source lives on the engine's thread. It does no I/O and reads no clock: what time it is comes as an argument, and
/// when it wants to be called again it says by ``nextDeadline``.
public protocol LocationSource: AnyObject {
    var id: Identifier { get }
    var status: SourceStatus { get }
    /// How many locations have each status.
    var counts: StatusCounts { get }
    var locations: [Location] { get }
    func location(_ id: Identifier) -> Location?
    /// When the newest message came that told something of a location.
    var lastMessage: Timestamp? { get }
    /// Told of every change, from ``start(at:)`` on, which tells of what is there.
    var observers: [any LocationObserver] { get set }

    /// Begins to produce locations.
    func start(at now: Instant)
    /// Ends it; what was announced stays announced.
    func stop(at now: Instant)
    /// The monotonic time at which ``advance(to:)`` has something to do; `nil` when nothing is due ever.
    var nextDeadline: Duration? { get }
    /// Does what is due: silence makes stale, age removes.
    func advance(to now: Instant)
}

extension LocationSource {
    /// Looks through all; who has many of them knows better.
    public func location(_ id: Identifier) -> Location? { locations.first { $0.id == id } }
}
