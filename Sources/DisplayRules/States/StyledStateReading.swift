internal import Geometry
public import JSON
public import Locations
public import Timestamps

/// What is wrong with a location that stands in a file.
public struct LocationFault: Error, Equatable {
    /// The keys that lead to the value at fault; empty for the whole.
    public var path: [String]
    public var message: String
    /// A key that may have been meant.
    public var unknownKey: String?

    init(_ path: [String], _ message: String, unknownKey: String? = nil) {
        self.path = path
        self.message = message
        self.unknownKey = unknownKey
    }
}

extension Location {
    /// Reads a location from the fields of a styled state, or from a whole one: what is only about drawing it is not read.
    ///
    /// Beside `position` there may be plain `lat` and `lon`. Without `id` it is called `location`, without `source` it
    /// belongs to `default`, without `status` it is live.
    ///
    /// - Parameter now: Its time where the state names none.
    public init(styledState json: JSONValue, now: Timestamp) throws(LocationFault) {
        guard let object = json.object else { throw LocationFault([], "expected an object of a styled state's fields") }
        let reader = StateReader(object: object, path: [])
        try reader.check(keys: Self.readKeys + Self.ignoredKeys)
        let time = try reader.time("time") ?? now
        self.init(
            id: Identifier(try reader.text("id") ?? "location"),
            source: Identifier(try reader.text("source") ?? "default"), time: time)
        type = try reader.text("type")
        name = try reader.text("name")
        building = try reader.text("building")
        floor = try reader.floor("floor")
        if let inner = try reader.object("position") {
            try inner.check(keys: ["lat", "lon"])
            position = try inner.position()
        } else if object["lat"] != nil || object["lon"] != nil {
            position = try reader.position()
        }
        if let inner = try reader.object("rawPosition") {
            try inner.check(keys: ["lat", "lon"])
            rawPosition = try inner.position()
        }
        positionTime = try reader.time("positionTime")
        if let inner = try reader.object("lastPosition") {
            guard let last = try inner.position() else { throw LocationFault(inner.path, "expected lat and lon") }
            lastPosition = LastPosition(
                position: last, floor: try inner.floor("floor"), time: try inner.time("time") ?? time)
        }
        heading = try reader.number("heading", in: 0...360)
        speed = try reader.number("speed")
        averageSpeed = try reader.number("averageSpeed")
        accuracy = try reader.number("accuracy")
        altitude = try reader.number("altitude")
        charge = try reader.number("charge", in: 0...100)
        if let text = try reader.text("status") {
            guard let status = LocationStatus(rawValue: text) else {
                let known = LocationStatus.allCases.map(\.rawValue).joined(separator: ", ")
                throw LocationFault(["status"], "\"\(text)\" is no status; expected \(known)")
            }
            self.status = status
        }
        statusReason = try reader.text("statusReason") ?? ""
        statusSince = try reader.time("statusSince") ?? time
        properties = try reader.object("properties")?.object ?? JSONObject()
        room = try reader.room(building: building)
        geometry = try reader.object("geometry")?.object
    }

    /// The keys that are read, for suggestions.
    public static let readKeys = [
        "id", "source", "type", "name", "building", "floor", "position", "lat", "lon", "rawPosition", "positionTime",
        "lastPosition",
        "heading", "speed", "averageSpeed", "accuracy", "altitude", "charge", "time", "status", "statusReason",
        "statusSince", "room",
        "geometry",
        "properties",
    ]
    private static let ignoredKeys = ["display", "projected"]
}

/// Takes values out of an object, and says where one is not what it should be. `null` is as good as nothing.
private struct StateReader {
    let object: JSONObject
    let path: [String]

    private func value(_ key: String) -> JSONValue? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    private func fault(_ key: String, _ what: String) -> LocationFault {
        LocationFault(path + [key], "expected \(what)")
    }

    func check(keys: [String]) throws(LocationFault) {
        for member in object.members where !keys.contains(where: { $0.hasSameBytes(as: member.key) }) {
            throw LocationFault(
                path + [member.key], "unknown field \"\(member.key)\"; what a device says beside belongs in properties",
                unknownKey: member.key)
        }
    }

    func text(_ key: String) throws(LocationFault) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else { throw fault(key, "a text") }
        return text
    }

    func number(_ key: String, in range: ClosedRange<Double>? = nil) throws(LocationFault) -> Double? {
        guard let value = value(key) else { return nil }
        guard let number = value.number, range?.contains(number) != false else {
            throw fault(key, range.map { "a number from \(Int($0.lowerBound)) to \(Int($0.upperBound))" } ?? "a number")
        }
        return number
    }

    func floor(_ key: String) throws(LocationFault) -> Int? {
        guard let number = try number(key) else { return nil }
        guard let floor = Int(exactly: number) else { throw fault(key, "a floor's index, a whole number") }
        return floor
    }

    func time(_ key: String) throws(LocationFault) -> Timestamp? {
        guard let text = try text(key) else { return nil }
        guard let time = Timestamp(iso8601: text) else { throw fault(key, "a time such as 2026-11-29T12:00:00Z") }
        return time
    }

    func object(_ key: String) throws(LocationFault) -> StateReader? {
        guard let value = value(key) else { return nil }
        guard let object = value.object else { throw fault(key, "an object") }
        return StateReader(object: object, path: path + [key])
    }

    /// `{id, name}`, or the name alone.
    func room(building: String?) throws(LocationFault) -> Area? {
        guard let value = value("room") else { return nil }
        if let name = value.string { return Area(.room, id: Identifier(name), building: building) }
        guard let inner = try object("room") else { return nil }
        try inner.check(keys: ["id", "name"])
        guard let id = try inner.text("id") else { throw LocationFault(inner.path, "expected id and name") }
        return Area(.room, id: Identifier(id), name: try inner.text("name"), building: building)
    }

    func position() throws(LocationFault) -> Position? {
        guard let latitude = try number("lat") else {
            if value("lon") != nil { throw fault("lat", "a latitude beside the longitude") }
            return nil
        }
        guard let longitude = try number("lon") else { throw fault("lon", "a longitude beside the latitude") }
        guard let position = Position(latitude: latitude, longitude: longitude) else {
            throw LocationFault(path, "expected lat from -90 to 90 and lon from -180 to 180")
        }
        return position
    }
}
