public import Geometry
public import JSON
public import Locations
internal import Timestamps

/// A location with the way it is to be drawn: what is published, ready for any map.
public struct StyledState {
    public var location: Location
    public var display: Display
    /// The location's position in the map's own coordinate system.
    public var projected: ProjectedPosition?

    public init(location: Location, display: Display, projected: ProjectedPosition? = nil) {
        self.location = location
        self.display = display
        self.projected = projected
    }

    /// Writes the state as one JSON object. Unknown is absent, but `position` and `charge` are always there.
    ///
    /// - Returns: Where the value of `time` stands in the writer's bytes: a state in which only that differs is not news.
    @discardableResult
    public func write(to writer: inout JSONWriter) -> Range<Int> {
        Self.write(location, Head(location), display, projected, to: &writer)
    }

    /// The members that say what a location is, as they are written: they hardly ever change, so whoever writes a location
    /// often keeps them.
    public struct Head: Sendable {
        let bytes: [UInt8]

        public init(_ location: Location) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("id", location.id.text)
            writer.member("source", location.source.text)
            writer.member("type", location.type)
            writer.member("name", location.displayName)
            writer.member("building", location.building)
            writer.member("floor", location.floor.map(Double.init))
            if let room = location.room {
                writer.key("room")
                writer.beginObject()
                writer.member("id", room.id.text)
                writer.member("name", room.name)
                writer.endObject()
            }
            bytes = writer.bytes
        }
    }

    /// The same for parts that are not put together first, which spares copies of them.
    @discardableResult
    public static func write(
        _ location: Location, _ head: Head, _ display: Display, _ projected: ProjectedPosition?,
        to writer: inout JSONWriter
    ) -> Range<Int> {
        writer.continueObject(head.bytes)
        writer.key("position")
        if let position = location.position {
            writer.beginObject()
            writer.member("lat", position.latitude)
            writer.member("lon", position.longitude)
            writer.endObject()
        } else {
            writer.null()
        }
        let time = writeReadings(of: location, projected, to: &writer)
        // After the time, which is looked for from the front.
        if let geometry = location.geometry {
            writer.key("geometry")
            writer.object(geometry)
        }
        if !location.properties.isEmpty {
            writer.key("properties")
            writer.object(location.properties)
        }
        writer.key("display")
        display.write(to: &writer)
        writer.endObject()
        return time
    }

    /// The members between position and properties.
    ///
    /// - Returns: Where the value of `time` stands.
    static func writeReadings(
        of location: Location, _ projected: ProjectedPosition?, to writer: inout JSONWriter
    ) -> Range<Int> {
        if location.position != nil, let projected {
            writer.key("projected")
            writer.beginObject()
            writer.member("crs", projected.crs)
            writer.member("x", projected.x)
            writer.member("y", projected.y)
            writer.endObject()
        }
        if location.position != nil, let raw = location.rawPosition {
            writer.key("rawPosition")
            writer.beginObject()
            writer.member("lat", raw.latitude)
            writer.member("lon", raw.longitude)
            writer.endObject()
        }
        writer.member("heading", location.heading)
        writer.member("speed", location.speed)
        writer.member("averageSpeed", location.averageSpeed)
        writer.member("accuracy", location.accuracy)
        writer.member("altitude", location.altitude)
        writer.key("charge")
        if let charge = location.charge { writer.number(charge) } else { writer.null() }
        writer.key("time")
        let start = writer.count
        writer.timestamp(location.time)
        let time = start..<writer.count
        if location.position != nil, let fixed = location.positionTime, fixed.milliseconds != location.time.milliseconds
        {
            writer.key("positionTime")
            writer.timestamp(fixed)
        }
        writeLastPosition(of: location, to: &writer)
        writer.member("status", location.status.rawValue)
        writer.member("statusReason", location.statusReason)
        writer.key("statusSince")
        writer.timestamp(location.statusSince)
        return time
    }

    /// Where the value of `time` stands in a state that was written here; empty in anything else.
    public static func timeRange(in payload: [UInt8]) -> Range<Int> {
        // No text has it, since quotes in texts are escaped, and what else has such a member comes later.
        let key = Array(#","time":"#.utf8)
        let length = Timestamp.iso8601Length + 2
        guard let start = payload.firstRange(of: key)?.upperBound, start + length <= payload.count,
            payload[start] == UInt8(ascii: "\""), payload[start + length - 1] == UInt8(ascii: "\"")
        else { return 0..<0 }
        return start..<start + length
    }

    private static func writeLastPosition(of location: Location, to writer: inout JSONWriter) {
        guard location.position == nil, let last = location.lastPosition else { return }
        writer.key("lastPosition")
        writer.beginObject()
        writer.member("lat", last.position.latitude)
        writer.member("lon", last.position.longitude)
        writer.member("floor", last.floor.map(Double.init))
        writer.key("time")
        writer.timestamp(last.time)
        writer.endObject()
    }
}

extension JSONWriter {
    mutating func member(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        self.key(key)
        string(text)
    }

    mutating func member(_ key: StaticString, _ number: Double?) {
        guard let number else { return }
        self.key(key)
        self.number(number)
    }

    mutating func timestamp(_ timestamp: Timestamp) {
        plainString(atMost: Timestamp.iso8601Length) { timestamp.writeISO8601(to: $0) }
    }
}
