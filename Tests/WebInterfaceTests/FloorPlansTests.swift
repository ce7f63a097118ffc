import Foundation
import JSON
import Testing
import Venues

@testable import WebInterface

@Suite("Floor plans over HTTP")
struct FloorPlansTests {
    @Test("Every area says its building, kind and floor, and what the floor is called")
    func example() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "examples/venue.geojson")
        let reader = VenueReader(building: "Stigsborgvej") { ["Mezzanine": 1][$0] }
        reader.read([UInt8](try Data(contentsOf: file)), name: "venue.geojson")
        let finished = reader.finish()
        let faults = reader.faults.filter { !$0.isWarning }.map(\.description)
        #expect(faults == [])
        let venue = try #require(finished)
        let features = FloorPlans.document([venue]).object?["features"]?.array ?? []
        #expect(features.count == venue.levels.count + venue.units.count + venue.openings.count)
        let properties = features.compactMap { $0.object?["properties"]?.object }
        #expect(properties.count == features.count)
        #expect(properties.allSatisfy { $0["building"] == "Stigsborgvej" && $0["floor"]?.number != nil })
        #expect(properties.count { $0["kind"] == "floor" } == venue.levels.count)
        #expect(properties.contains { $0["kind"] == "walkway" })
        #expect(properties.contains { $0["floorName"]?.string != nil })
    }

    @Test("Without a plan there are no features") func none() {
        #expect(FloorPlans.document([]) == ["type": "FeatureCollection", "features": []])
    }
}
