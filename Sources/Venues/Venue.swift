public import Geometry

/// The plan of one building: its floors, what they are divided into, and the doors between.
///
/// Everything is in degrees as the file has it, and in metres in the building's own ``frame``, in which distances and
/// borders are computed.
public struct Venue: Sendable, Hashable {
    /// The building's name in the configuration.
    public var building: String
    /// Metres east and north of the middle of the building.
    public var frame: MapFrame
    /// From the lowest floor up.
    public var levels: [VenueLevel]
    /// In the order of the file.
    public var units: [VenueUnit]
    public var openings: [Opening]
    public var routes: [Route] = []

    public func units(onFloor floor: Int) -> [VenueUnit] { units.filter { $0.floor == floor } }

    public func openings(onFloor floor: Int) -> [Opening] { openings.filter { $0.floor == floor } }

    public func routes(onFloor floor: Int) -> [Route] { routes.filter { $0.floor == floor } }
}

/// A floor (IMDF: `level`).
public struct VenueLevel: Sendable, Hashable {
    public var id: String
    public var name: String?
    public var shortName: String?
    /// Floors above the ground floor, as the file counts them; `nil` where it does not.
    public var ordinal: Int?
    /// Index in the sense of MapsIndoors, as locations have it.
    public var floor: Int
    public var outline: GeographicArea
}

/// A part of a floor (IMDF: `unit`): a room, a corridor, a stairway.
public struct VenueUnit: Sendable, Hashable {
    public var id: String
    public var name: String?
    /// IMDF's category: `room`, `walkway`, `stairs`, `elevator`, `opentobelow` and more; `nil` where the file names none.
    public var category: String?
    public var levelID: String
    /// Index in the sense of MapsIndoors.
    public var floor: Int
    public var outline: GeographicArea
    /// In the venue's frame.
    public var area: PlaneArea
    /// Where its name is to stand: the file's display point, else a place well inside.
    public var displayPoint: Position

    /// IMDF's categories of what nobody can be in: building material, and where there is no floor.
    public static let solid: Set<String> = [
        "brick", "column", "concrete", "drywall", "glass", "opentobelow", "structure", "wood",
    ]

    /// Whether a person or a vehicle can be in it.
    public var isWalkable: Bool { category.map { !Self.solid.contains($0) } ?? true }

    public var displayName: String { name ?? id }
}

/// A way through a wall (IMDF: `opening`): a door, a gate.
public struct Opening: Sendable, Hashable {
    public var id: String
    public var name: String?
    /// IMDF's category: `pedestrian`, `pedestrian.principal`, `service` and more.
    public var category: String?
    public var levelID: String
    /// Index in the sense of MapsIndoors.
    public var floor: Int
    public var line: [Position]
    /// The same in the venue's frame.
    public var points: [PlanePoint]
}

/// Lines that vehicles keep to. IMDF has no such feature type; its name and its properties are in IMDF's manner.
public struct Route: Sendable, Hashable {
    public var id: String
    public var name: String?
    public var levelID: String
    /// Index in the sense of MapsIndoors.
    public var floor: Int
    /// Each a line of at least two points, in the venue's frame.
    public var points: [[PlanePoint]]
}
