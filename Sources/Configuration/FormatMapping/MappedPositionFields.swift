internal import JSON
internal import SettingsFile
internal import TelemetryFormats
internal import YAML

extension ValueKind where Value == MappedPosition {
    private struct Draft {
        var lat: [MappedNumber<CoordinateUnit>] = []
        var lon: [MappedNumber<CoordinateUnit>] = []
        var x: [MappedNumber<LengthUnit>] = []
        var y: [MappedNumber<LengthUnit>] = []
        var map: [MappedValue] = []
        var unit: String?
        var trim: String?
        var unknown: [JSONValue] = []
        var isPaired = false
    }

    private static var fields: Mapping<Draft> {
        let units = CoordinateUnit.allCases.map(\.rawValue) + LengthUnit.allCases.map(\.rawValue)
        return Mapping(fields: [
            Field("lat", MappingKinds.coordinate.kind, \.lat, "The latitude, WGS 84."),
            Field("lon", MappingKinds.coordinate.kind, \.lon, "The longitude, WGS 84."),
            Field("x", MappingKinds.length.kind, \.x, "To the right on a plan."),
            Field("y", MappingKinds.length.kind, \.y, "Upwards on a plan."),
            Field("map", MappingKinds.text.kind, \.map, "The name of the plan."),
            Field("unit", .word(of: units), \.unit, "The unit of both coordinates."),
            Field("trim", .text, \.trim, "Characters that are taken off both, together with blanks."),
            Field("unknown", .oneOrMore(of: .jsonScalar), \.unknown, "Values of either that mean: no fix."),
            Field("paired", .bool, \.isPaired, "Whether the two come in two messages."),
        ])
    }

    /// `{lat: /lat, lon: /lon}`, `{x: /x, y: /y, map: /map, unit: mm}` or `unknown`.
    static var position: ValueKind {
        let fields = fields
        return ValueKind(schema: ["anyOf": [["const": "unknown"], fields.schema]]) { node, context in
            if node.textIncludingEmpty == "unknown" { return MappedPosition(.unknown) }
            guard let entries = node.mapping else {
                context.expected("a position such as {lat: /lat, lon: /lon} or {x: /x, y: /y}, or unknown", node)
                return nil
            }
            var draft = Draft()
            fields.read(node, into: &draft, context)
            return position(draft, Set(entries.map(\.key)), node, context)
        }
    }

    private static func position(
        _ draft: Draft, _ keys: Set<String>, _ node: YAMLNode, _ context: Context
    ) -> MappedPosition? {
        let (degrees, metres) = (keys.intersection(["lat", "lon"]).count, keys.intersection(["x", "y"]).count)
        guard degrees == 0 || metres == 0 else {
            context.error(node, "both degrees and a plan; expected either lat and lon or x and y")
            return nil
        }
        let (isGeographic, count) = (degrees > 0, degrees + metres)
        guard count == (draft.isPaired ? 1 : 2) || (draft.isPaired && count == 2) else {
            context.error(
                node,
                count == 0
                    ? "no coordinate; expected lat and lon, or x and y"
                    : "one coordinate without the other; where they come in two messages, paired: true says so")
            return nil
        }
        if isGeographic, let entry = node.mapping?.first(where: { $0.key == "map" }) {
            context.error(at: entry.keyPlace, "degrees need no map")
            return nil
        }
        if isGeographic {
            guard let unit = unit(CoordinateUnit.self, draft, node, context) else { return nil }
            return MappedPosition(
                .geographic(
                    latitude: draft.lat.map { complete($0, unit, draft) },
                    longitude: draft.lon.map { complete($0, unit, draft) }),
                isPaired: draft.isPaired)
        }
        guard let unit = unit(LengthUnit.self, draft, node, context) else { return nil }
        return MappedPosition(
            .plan(
                x: draft.x.map { complete($0, unit, draft) }, y: draft.y.map { complete($0, unit, draft) },
                map: draft.map),
            isPaired: draft.isPaired)
    }

    private static func unit<Unit: MessageUnit>(
        _: Unit.Type, _ draft: Draft, _ node: YAMLNode, _ context: Context
    ) -> Unit? {
        guard let word = draft.unit else { return .base }
        if let unit = Unit(rawValue: word) { return unit }
        let place = node.mapping?.first { $0.key == "unit" }?.value.place ?? node.place
        context.error(
            at: place,
            "\"\(word)\" is no unit of these coordinates; expected one of "
                + Unit.allCases.map(\.rawValue).joined(separator: ", "))
        return nil
    }

    /// What a coordinate does not say itself holds for both.
    private static func complete<Unit>(
        _ number: MappedNumber<Unit>, _ unit: Unit, _ draft: Draft
    ) -> MappedNumber<Unit> {
        var number = number
        if number.unit == .base { number.unit = unit }
        if number.value.trim == nil { number.value.trim = draft.trim }
        if number.value.unknown.isEmpty { number.value.unknown = draft.unknown }
        return number
    }
}
