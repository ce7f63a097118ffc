public import Locations

/// What makes rooms occupied.
public struct RoomAvailabilitySettings: Sendable, Equatable {
    /// The sources whose locations are in rooms.
    public var observes: Set<Identifier>
    /// The sources whose locations are sensors of rooms: each is called as its room, by id or by name, and says `occupied`,
    /// `occupants` or `state`.
    public var occupancy: Set<Identifier>
    /// The types of locations that occupy a room; `nil`: all that do not clean.
    public var occupiedBy: Set<Identifier>?
    /// The types of locations that clean the room they are in.
    public var cleanedBy: Set<Identifier>
    /// Of the rooms.
    public var type: String

    public init(
        observes: Set<Identifier>, occupancy: Set<Identifier> = [], occupiedBy: Set<Identifier>? = nil,
        cleanedBy: Set<Identifier> = ["robot-vacuum"], type: String = "room"
    ) {
        (self.observes, self.occupancy) = (observes, occupancy)
        (self.occupiedBy, self.cleanedBy, self.type) = (occupiedBy, cleanedBy, type)
    }

    func isObserved(_ source: Identifier) -> Bool { observes.contains(source) || occupancy.contains(source) }
}
