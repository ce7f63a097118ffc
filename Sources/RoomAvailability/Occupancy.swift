internal import JSON
internal import Locations
internal import Timestamps

/// Who is in which room.
struct Occupancy {
    let rooms: [Identifier: Room]
    let settings: RoomAvailabilitySettings
    private(set) var states: [Identifier: RoomState] = [:]
    /// The rooms' ids by their names, where only one has it.
    private let ids: [Identifier: Identifier]
    private var stays: [LocationReference: Stay] = [:]

    private struct Stay: Equatable {
        let room: Identifier
        let role: Role
    }

    /// - Parameter earlier: What was known of rooms before: who is in them is left to a survey, since when they are as they are
    ///   goes on.
    init(_ rooms: [Room], _ settings: RoomAvailabilitySettings, after earlier: Occupancy? = nil, at now: Timestamp) {
        self.rooms = Dictionary(rooms.map { ($0.id, $0) }) { first, _ in first }
        self.settings = settings
        ids = Dictionary(grouping: rooms) { Identifier($0.name) }.compactMapValues { $0.count == 1 ? $0[0].id : nil }
        for id in self.rooms.keys { states[id] = earlier?.states[id] ?? RoomState(since: now) }
        empty()
    }

    /// Nobody is anywhere, until they are taken again.
    mutating func empty() {
        stays = [:]
        for id in rooms.keys { states[id]?.empty() }
    }

    /// A location is as it is now.
    ///
    /// - Returns: The rooms in which something may be different.
    mutating func take(_ location: Location, from source: any LocationSource) -> Set<Identifier> {
        let room = location.room ?? (source is TelemetrySource ? nil : findRoom(of: location))
        return move(LocationReference(location), to: stay(of: location, in: room))
    }

    /// What devices' reports feed finds rooms by itself, with its margin and dwell time; a source of somebody's own need not.
    /// A location that is an area itself, such as a room, is in none.
    private func findRoom(of location: Location) -> Area? {
        guard let finder = settings.finder, let position = location.position, location.geometry == nil else {
            return nil
        }
        return finder.room(at: Place(position: position, building: location.building, floor: location.floor))
    }

    /// A location is gone.
    mutating func leave(_ observed: LocationReference) -> Set<Identifier> { move(observed, to: nil) }

    private mutating func move(_ observed: LocationReference, to stay: Stay?) -> Set<Identifier> {
        let old = stays[observed]
        guard old != stay else { return [] }
        stays[observed] = stay
        var touched: Set<Identifier> = []
        if let old {
            states[old.room]?.remove(observed, as: old.role)
            touched.insert(old.room)
        }
        if let stay {
            states[stay.room]?.add(observed, as: stay.role)
            touched.insert(stay.room)
        }
        return touched
    }

    /// Takes over what is true of a room now.
    ///
    /// - Returns: Whether anything is to be told.
    mutating func settle(_ room: Identifier, at now: Timestamp) -> Bool { states[room]?.settle(at: now) ?? false }

    /// A room is as it was, so it has been so since then.
    mutating func resume(_ room: Identifier, _ availability: Availability, since: Timestamp) {
        if states[room]?.availability == availability { states[room]?.since = since }
    }

    // MARK: What a location means

    /// `nil` where it is in no room that counts.
    private func stay(of location: Location, in area: Area?) -> Stay? {
        if settings.occupancy.contains(location.source) {
            let name = location.name.map { Identifier($0) }
            let room = rooms[location.id]?.id ?? ids[location.id] ?? name.flatMap { ids[$0] }
            return room.map { Stay(room: $0, role: .sensor(reading(of: location))) }
        }
        guard location.status == .live || location.status == .stale, location.position != nil,
            let area, let room = rooms[area.id], isSame(area.building, room.building)
        else { return nil }
        return Stay(room: room.id, role: role(of: location))
    }

    /// Ids of rooms may be the same in two buildings.
    private func isSame(_ building: String?, _ other: String) -> Bool {
        building.map { Identifier($0) == Identifier(other) } ?? true
    }

    private func role(of location: Location) -> Role {
        let type = location.type.map { Identifier($0) }
        let cleans = type.map { settings.cleanedBy.contains($0) } ?? false
        let occupies = settings.occupiedBy.map { wanted in type.map { wanted.contains($0) } ?? false } ?? !cleans
        if occupies { return .occupant }
        // Who says what he does cleans only while he says so.
        let state = location.properties["state"]?.string
        return cleans && (state == nil || state == "cleaning") ? .cleaner : .bystander
    }

    /// A sensor that is silent says nothing.
    private func reading(of location: Location) -> Reading? {
        guard location.status == .live else { return nil }
        let properties = location.properties
        let count = properties["occupants"]?.number.flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
        let isOccupied: Bool? =
            switch (properties["occupied"], properties["state"]?.string) {
            case (.bool(let occupied)?, _): occupied
            case (_, "occupied"?): true
            case (_, "free"?), (_, "cleaning"?): false
            default: count.map { $0 > 0 }
            }
        return isOccupied.map { Reading(isOccupied: $0, occupants: $0 ? count : nil) }
    }
}
