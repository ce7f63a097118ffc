internal import FleetEngine
internal import JSON
internal import Venues

/// The plans of all buildings as one FeatureCollection, for drawing: beside IMDF's properties each area says of which
/// `building` it is, what `kind` it is (`floor`, or a unit's category), and what its floor is called.
enum FloorPlans {
    static func document(_ venues: [Venue]) -> JSONValue {
        ["type": "FeatureCollection", "features": .array(venues.flatMap(features))]
    }

    private static func features(of venue: Venue) -> [JSONValue] {
        let floorNames = Dictionary(venue.levels.map { ($0.floor, $0.name ?? $0.shortName) }) { first, _ in first }
        return (venue.geoJSON.object?["features"]?.array ?? []).compactMap { feature in
            guard var object = feature.object, let properties = object["properties"]?.object else { return nil }
            let type = object["feature_type"]?.string
            var members = properties.members.map { ($0.key, $0.value) }
            members.append(("building", .string(venue.building)))
            let kind = type == "level" ? "floor" : type == "unit" ? properties["category"]?.string : type
            members.append(("kind", .string(kind ?? "room")))
            let floor = properties["floor"]?.number.flatMap { Int(exactly: $0) }
            if let name = floor.flatMap({ floorNames[$0] ?? nil }) { members.append(("floorName", .string(name))) }
            // The floor's own name is that of the buttons; written over the plan it would say nothing.
            if type == "level" { members.removeAll { $0.0 == "name" } }
            object["properties"] = .object(JSONObject(members))
            return .object(object)
        }
    }
}
