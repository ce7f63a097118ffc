import JSON
import Locations
import Venues

/// Venue files drawn in hundred-thousandths of a degree from 57, 9: 1 is 1.11 m north and 0.61 m east.
enum Drawing {
    static func level(_ id: String = "l0", _ properties: String = #""ordinal":0"#, _ coordinates: String? = nil)
        -> String
    {
        feature("level", id, polygon(coordinates ?? ring(0, 0, 100, 100)), properties)
    }

    static func unit(_ id: String, _ coordinates: String, _ properties: String = "", level: String = "l0") -> String {
        feature(
            "unit", id, polygon(coordinates), #""level_id":"\#(level)""# + (properties.isEmpty ? "" : "," + properties))
    }

    static func feature(_ type: String, _ id: String, _ geometry: String, _ properties: String) -> String {
        #"{"type":"Feature","id":"\#(id)","feature_type":"\#(type)","geometry":\#(geometry),"properties":{\#(properties)}}"#
    }

    static func polygon(_ rings: String) -> String { #"{"type":"Polygon","coordinates":[\#(rings)]}"# }

    static func ring(_ east0: Double, _ north0: Double, _ east1: Double, _ north1: Double) -> String {
        ring([(east0, north0), (east1, north0), (east1, north1), (east0, north1), (east0, north0)])
    }

    static func ring(_ points: [(Double, Double)]) -> String {
        "["
            + points.map { "[\(JSONNumber.text(of: 9 + $0 / 1e5)),\(JSONNumber.text(of: 57 + $1 / 1e5))]" }.joined(
                separator: ",") + "]"
    }

    static func collection(_ features: [String]) -> [UInt8] {
        Array(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#.utf8)
    }

    static func read(
        _ features: [String], floors: [String: Int] = [:]
    ) -> (venue: Venue?, faults: [String]) {
        let reader = VenueReader(building: "B") { floors[$0] }
        reader.read(collection(features), name: "v.geojson")
        let venue = reader.finish()
        return (venue, reader.faults.map(\.description))
    }

    static func place(_ east: Double, _ north: Double, floor: Int? = 0, building: String? = "B") -> Place {
        Place(position: .drawn(east, north), building: building, floor: floor)
    }
}
