internal import JSON
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
    /// Finds the rooms of observed locations whose source knows of none; `nil`: they are in no room.
    public var finder: (any AreaFinder)?

    public init(
        observes: Set<Identifier>, occupancy: Set<Identifier> = [], occupiedBy: Set<Identifier>? = nil,
        cleanedBy: Set<Identifier> = ["robot-vacuum"], type: String = "room", finder: (any AreaFinder)? = nil
    ) {
        (self.observes, self.occupancy) = (observes, occupancy)
        (self.occupiedBy, self.cleanedBy, self.type) = (occupiedBy, cleanedBy, type)
        self.finder = finder
    }

    public static func == (a: RoomAvailabilitySettings, b: RoomAvailabilitySettings) -> Bool {
        (a.observes, a.occupancy, a.occupiedBy, a.cleanedBy) == (b.observes, b.occupancy, b.occupiedBy, b.cleanedBy)
            && a.type.hasSameBytes(as: b.type) && isSame(a.finder, b.finder)
    }

    private static func isSame(_ a: (any AreaFinder)?, _ b: (any AreaFinder)?) -> Bool {
        switch (a, b) {
        case (nil, nil): true
        case (let a?, let b?): a === b || a.finds(theSameAs: b)
        default: false
        }
    }

    func isObserved(_ source: Identifier) -> Bool { observes.contains(source) || occupancy.contains(source) }
}
