internal import Geometry
internal import JSON
internal import Locations
internal import SettingsFile
internal import YAML

/// An entry of `zones` as it was read.
struct ZoneDraft {
    var id: String
    var place: YAMLPlace
    var name: String?
    var building: (value: String, node: YAMLNode)?
    var floor: (value: ReportedFloor, node: YAMLNode)?
    /// The outer ring alone.
    var polygon: (value: [Position], node: YAMLNode)?
    var file: (value: String, node: YAMLNode)?
    /// One of the two is there, whether it could be read or not.
    var hasOutline = false

    /// - Parameter building: Whose zones they are; `nil`: those of the whole site, which may name one.
    static func mapping(building: String?) -> Mapping<ZoneDraft> {
        let own: [Field<ZoneDraft>] =
            building == nil
            ? [Field("building", .text, "The building whose locations can be in it.") { $0.building = ($1, $2) }] : []
        return Mapping(
            fields: [
                Field("name", .text, \.name, "What it is called in events.")
            ] + own + [
                Field("floor", .floor, "The only floor that it is on: an index, or a name of the building's.") {
                    $0.floor = ($1, $2)
                },
                Field("polygon", .corners, "Its corners, one after another.") { $0.polygon = ($1, $2) },
                Field("file", .text, "A GeoJSON file with its polygons.") { $0.file = ($1, $2) },
            ])
    }
}

extension ValueKind where Value == [ZoneDraft] {
    /// The mapping of zone ids to zones.
    static func zones(building: String?) -> ValueKind {
        .named(
            "a mapping of zones: id, colon, settings", key: "a zone's id", ZoneDraft.mapping(building: building).schema
        ) { entry, context in
            var draft = ZoneDraft(id: entry.key, place: entry.keyPlace)
            draft.hasOutline = entry.value.mapping?.contains { ["polygon", "file"].contains($0.key) } ?? false
            ZoneDraft.mapping(building: building).read(entry.value, into: &draft, context)
            return draft
        }
    }
}

extension ValueKind where Value == [Position] {
    /// `[{lat: 57.0583, lon: 9.9504}, …]`, three at least.
    static var corners: ValueKind {
        ValueKind<[(value: Position, node: YAMLNode)]>.list(of: .position).then { corners, node, context in
            // What could not be read has been reported.
            guard corners.count == node.sequence?.count else { return nil }
            var positions = corners.map(\.value)
            if positions.count > 3, positions.first == positions.last { positions.removeLast() }
            guard positions.count >= 3 else {
                context.error(node, "a polygon has three corners or more")
                return nil
            }
            return positions
        }
    }
}

/// How locations get into rooms and zones.
struct PresenceDraft {
    var dwell = Duration.seconds(2)
    var margin = 0.5

    static var mapping: Mapping<PresenceDraft> {
        Mapping(fields: [
            Field(
                "dwell", .duration(in: .zero ... .seconds(86_400)), \.dwell,
                "How long a location must be in a room or zone, or out of it, before that is told."),
            Field(
                "margin", .number("metres from 0 to 1000", in: 0...1_000), \.margin,
                "Metres beyond a room's border from which on the other room counts at once."),
        ])
    }
}
