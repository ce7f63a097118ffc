internal import DisplayRules
internal import FleetEngine
internal import JSON
internal import Locations

/// Locations as GeoJSON (RFC 7946): features as in the published snapshots.
enum FeatureCollection {
    /// - Parameter reference: What a reader of `/events` sends as `Last-Event-ID` to be told what changes from there on.
    static func write(_ locations: [ShownLocation], reference: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("type")
        writer.string("FeatureCollection")
        writer.key("features")
        writer.beginArray()
        for shown in locations.sorted(by: {
            ($0.location.source, $0.location.id) < ($1.location.source, $1.location.id)
        }) {
            StyledFeature.write(shown.location, shown.display, shown.projected, withProperties: true, to: &writer)
        }
        writer.endArray()
        writer.key("lastEventId")
        writer.string(reference)
        writer.endObject()
        return writer.bytes
    }
}
