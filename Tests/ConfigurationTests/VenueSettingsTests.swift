import Configuration
import Foundation
import Geometry
import JSON
import Locations
import Testing
import Venues

private let source = #"sources: {a: {topics: ["a/{device}/telemetry"]}}"#

@Suite("Venues and zones")
struct VenueSettingsTests {
    private static let plan = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"l","feature_type":"level","geometry":{"type":"Polygon","coordinates":[[[9,57],[9.001,57],[9.001,57.001],[9,57.001],[9,57]]]},"properties":{"name":{"en":"First"},"ordinal":1}},
        {"type":"Feature","id":"r","feature_type":"unit","geometry":{"type":"Polygon","coordinates":[[[9,57],[9.001,57],[9.001,57.001],[9,57.001],[9,57]]]},"properties":{"name":{"en":"Hall"},"level_id":"l"}}]}
        """

    private func place(_ floor: Int, building: String? = "Works", latitude: Double = 57.0005) throws -> Place {
        Place(
            position: try #require(Position(latitude: latitude, longitude: 9.0005)), building: building, floor: floor)
    }

    @Test("A building's plan reaches every source, on the floors of the building's table")
    func venue() throws {
        let text = """
            buildings:
              Works: {floors: {Ground: 0, First: 5}, venue: works.geojson}
            presence: {dwell: 5s, margin: 1.5}
            \(source)
            """
        let files = ["works.geojson": file(Self.plan)]
        let engine = try configuration(text, surroundings(files: files)).engine
        #expect(engine.venues.map(\.building) == ["Works"] && engine.venues[0].units.map(\.floor) == [5])
        let areas = try #require(engine.sources[0].settings.areas)
        #expect(areas.dwell == .seconds(5) && areas.margin == 1.5)
        #expect(areas.finder.room(at: try place(5))?.name == "Hall")
        #expect(areas.finder.room(at: try place(10)) == nil)
        let information = outcome(text, surroundings(files: files)).information.map(\.description)
        #expect(
            information == [
                "fleet.yaml:2:49: info: buildings.Works.venue: 1 levels, 1 units, 0 openings; floors 5"
            ])
    }

    @Test("Without a plan and zones no source looks for any")
    func none() throws {
        #expect(try configuration(source).engine.sources[0].settings.areas == nil)
    }

    @Test("Zones are drawn in the file or in a GeoJSON file, on a floor or on all, in a building or not")
    func zones() throws {
        let polygon = #"{"type":"Polygon","coordinates":[[[9,57],[9.001,57],[9.001,57.001],[9,57]]]}"#
        let engine = try configuration(
            """
            buildings:
              Works:
                floors: {Ground: 0, First: 5}
                zones:
                  dock: {floor: First, polygon: [{lat: 57, lon: 9}, {lat: 57, lon: 9.001}, {lat: 57.001, lon: 9.001}, {lat: 57, lon: 9}]}
            zones:
              yard: {name: The yard, file: yard.geojson}
              gate: {building: Works, file: yard.geojson}
            \(source)
            """, surroundings(files: ["yard.geojson": file(polygon)])
        ).engine
        #expect(engine.zones.map(\.id) == ["dock", "yard", "gate"])
        #expect(engine.zones.map(\.floor) == [5, nil, nil])
        #expect(engine.zones.map(\.building) == ["Works", nil, "Works"])
        let finder = try #require(engine.sources[0].settings.areas?.finder)
        func ids(_ place: Place) -> [String] { finder.zones(at: place).map(\.id.text).sorted() }
        #expect(ids(try place(5, latitude: 57.0004)) == ["dock", "gate", "yard"])
        #expect(ids(try place(0, latitude: 57.0004)) == ["gate", "yard"])
        #expect(ids(try place(0, building: "Other", latitude: 57.0004)) == ["yard"])
    }

    @Test("Every fault of a plan is an error at the place of its name, with the file and the feature")
    func faults() {
        let broken = Self.plan.replacing(#""level_id":"l""#, with: #""level_id":"m""#)
            .replacing(
                "[9,57.001],[9,57]]]},\"properties\":{\"name\":{\"en\":\"Hall\"}",
                with: "[9,57.001]]]},\"properties\":{\"name\":{\"en\":\"Hall\"}")
        expect(
            "buildings: {Works: {venue: works.geojson}}\n\(source)",
            [
                (
                    "1:28",
                    ["buildings.Works.venue: works.geojson: unit \"r\": its level_id \"m\" is the id of no level"]
                ),
                ("1:28", ["works.geojson: unit \"r\": ring 1 is open"]),
            ], surroundings(files: ["works.geojson": file(broken)]))
        expect(
            "buildings: {Works: {venue: works.geojson}}\n\(source)",
            [("1:28", ["works.geojson cannot be read: No such file or directory"])])
    }

    @Test("A level that is on no floor of the building's table is warned about")
    func strangeFloor() {
        expect(
            "buildings: {Works: {floors: {Ground: 0}, venue: works.geojson}}\n\(source)",
            [("1:49", ["warning", "level \"l\" is floor 10, which is not among the building's floors"])],
            surroundings(files: ["works.geojson": file(Self.plan)]))
    }

    @Test("Zones without an outline, with two, with a floor that is not there or crossed edges are errors")
    func zoneFaults() {
        expect(
            """
            buildings:
              Works:
                floors: {Ground: 0}
                zones: {a: {floor: Attic, polygon: [{lat: 57, lon: 9}, {lat: 57, lon: 9.1}, {lat: 57.1, lon: 9}]}}
            zones:
              b: {name: B}
              c: {file: c.geojson, polygon: [{lat: 57, lon: 9}, {lat: 57, lon: 9.1}, {lat: 57.1, lon: 9}]}
              d: {polygon: [{lat: 57, lon: 9}, {lat: 57.1, lon: 9.1}]}
              e: {polygon: [{lat: 57, lon: 9}, {lat: 57.01, lon: 9.01}, {lat: 57, lon: 9.01}, {lat: 57.01, lon: 9}]}
              f: {file: f.geojson}
              g: {building: Wroks, polygon: [{lat: 57, lon: 9}, {lat: 57, lon: 9.1}, {lat: 57.1, lon: 9}]}
            \(source)
            """,
            [
                ("4:24", ["buildings.Works.zones.a.floor", "is not among the floors"]),
                ("6:3", ["zones.b", "a polygon, or a file"]),
                ("7:13", ["zones.c.file", "expected one of the two"]),
                ("8:16", ["zones.d.polygon", "three corners"]),
                ("9:16", ["zones.e.polygon", "ring 1 touches or crosses itself"]),
                ("10:13", ["zones.f.file", "cannot be read"]),
                ("11:17", ["zones.g.building", "did you mean \"Works\""]),
            ])
    }

    @Test("A source matches with the plans of all buildings, walkable ground or routes")
    func matching() throws {
        let route =
            Self.plan.dropLast(2) + """
                ,{"type":"Feature","id":"w","feature_type":"route","geometry":{"type":"LineString","coordinates":[[9,57],[9.001,57.001]]},"properties":{"level_id":"l"}}]}
                """
        let engine = try configuration(
            """
            buildings: {Works: {venue: works.geojson}}
            sources:
              a: {topics: ["a/{device}"], match: walkable}
              b: {topics: ["b/{device}"], match: route, building: Works}
              c: {topics: ["c/{device}"], match: none}
            """, surroundings(files: ["works.geojson": file(String(route))])
        ).engine
        let outside = try place(10, latitude: 57.001_1)
        func nearest(_ index: Int) -> Double? {
            engine.sources[index].settings.matching?.matcher.places(within: 50, of: outside).first?.distance
        }
        #expect(abs(try #require(nearest(0)) - 11.1) < 0.1)
        #expect(abs(try #require(nearest(1)) - 32) < 0.2)
        #expect(engine.sources[2].settings.matching == nil)
    }

    @Test("Matching without a plan, or without routes, is an error; a building without one is warned about")
    func matchingFaults() {
        let sources = """
            buildings: {Works: {venue: works.geojson}}
            sources:
              a: {topics: ["a/{device}"], match: walkable, building: Other}
              b: {topics: ["b/{device}"], match: route}
              c: {topics: ["c/{device}"], match: walkabel}
            """
        expect(
            sources,
            [
                ("3:38", ["warning", "sources.a.match", "\"Other\" has no plan"]),
                ("4:38", ["sources.b.match", "there is no plan with routes"]),
                ("5:38", ["sources.c.match", "walkable", "did you mean"]),
            ], surroundings(files: ["works.geojson": file(Self.plan)]))
        expect(
            #"sources: {a: {topics: ["a/{device}"], match: walkable}}"#, [("1:46", ["there is no plan to match with"])])
    }

    @Test("Of a plan that cannot be read nothing more is told: what needs it may be right")
    func brokenPlan() {
        let text = """
            buildings: {B: {venue: works.geojson}}
            sources: {a: {topics: ["a/{device}"], match: route, building: B}}
            """
        expect(text, [("1:24", ["works.geojson", "is not JSON"])], surroundings(files: ["works.geojson": file("{")]))
    }

    @Test("A folder of IMDF files is read; one without levels is said so")
    func folder() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "venue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = Self.plan.split(separator: "\n")
        func write(_ feature: Substring, _ name: String) throws {
            let text = feature.hasSuffix("]}") ? feature.dropLast(2) : feature.dropLast()
            try Data(#"{"type":"FeatureCollection","features":[\#(text)]}"#.utf8).write(
                to: folder.appending(path: name))
        }
        try write(lines[2], "unit.geojson")
        let text = "buildings: {Works: {venue: \(folder.path)}}\n\(source)"
        let missing = outcome(text, .system).diagnostics.map(\.description)
        #expect(missing.contains { $0.contains("has no level.geojson") }, "\(missing)")
        try write(lines[1], "level.geojson")
        let engine = try configuration(text, .system).engine
        #expect(engine.venues.first?.units.map(\.id) == ["r"])
    }

    @Test("The example's plan has a room for wherever the simulators' devices are")
    func example() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let outcome = ConfigurationReader().read(root.appending(path: "examples/venue.yaml").path)
        #expect(outcome.diagnostics.isEmpty, "\(outcome.diagnostics)")
        let engine = try #require(outcome.configuration).engine
        let finder = try #require(engine.sources[0].settings.areas?.finder)
        #expect(engine.venues[0].levels.map(\.floor) == [0, 1, 10, 20, 30])
        for (latitude, longitude) in [(57.0582502, 9.9504788), (57.058037, 9.950572)] {
            let base = try #require(Position(latitude: latitude, longitude: longitude))
            for floor in [0, 1, 10, 20, 30] {
                for (metres, bearing) in [(0.1, 0.0), (12, 45), (30, 0), (30, 80), (30, 170), (30, 260), (30, 300)] {
                    let position = try #require(base.destination(distance: metres, bearing: bearing))
                    let place = Place(position: position, building: "Stigsborgvej", floor: floor)
                    let isInside = finder.room(at: place) != nil
                    // The gallery's light well has no floor.
                    let well = engine.venues[0].units(onFloor: floor).first { $0.category == "opentobelow" }
                    let point = try #require(engine.venues[0].frame.point(of: position))
                    #expect(isInside || well?.area.contains(point) == true, "\(place)")
                }
            }
        }
    }
}
