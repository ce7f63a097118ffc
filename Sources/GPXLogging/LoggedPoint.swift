public import GPX
public import Locations

/// A point of a location's way, to be logged.
public struct LoggedPoint: Sendable, Equatable {
    public var source: Identifier
    public var location: Identifier
    /// For people; the name of a new file's track.
    public var name: String
    /// With its time.
    public var point: TrackPoint
    /// Whether nothing is known of the way from the point before to here.
    public var isAfterGap: Bool

    public init(source: Identifier, location: Identifier, name: String, point: TrackPoint, isAfterGap: Bool) {
        (self.source, self.location, self.name) = (source, location, name)
        (self.point, self.isAfterGap) = (point, isAfterGap)
    }
}
