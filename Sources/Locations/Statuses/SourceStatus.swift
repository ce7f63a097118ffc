public import Timestamps

/// Whether a source can be relied on, with the reason and since when.
public struct SourceStatus: Sendable, Equatable {
    public enum Kind: String, Sendable {
        /// Never connected.
        case notInitialised
        /// Not all of its filters are granted yet.
        case initialising
        /// At least one location is live.
        case available
        case unavailable
        /// Stopped, or the bridge ends.
        case inactive
    }

    public var kind: Kind
    /// `no-live-location`, `accessDenied`, `disconnected`, `stopped`, `shutdown`; empty where there is nothing to say.
    public var reason: String
    public var since: Timestamp

    public init(kind: Kind, reason: String = "", since: Timestamp) {
        self.kind = kind
        self.reason = reason
        self.since = since
    }
}
