/// A location as it is from now on. Whoever keeps it shares it: locations are large to copy.
public final class LocationUpdate: Sendable {
    public enum Cause: Sendable {
        /// A device's report.
        case report
        /// Time passed, or another location changed.
        case time
        /// Nothing has happened: the location was there before its observer was told of any, or an earlier process of the
        /// bridge published it so.
        case known
    }

    public let location: Location
    public let cause: Cause
    /// Whether this is new or its status has changed: then it is told at once.
    public let isUrgent: Bool
    /// Whether the position does not continue the one before: it is on another map, or the device was carried. A line from
    /// there to here would be wrong.
    public let breaksTrail: Bool

    public init(location: Location, cause: Cause, isUrgent: Bool, breaksTrail: Bool = false) {
        self.location = location
        self.cause = cause
        self.isUrgent = isUrgent
        self.breaksTrail = breaksTrail
    }
}
