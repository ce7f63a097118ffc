internal import Geometry

extension Device {
    /// Where rooms and zones find the location; `nil` while its position is not known.
    private var place: Place? { location.position.map { place(at: $0) } }

    /// A position on the floor that the location is on.
    func place(at position: Position) -> Place {
        Place(position: position, building: location.building, floor: location.floor)
    }

    /// Finds the room and the zones that the location is in, as it is judged now.
    ///
    /// - Returns: What is to be told.
    func findAreas(_ presence: Presence, _ settings: FixedSettings, at now: Duration) -> [AreaChange] {
        guard let areas = settings.areas else { return [] }
        let changes = presence.follow(place, accuracy: location.accuracy, fixedAt: fixedAt, areas, at: now)
        // A location that is nowhere is in no room.
        location.room = location.position == nil ? nil : presence.room
        return changes
    }

    func restoreAreas(_ settings: FixedSettings, at now: Duration) {
        guard let presence, let areas = settings.areas else {
            location.room = nil
            return
        }
        presence.restore(location.room, at: place, areas, at: now)
        location.room = location.position == nil ? nil : presence.room
    }
}
