public import Geometry
public import JSON

extension Venue {
    /// The plan as one FeatureCollection, for drawing: levels, units and openings with IMDF's properties, and with `floor`, the
    /// index that locations have.
    public var geoJSON: JSONValue {
        let features =
            levels.map { level in
                Self.feature(
                    "level", level.id, level.outline.geoJSON,
                    [
                        ("name", level.name.map { .string($0) }), ("short_name", level.shortName.map { .string($0) }),
                        ("ordinal", level.ordinal.map { .number(Double($0)) }),
                        ("floor", .number(Double(level.floor))),
                    ])
            }
            + units.map { unit in
                Self.feature(
                    "unit", unit.id, unit.outline.geoJSON,
                    [
                        ("name", unit.name.map { .string($0) }), ("category", unit.category.map { .string($0) }),
                        ("level_id", .string(unit.levelID)), ("floor", .number(Double(unit.floor))),
                        ("display_point", ["type": "Point", "coordinates": unit.displayPoint.geoJSON]),
                    ])
            }
            + openings.map { opening in
                Self.feature(
                    "opening", opening.id,
                    ["type": "LineString", "coordinates": .array(opening.line.map(\.geoJSON))],
                    [
                        ("name", opening.name.map { .string($0) }),
                        ("category", opening.category.map { .string($0) }), ("level_id", .string(opening.levelID)),
                        ("floor", .number(Double(opening.floor))),
                    ])
            }
        return ["type": "FeatureCollection", "features": .array(features)]
    }

    private static func feature(
        _ type: String, _ id: String, _ geometry: JSONValue, _ properties: [(String, JSONValue?)]
    ) -> JSONValue {
        let known = properties.compactMap { key, value in value.map { (key, $0) } }
        return [
            "type": "Feature", "id": .string(id), "feature_type": .string(type), "geometry": geometry,
            "properties": .object(JSONObject(known)),
        ]
    }
}

extension GeographicArea {
    /// A Polygon, or a MultiPolygon where there are several.
    public var geoJSON: JSONValue {
        let coordinates = polygons.map { polygon in
            JSONValue.array(polygon.map { ring in .array((ring + ring.prefix(1)).map(\.geoJSON)) })
        }
        return coordinates.count == 1
            ? ["type": "Polygon", "coordinates": coordinates[0]]
            : ["type": "MultiPolygon", "coordinates": .array(coordinates)]
    }
}

extension Position {
    fileprivate var geoJSON: JSONValue { [.number(longitude), .number(latitude)] }
}
