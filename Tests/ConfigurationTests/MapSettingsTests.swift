import Configuration
import Geometry
import Locations
import Testing

@testable import FleetEngine

private let source = #"sources: {a: {topics: ["a/{device}/telemetry"]}}"#

@Suite("Maps, buildings and devices")
struct MapSettingsTests {
    /// Corners of a hall of 100 m × 80 m whose y axis points to 17.5°.
    private static let points = [
        "{x: 0, y: 0, lat: 57.0582502, lon: 9.9504788}", "{x: 100, y: 0, lat: 57.057980162, lon: 9.9520505765}",
        "{x: 0, y: 80, lat: 57.0589353352, lon: 9.9508752736}",
        "{x: 100, y: 80, lat: 57.0586652922, lon: 9.9524470761}",
    ]

    private func file(_ points: [String], _ rest: String = "") -> String {
        let list = points.map { "      - \($0)\n" }.joined()
        return "maps:\n  hall:\n    building: Works\(rest)\n    controlPoints:\n\(list)\(source)\n"
    }

    @Test("check says of each map how well it fits, by point and in all")
    func information() {
        let found = outcome(file(Self.points)).information.map(\.description)
        #expect(
            found == [
                "fleet.yaml:2:3: info: maps.hall.controlPoints: similarity from 4 points, off by 0.0 m RMS (0.0 m, 0.0 m, 0.0 m, 0.0 m);"
                    + " 1 unit is 1.0 m, y points to 17.5°"
            ])
        let two = outcome(file(Array(Self.points[..<2]))).information.map(\.description)
        #expect(two.first?.hasSuffix("; a third point would check the two") == true)
        #expect(outcome(source).information.isEmpty)
    }

    @Test("A map reaches the sources, as do the buildings' floors")
    func arrives() throws {
        let settings = try configuration(
            """
            buildings: {Works: {floors: {Ground: 0, First: 10}}}
            maps:
              hall: {building: Works, floor: First, origin: {lat: 57, lon: 10}, rotation: 90, scale: 0.5}
            sources:
              a:
                topics: ["a/{device}/telemetry"]
                map: hall
                unknownMap: hold
                maxSpeed: 2.5
                derive: [speed, heading]
                devices: {"356938035643809": {name: Vacuum 3, type: vacuum, building: Works, map: hall}}
            """
        ).engine.sources[0].settings
        #expect(settings.map == "hall")
        #expect(settings.unknownMap == .hold)
        #expect(settings.maxSpeed == 2.5)
        #expect(settings.derive == [.speed, .heading])
        #expect(settings.buildingFloors["Works"]?.index(of: .text("First")) == 10)
        let entry = settings.devices["356938035643809"]
        #expect(
            [entry?.name, entry?.type, entry?.building, entry?.map?.text] == ["Vacuum 3", "vacuum", "Works", "hall"])
        let defaults = try configuration(source).engine.sources[0].settings
        #expect(defaults.map == nil)
        #expect(defaults.unknownMap == .reject)
        #expect(defaults.maxSpeed == nil)
        #expect(defaults.derive == [])
        #expect(defaults.devices.isEmpty)
    }

    @Test("Control points that give no map: each fault at its place")
    func faults() {
        func check(_ points: [String], _ place: String, _ words: String..., rest: String = "") {
            expect(file(points, rest), [(place, words)])
        }
        let points = Self.points
        let affine = "\n    transform: affine"
        check([points[0]], "5:7", "1 control point;", "similarity needs at least 2")
        check(Array(points[..<2]), "6:7", "2 control points;", "affine needs at least 3", rest: affine)
        check([], "4:19", "expected a list")
        check(points + [points[0].replacing("57.", with: "56.9")], "9:9", "x and y of the one at 5:9")
        check(points + [points[0].replacing("y: 0", with: "y: 9")], "9:9", "lat and lon of the one at 5:9")
        check(
            [points[0], points[1], "{x: 0, y: 80, lat: 9.9508752736, lon: 57.0589353352}"], "7:9", "more than 20 km",
            "are lat and lon exchanged?")
        check(points.map { $0.replacing("y: 80", with: "y: -80") }, "5:7", "mirrored", "transform: affine")
        check(
            points.map { $0.replacing(#/lat: ([0-9.]+), lon: ([0-9.]+)/#) { "lat: \($0.2), lon: \($0.1)" } }, "5:7",
            "lat and lon of all points are exchanged")
        check(
            [points[0], points[1], points[2], points[3].replacing("x: 100", with: "x: 180")], "8:9",
            "does not fit the others")
        check(
            [points[0], points[1], "{x: 50, y: 0, lat: 57.058115181, lon: 9.95126468825}"], "6:7", "one line",
            rest: affine)
    }

    @Test("A survey that is off is a warning at the worst point, and still a map")
    func poor() {
        let text = file([
            Self.points[0], Self.points[1], Self.points[2], Self.points[3].replacing("y: 80", with: "y: 88"),
        ])
        let result = outcome(text)
        #expect(result.configuration != nil)
        #expect(result.diagnostics.map(\.severity) == [.warning])
        #expect(result.diagnostics.first?.description.contains("misses this point by") == true)
    }

    @Test(
        "What a map says is held against the rest of the file",
        arguments: [
            ("maps: {m: {}}", "1:8", "where the plan lies is missing"),
            ("maps: {m: {controlPoints: 3}}", "1:27", "not a list"),
            ("maps: {m: {controlPoints: [{x: 1, y: 2, lat: 91, lon: 3}]}}", "1:46", "latitude"),
            ("maps: {m: {controlPoints: [{x: 1, lat: 9, lon: 3}]}}", "1:28", "\"y\" is missing"),
            ("maps: {m: {origin: {lat: 1, lon: 2}, transform: affine}}", "1:49", "belongs to controlPoints"),
            ("maps: {m: {origin: {lat: 1, lon: 2}, controlPoints: []}}", "1:20", "expected one of the two"),
            ("maps: {m: {origin: {lat: 1, lon: 2}, scale: 0}}", "1:45", "metres in a unit"),
            ("maps: {m: {origin: {lat: 1, lon: 2}, floor: Ground}}", "1:45", "no table of floors"),
            ("maps: {m: {origin: {lat: 1, lon: 2}, floor: 1.5}}", "1:45", "index or name"),
            (
                "buildings: {B: {floors: {G: 0}}}\nmaps: {m: {building: B, floor: 10, origin: {lat: 1, lon: 2}}}",
                "2:32", "not among the floors"
            ),
            ("maps: {\"\": {origin: {lat: 1, lon: 2}}}", "1:8", "not empty"),
            ("buildings: {B: {venue: v.geojson}}", "1:24", "v.geojson cannot be read"),
            ("buildings: {B: {floor: {}}}", "1:17", "did you mean \"floors\"?"),
        ])
    func mapFaults(text: String, place: String, words: String) { expect("\(text)\n\(source)", [(place, [words])]) }

    @Test(
        "What a source says of maps and devices is held against them",
        arguments: [
            ("map: hal", "error", "there is no map \"hal\"; did you mean \"hall\"?"),
            ("devices: {x: {map: attic}}", "error", "devices.x.map: there is no map \"attic\""),
            ("devices: {x: {nam: y}}", "error", "did you mean \"name\"?"),
            ("devices: [x]", "error", "a mapping of device ids"),
            ("unknownMap: keep", "error", "reject, hold"),
            ("maxSpeed: 0", "error", "a speed in m/s"),
            ("derive: [course]", "error", "heading, speed"),
            ("derive: speed", "error", "not a list"),
            ("building: Work", "warning", "did you mean \"Works\"?"),
        ])
    func sourceFaults(line: String, severity: String, words: String) {
        let found = outcome(
            """
            buildings: {Works: {floors: {Ground: 0}}}
            maps: {hall: {building: Works, origin: {lat: 57, lon: 10}}}
            sources:
              a:
                topics: ["a/{device}/telemetry"]
                \(line)
            """
        ).diagnostics.map(\.description)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("fleet.yaml:6:") == true)
        #expect(found.first?.contains("\(severity): ") == true)
        #expect(found.first?.contains(words) == true, "\(found)")
    }
}
