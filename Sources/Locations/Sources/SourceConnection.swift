/// Where the connection to a source's topics stands.
public enum SourceConnection: Sendable, Equatable {
    /// Filters are asked for, or stored messages are being read.
    case opening
    case open
    /// The broker refuses a filter.
    case denied
    case lost
    /// The operator has stopped the source.
    case stopped
    /// The bridge ends.
    case shutDown

    /// The source's status.
    ///
    /// - Parameter isAvailable: Whether a location is live; for sources that speak only when something changes, whether
    ///   any was heard.
    func status(isAvailable: Bool) -> (kind: SourceStatus.Kind, reason: String) {
        switch self {
        case .opening: (.initialising, "")
        case .open: isAvailable ? (.available, "") : (.unavailable, "no-live-location")
        case .denied: (.unavailable, "accessDenied")
        case .lost: (.unavailable, "disconnected")
        case .stopped: (.inactive, "stopped")
        case .shutDown: (.inactive, "shutdown")
        }
    }
}
