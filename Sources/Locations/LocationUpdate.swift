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
