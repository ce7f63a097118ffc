public import Geometry
public import JSON
public import Timestamps

/// What is known of one device, person or room.
public struct Location: Sendable {
    public var id: Identifier
    public var source: Identifier
    public var type: String?
    public var name: String?
    public var building: String?
    /// Index in the sense of MapsIndoors: 0, 10, 20 …
    public var floor: Int?
    /// `nil` where none was ever said, and while lost.
    public var position: Position?
    /// What the device said, where ``position`` is another place because that is the one more likely right.
    public var rawPosition: Position?
    /// When the position was fixed, where that differs from `time`.
    public var positionTime: Timestamp?
    /// The last position and floor before the location was lost.
    public var lastPosition: LastPosition?
    /// Where it is more than a point: a GeoJSON geometry (RFC 7946), such as a room's polygon. The position is then a place in
    /// it, for an icon.
    public var geometry: JSONObject?
    /// The room that the position is in, where one is known.
    public var room: Area?
    /// Degrees clockwise from true north, 0 ≤ heading < 360.
    public var heading: Double?
    /// Metres a second.
    public var speed: Double?
    /// Metres a second over the last minute; only where the settings derive it.
    public var averageSpeed: Double?
    /// Radius in metres.
    public var accuracy: Double?
    /// Metres.
    public var altitude: Double?
    /// Percent.
    public var charge: Double?
    /// The device's time of the newest applied report, else its arrival.
    public var time: Timestamp
    public var status: LocationStatus
    public var statusReason: String
    public var statusSince: Timestamp
    /// `state`, `charging` and whatever else the device says.
    public var properties = JSONObject()

    public init(
        id: Identifier, source: Identifier, time: Timestamp, status: LocationStatus = .live,
        statusReason: String = "heard",
        statusSince: Timestamp? = nil
    ) {
        self.id = id
        self.source = source
        self.time = time
        self.status = status
        self.statusReason = statusReason
        self.statusSince = statusSince ?? time
    }

    /// The name to show: the device's, else its id.
    public var displayName: String { name ?? id.text }
}

/// Where a lost location was last.
public struct LastPosition: Sendable, Hashable {
    public var position: Position
    public var floor: Int?
    public var time: Timestamp

    public init(position: Position, floor: Int?, time: Timestamp) {
        self.position = position
        self.floor = floor
        self.time = time
    }
}
