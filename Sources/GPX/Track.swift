public import Geometry
public import Timestamps

/// An ordered list of points that somebody went along (GPX 1.1, `trk`).
public struct Track: Sendable, Hashable {
    public var name: String?
    public var segments: [TrackSegment]

    public init(name: String? = nil, segments: [TrackSegment]) {
        self.name = name
        self.segments = segments
    }
}

/// Points without a break: between two segments the position was lost (`trkseg`).
public struct TrackSegment: Sendable, Hashable {
    public var points: [TrackPoint]

    public init(points: [TrackPoint]) { self.points = points }
}

/// One point of a track (`trkpt`).
public struct TrackPoint: Sendable, Hashable {
    public var position: Position
    public var time: Timestamp?
    /// Metres above mean sea level.
    public var elevation: Double?
    /// The direction of the movement, degrees clockwise from true north, 0 ≤ course < 360.
    public var course: Double?
    /// Metres a second, 0 or more.
    public var speed: Double?
    /// The radius in metres that the true position is within.
    public var accuracy: Double?

    public init(
        position: Position, time: Timestamp? = nil, elevation: Double? = nil, course: Double? = nil,
        speed: Double? = nil, accuracy: Double? = nil
    ) {
        self.position = position
        self.time = time
        self.elevation = elevation
        self.course = course
        self.speed = speed
        self.accuracy = accuracy
    }
}

/// A point of interest (`wpt`).
public struct Waypoint: Sendable, Hashable {
    public var name: String?
    public var position: Position
    public var elevation: Double?

    public init(name: String? = nil, position: Position, elevation: Double? = nil) {
        self.name = name
        self.position = position
        self.elevation = elevation
    }
}

/// A way that somebody means to go (`rte`).
public struct Route: Sendable, Hashable {
    public var name: String?
    public var points: [Waypoint]

    public init(name: String? = nil, points: [Waypoint]) {
        self.name = name
        self.points = points
    }
}
