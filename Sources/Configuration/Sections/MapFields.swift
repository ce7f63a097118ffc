internal import Geometry
internal import JSON
internal import Locations
internal import SettingsFile
internal import YAML

/// An entry of `maps` as it was read.
struct MapDraft {
    var name: String
    var place: YAMLPlace
    var building: (value: String, node: YAMLNode)?
    var floor: (value: ReportedFloor, node: YAMLNode)?
    var transform = MapFit.Transform.similarity
    var transformPlace: YAMLPlace?
    /// `nil` where one could not be read.
    var controlPoints: (value: [(value: ControlPoint, node: YAMLNode)], node: YAMLNode)?
    var origin: (value: Position, node: YAMLNode)?
    var rotation = 0.0
    var scale = 1.0
    /// Of `rotation` or `scale`.
    var laidPlace: YAMLPlace?
    /// The keys that are there, whether they could be read or not.
    var keys: [String] = []

    static var mapping: Mapping<MapDraft> {
        Mapping(fields: [
            Field("building", .text, "The building that the map is of.") { $0.building = ($1, $2) },
            Field("floor", .floor, "The floor that it shows: an index, or a name among the building's floors.") {
                $0.floor = ($1, $2)
            },
            Field("transform", .choice, "What may be done to the plan: similarity or affine.") {
                ($0.transform, $0.transformPlace) = ($1, $2.place)
            },
            Field(
                "controlPoints", .list(of: .controlPoint), "Points that are known on the plan and on the earth."
            ) { $0.controlPoints = ($1, $2) },
            Field("origin", .position, "Where the plan's 0, 0 is, in the place of control points.") {
                $0.origin = ($1, $2)
            },
            Field(
                "rotation", .number("a direction in degrees, from -360 to 360", in: -360...360),
                "The direction of the plan's y axis: degrees clockwise from true north."
            ) { ($0.rotation, $0.laidPlace) = ($1, $2.place) },
            Field(
                "scale", .number("metres in a unit of the plan, more than 0", in: 1e-6...1e6),
                "Metres in one of the plan's units."
            ) { ($0.scale, $0.laidPlace) = ($1, $2.place) },
        ])
    }
}

extension ValueKind where Value == [MapDraft] {
    /// The mapping of map names to maps.
    static var maps: ValueKind {
        .named(
            "a mapping of maps: name, colon, settings", key: "a map's name", MapDraft.mapping.schema
        ) { entry, context in
            var draft = MapDraft(name: entry.key, place: entry.keyPlace)
            draft.keys = entry.value.mapping?.map(\.key) ?? []
            MapDraft.mapping.read(entry.value, into: &draft, context)
            return draft
        }
    }
}

/// Numbers that are read one by one, and are of use only together.
private struct Coordinates {
    var x: Double?
    var y: Double?
    var lat: Double?
    var lon: Double?

    static var degrees: [Field<Coordinates>] {
        [
            Field("lat", .number("a latitude from -90 to 90", in: -90...90), "Degrees north, WGS 84.", required: true) {
                coordinates, lat, _ in coordinates.lat = lat
            },
            Field(
                "lon", .number("a longitude from -180 to 180", in: -180...180), "Degrees east, WGS 84.", required: true
            ) {
                coordinates, lon, _ in coordinates.lon = lon
            },
        ]
    }

    static var plan: [Field<Coordinates>] {
        [
            Field("x", .number("a number", in: -1e9...1e9), "The plan's units along x.", required: true) {
                coordinates, x, _ in coordinates.x = x
            },
            Field("y", .number("a number", in: -1e9...1e9), "The plan's units along y.", required: true) {
                coordinates, y, _ in coordinates.y = y
            },
        ]
    }

    var position: Position? {
        guard let lat, let lon else { return nil }
        return Position(latitude: lat, longitude: lon)
    }
}

extension ValueKind where Value == ControlPoint {
    /// `{x: 0, y: 0, lat: 57.05825, lon: 9.95048}`
    static var controlPoint: ValueKind {
        let mapping = Mapping<Coordinates>(fields: Coordinates.plan + Coordinates.degrees)
        return ValueKind<Coordinates>.mapping(mapping, startingWith: Coordinates()).then { point, _, _ in
            guard let x = point.x, let y = point.y, let position = point.position else { return nil }
            return ControlPoint(x: x, y: y, position: position)
        }
    }
}

extension ValueKind where Value == Position {
    /// `{lat: 57.05825, lon: 9.95048}`
    static var position: ValueKind {
        let mapping = Mapping<Coordinates>(fields: Coordinates.degrees)
        return ValueKind<Coordinates>.mapping(mapping, startingWith: Coordinates()).then { point, _, _ in
            point.position
        }
    }
}

extension ValueKind where Value == ReportedFloor {
    /// An index, or a name in a table of floors.
    static var floor: ValueKind {
        .scalar("a floor's index or name", schema: ["type": ["integer", "string"]]) { value, text in
            switch value {
            case .integer(let index) where abs(index) <= 1_000_000: .number(Double(index))
            case .text where !text.isEmpty: .text(text)
            default: nil
            }
        }
    }
}
