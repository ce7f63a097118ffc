internal import JSON
internal import Locations
internal import Timestamps

/// What rules may read of a location, as it was when they were evaluated last. Its id and source are not here: they stay.
struct LocationInputs: Sendable {
    private(set) var name, type, building: String?
    private(set) var floor: Int?
    /// As bits: so an unknown number takes no more room, and comparing them is comparing integers.
    private var latitude, longitude, heading, speed, averageSpeed, accuracy, altitude, charge: UInt64
    private var time: Timestamp
    private var status: LocationStatus
    private var room: Area?
    /// Empty where no rule reads any.
    private var properties = JSONObject()

    init(_ location: Location, _ table: InputTable) {
        (name, type, building, floor) = (location.name, location.type, location.building, location.floor)
        latitude = Self.bits(location.position?.latitude)
        longitude = Self.bits(location.position?.longitude)
        heading = Self.bits(location.heading)
        speed = Self.bits(location.speed)
        averageSpeed = Self.bits(location.averageSpeed)
        accuracy = Self.bits(location.accuracy)
        altitude = Self.bits(location.altitude)
        charge = Self.bits(location.charge)
        (time, status, room) = (location.time, location.status, location.room)
        if table.readsProperties { properties = location.properties }
    }

    /// Whether what rules match by is as it was.
    func match(_ location: Location) -> Bool {
        floor == location.floor && type.hasSameBytes(as: location.type) && building.hasSameBytes(as: location.building)
    }

    /// Takes in how the location is now.
    ///
    /// - Returns: What has changed.
    mutating func take(_ location: Location, _ table: InputTable) -> InputSet {
        var changed = InputSet()
        Self.take(location.name, &name, .name, &changed)
        Self.take(location.type, &type, .type, &changed)
        Self.take(location.building, &building, .building, &changed)
        if floor != location.floor {
            floor = location.floor
            changed.insert(.field(.floor))
        }
        Self.take(location.position?.latitude, &latitude, .lat, &changed)
        Self.take(location.position?.longitude, &longitude, .lon, &changed)
        Self.take(location.heading, &heading, .heading, &changed)
        Self.take(location.speed, &speed, .speed, &changed)
        Self.take(location.averageSpeed, &averageSpeed, .averageSpeed, &changed)
        Self.take(location.accuracy, &accuracy, .accuracy, &changed)
        Self.take(location.altitude, &altitude, .altitude, &changed)
        Self.take(location.charge, &charge, .charge, &changed)
        if time != location.time {
            time = location.time
            changed.insert(.field(.time))
        }
        if status != location.status {
            status = location.status
            changed.insert(.field(.status))
        }
        if room !== location.room {
            if !Area.same(room, location.room) { changed.insert(.field(.room)) }
            room = location.room
        }
        if table.readsProperties, !properties.hasSameStorage(as: location.properties) {
            take(location.properties, table, &changed)
        }
        return changed
    }

    private mutating func take(_ new: JSONObject, _ table: InputTable, _ changed: inout InputSet) {
        for (number, name) in table.properties.enumerated() where properties[name] != new[name] {
            changed.insert(.property(number))
        }
        if table.readsAllProperties, properties != new { changed.insert(.properties) }
        properties = new
    }

    private static func take(
        _ new: String?, _ known: inout String?, _ field: LocationFeature.Field, _ changed: inout InputSet
    ) {
        guard !known.hasSameBytes(as: new) else { return }
        known = new
        changed.insert(.field(field))
    }

    private static func take(
        _ new: Double?, _ known: inout UInt64, _ field: LocationFeature.Field, _ changed: inout InputSet
    ) {
        let new = bits(new)
        guard known != new else { return }
        known = new
        changed.insert(.field(field))
    }

    /// All ones, which no arithmetic yields, stand for unknown.
    private static func bits(_ number: Double?) -> UInt64 { number?.bitPattern ?? .max }
}

extension Area {
    fileprivate static func same(_ a: Area?, _ b: Area?) -> Bool {
        if let a, let b { a.isSame(as: b) } else { a == nil && b == nil }
    }
}
