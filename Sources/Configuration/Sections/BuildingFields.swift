internal import JSON
internal import Locations
internal import SettingsFile
internal import YAML

/// An entry of `buildings` as it was read.
struct BuildingDraft {
    var name: String
    var floors: FloorTable?
    var venue: (value: String, node: YAMLNode)?
    var zones: [ZoneDraft] = []

    static var mapping: Mapping<BuildingDraft> {
        Mapping(fields: [
            Field("floors", .floors, \.floors, "Floor indices by name."),
            Field("venue", .text, "Its plan: a GeoJSON file with IMDF's property names, or a folder of IMDF files.") {
                $0.venue = ($1, $2)
            },
            Field("zones", .zones(building: ""), \.zones, "Zones in the building, by id."),
        ])
    }
}

extension ValueKind where Value == [BuildingDraft] {
    /// The mapping of building names to buildings.
    static var buildings: ValueKind {
        .named(
            "a mapping of buildings: name, colon, settings", key: "a building's name", BuildingDraft.mapping.schema
        ) { entry, context in
            var draft = BuildingDraft(name: entry.key)
            BuildingDraft.mapping.read(entry.value, into: &draft, context)
            return draft
        }
    }
}
