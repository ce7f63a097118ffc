public import Geometry
public import JSON
public import Locations
public import Venues

/// A room whose availability is to be known.
public struct Room: Sendable, Equatable {
    /// As the plan has it.
    public var id: Identifier
    public var name: String
    public var building: String
    /// Index in the sense of MapsIndoors.
    public var floor: Int
    /// A GeoJSON Polygon or MultiPolygon.
    public var geometry: JSONObject
    /// Inside of it, for its icon.
    public var displayPoint: Position

    public init(
        id: Identifier, name: String, building: String, floor: Int, geometry: JSONObject, displayPoint: Position
    ) {
        (self.id, self.name, self.building, self.floor) = (id, name, building, floor)
        (self.geometry, self.displayPoint) = (geometry, displayPoint)
    }

    public init(_ unit: VenueUnit, building: String) {
        self.init(
            id: Identifier(unit.id), name: unit.displayName, building: building, floor: unit.floor,
            geometry: unit.outline.geoJSON.object ?? JSONObject(), displayPoint: unit.displayPoint)
    }
}

/// Whether a room can be used. Raw values are published, so they never change.
public enum Availability: String, Sendable {
    case occupied, free
    /// Nobody is in it but somebody who cleans.
    case cleaning
}
