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
    /// When the newest message came that told something of a location.
    var lastMessage: Timestamp? { get }
    /// Told of every change, from ``start(at:)`` on.
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

/// Learns what a source's locations do.
public protocol LocationObserver: AnyObject {
    func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant)
    func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant)
    func statusChanged(of source: any LocationSource, at now: Instant)
}

/// A location as it is from now on. Whoever keeps it shares it: locations are large to copy.
public final class LocationUpdate: Sendable {
    public enum Cause: Sendable {
        /// A device's report.
        case report
        /// Time passed, or another location changed.
        case time
    }

    public let location: Location
    public let cause: Cause
    /// Whether this is new or its status has changed: then it is told at once.
    public let isUrgent: Bool

    public init(location: Location, cause: Cause, isUrgent: Bool) {
        self.location = location
        self.cause = cause
        self.isUrgent = isUrgent
    }
}

/// How many locations have each status.
public struct StatusCounts: Sendable, Equatable {
    private var counts = [Int](repeating: 0, count: LocationStatus.allCases.count)

    public init() {}

    public subscript(status: LocationStatus) -> Int {
        get { counts[Self.index(of: status)] }
        set { counts[Self.index(of: status)] = newValue }
    }

    public var total: Int { counts.reduce(0, +) }

    private static func index(of status: LocationStatus) -> Int {
        switch status {
        case .live: 0
        case .stale: 1
        case .lost: 2
        case .offline: 3
        }
    }
}
