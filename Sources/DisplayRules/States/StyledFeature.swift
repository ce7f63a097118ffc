internal import Expressions
public import Geometry
public import JSON
public import Locations

/// A location as a GeoJSON feature (RFC 7946): its styled state, flat, with the members of simplestyle (1.1.0), by which many
/// tools draw.
public enum StyledFeature {
    /// Names that a device's own properties cannot take.
    private static let taken = Set(
        [
            "id", "source", "type", "name", "building", "floor", "position", "rawPosition", "heading", "speed",
            "averageSpeed", "accuracy", "altitude", "charge", "time", "positionTime", "lastPosition", "room",
            "projected", "status", "statusReason",
            "statusSince", "title", "marker-color", "marker-symbol",
        ] + DisplayProperty.known.map(\.name))

    /// - Parameters:
    ///   - projected: The location's position in the map's own coordinate system.
    ///   - withProperties: Whether what else the device says is written, too; without it, a location that is more than a point is
    ///     the point of its position.
    public static func write(
        _ location: Location, _ display: Display, _ projected: ProjectedPosition?, withProperties: Bool,
        to writer: inout JSONWriter
    ) {
        let values = display.values
        writer.beginObject()
        writer.key("type")
        writer.string("Feature")
        writer.member("id", location.id.text)
        writer.key("geometry")
        if withProperties, let geometry = location.geometry {
            writer.object(geometry)
        } else if let position = location.position {
            writer.beginObject()
            writer.key("type")
            writer.string("Point")
            writer.key("coordinates")
            writer.beginArray()
            writer.number(position.longitude)
            writer.number(position.latitude)
            writer.endArray()
            writer.endObject()
        } else {
            writer.null()
        }
        writer.key("properties")
        writer.continueObject(StyledState.Head(location).bytes)
        _ = StyledState.writeReadings(of: location, projected, to: &writer)
        for item in values {
            writer.key(item.property)
            writer.value(item.value.displayJSON)
        }
        if withProperties {
            for member in location.properties.members
            where !taken.contains(member.key) && !values.contains(where: { $0.property.hasSameBytes(as: member.key) }) {
                writer.key(member.key)
                writer.value(member.value)
            }
        }
        writeSimpleStyle(location, values, to: &writer)
        writer.endObject()
        writer.endObject()
    }

    private static func writeSimpleStyle(_ location: Location, _ values: [Display.Item], to writer: inout JSONWriter) {
        func text(_ property: StaticString) -> String? {
            let text = values.first { $0.property == property.description }?.value.displayJSON.string
            return text.flatMap { $0.isEmpty ? nil : $0 }
        }
        writer.member("title", text("label") ?? location.displayName)
        // Without opacity, for which simplestyle has no place in a colour.
        writer.member("marker-color", text("iconColor").map { String($0.prefix(7)) })
        writer.member("marker-symbol", text("icon"))
    }
}
