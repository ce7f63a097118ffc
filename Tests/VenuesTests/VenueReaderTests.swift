import Geometry
import JSON
import Locations
import Testing
import Venues

struct VenueReaderTests {
    private typealias D = Drawing

    @Test("Levels, units and openings are read with IMDF's names, labels as objects or as texts")
    func reads() throws {
        let (read, faults) = D.read([
            D.level("up", #""ordinal":1,"name":{"en":"First","da":"Første"},"short_name":"1""#), D.level("l0"),
            D.unit("r", D.ring(0, 0, 20, 20), #""name":{"en":"Office"},"category":"office""#),
            D.unit(
                "c", D.ring(20, 0, 40, 20),
                #""name":"Hall","display_point":{"type":"Point","coordinates":[9.00025,57.0001]}"#, level: "up"),
            D.feature(
                "opening", "d", #"{"type":"LineString","coordinates":[[9.0002,57.00005],[9.0002,57.0001]]}"#,
                #""level_id":"l0","category":"pedestrian""#),
            D.feature("fixture", "f", "null", ""),
        ])
        #expect(faults == [])
        let venue = try #require(read)
        #expect(venue.levels.map(\.id) == ["l0", "up"] && venue.levels.map(\.floor) == [0, 10])
        #expect(venue.levels[1].name == "First" && venue.levels[1].shortName == "1")
        #expect(venue.units.map(\.displayName) == ["Office", "Hall"] && venue.units.map(\.floor) == [0, 10])
        #expect(venue.units[0].category == "office" && venue.units[1].displayPoint == .drawn(25, 10))
        let expected = 20 * 20 * 1.1139 * 0.6082
        #expect(abs(venue.units[0].area.size - expected) < 2)
        #expect(venue.units[0].displayPoint.distance(to: .drawn(10, 10)) < 0.5)
        #expect(venue.openings.map(\.floor) == [0])
        let width = venue.openings[0].points[0].distance(to: venue.openings[0].points[1])
        #expect(abs(width - 5 * 1.1139) < 0.02)
        #expect(venue.units(onFloor: 10).map(\.id) == ["c"] && venue.openings(onFloor: 10).isEmpty)
    }

    @Test("What is written for drawing has floor indices, and is read again as the same")
    func writes() throws {
        let features = [
            D.level("l0", #""ordinal":-1,"name":"Cellar""#),
            D.unit("r", D.ring(0, 0, 20, 20) + "," + D.ring(5, 5, 10, 10), #""name":"Round","category":"room""#),
        ]
        let venue = try #require(D.read(features, floors: ["Cellar": -10]).venue)
        let unit = venue.geoJSON.object?["features"]?.array?.last?.object
        #expect(unit?["properties"]?.object?["floor"] == -10 && unit?["feature_type"] == "unit")
        let reader = VenueReader(building: "B") { _ in -10 }
        reader.read(Array(venue.geoJSON.text.utf8), name: "again.geojson")
        let again = try #require(reader.finish())
        #expect(again.units == venue.units && again.levels == venue.levels)
    }

    @Test(
        "A level is the floor of its name in the building's table, else ten times its ordinal",
        arguments: [
            (#""ordinal":2,"name":{"en":"Roof"}"#, 20), (#""ordinal":2,"name":{"da":"Tag","en":"First"}"#, 11),
            (#""ordinal":2,"short_name":{"en":"First"}"#, 11), (#""name":"First""#, 11), (#""ordinal":-2"#, -20),
        ])
    func floors(properties: String, floor: Int) throws {
        let venue = try #require(D.read([D.level("l0", properties)], floors: ["First": 11, "Ground": 0]).venue)
        #expect(venue.levels.map(\.floor) == [floor])
    }

    private static let square = D.ring(0, 0, 20, 20)

    @Test(
        "Every fault is told with the file and the feature's id",
        arguments: [
            ([D.unit("r", square)], [#"unit "r": its level_id "l0" is the id of no level"#, "has no level"]),
            ([D.level(), D.feature("unit", "r", D.polygon(square), "")], [#"unit "r": has no level_id"#]),
            ([D.level(), D.unit("r", square, level: "l9")], [#"unit "r": its level_id "l9" is the id of no level"#]),
            ([D.level(), D.unit("l0", square)], [#"unit "l0": its id is that of another feature, a level"#]),
            (
                [D.level(), D.unit("r", D.ring([(0, 0), (20, 20), (20, 0), (0, 20), (0, 0)]))],
                [#"unit "r": ring 1 touches or crosses itself: the edges from point 1 and from point 3"#]
            ),
            (
                [D.level(), D.unit("r", D.ring([(0, 0), (20, 0), (20, 20), (10, 0), (0, 20), (0, 0)]))],
                [#"unit "r": ring 1 touches or crosses itself"#]
            ),
            (
                [D.level(), D.unit("r", D.ring([(0, 0), (20, 0), (20, 20), (20, 40), (20, 20), (0, 20), (0, 0)]))],
                [#"unit "r": ring 1 touches or crosses itself"#]
            ),
            (
                [D.level(), D.unit("r", D.ring([(0, 0), (20, 0), (20, 20), (0, 20)]))],
                [#"unit "r": ring 1 is open: its last point is not its first"#]
            ),
            ([D.level(), D.unit("r", D.ring([(0, 0), (20, 0), (0, 0)]))], ["has fewer than four points"]),
            ([D.level(), D.unit("r", D.ring([(0, 0), (20, 0), (40, 0), (0, 0)]))], [#"unit "r": ring 1"#]),
            (
                [D.level(), D.unit("r", square + "," + D.ring(10, 10, 30, 15))],
                [#"unit "r": ring 2, a hole, leaves its polygon"#]
            ),
            (
                [D.level(), D.unit("r", square + "," + D.ring(2, 2, 8, 8) + "," + D.ring(6, 6, 10, 10))],
                [#"unit "r": rings 2 and 3, two holes, overlap"#]
            ),
            (
                [D.level(), D.feature("unit", "r", #"{"type":"Point","coordinates":[9,57]}"#, #""level_id":"l0""#)],
                [#"unit "r": its geometry is a Point; expected a Polygon or MultiPolygon"#]
            ),
            (
                [D.level(), D.feature("opening", "o", D.polygon(square), #""level_id":"l0""#)],
                [#"opening "o": its geometry is a Polygon; expected a LineString"#]
            ),
            ([D.level(), D.feature("unit", "r", "null", #""level_id":"l0""#)], [#"unit "r": has no geometry"#]),
            (
                [D.level(), D.unit("r", "[[9,57],[9,157],[10,57],[9,57]]")],
                [#"unit "r": ring 1, point 2: longitude 9, latitude 157 is out of range"#]
            ),
            (
                [D.level(), D.unit("r", "[[9,57],[null,57],[10,57],[9,57]]")],
                [#"unit "r": ring 1, point 2: null is no number"#]
            ),
            (
                [D.level(), D.unit("r", "[[9,57],[9,58],[10,57],[9,57]]")],
                [#"unit "r": is more than 20 km away from the middle of the others"#]
            ),
            (
                [D.level(), D.unit("r", "[[9,57],[NaN,57],[10,57],[9,57]]")],
                ["is not JSON", #"unit "r": ring 1, point 2: "NaN" is no number"#]
            ),
            (
                [
                    D.level(),
                    #"{"type":"Feature","feature_type":"unit","geometry":null,"properties":{"level_id":"l0"}}"#,
                ],
                ["feature 2 (unit): has no id", "a unit without an id: has no geometry"]
            ),
            (
                [D.level(), D.feature("units", "r", D.polygon(square), "")],
                [#"feature "r": "units" is no feature_type of IMDF; did you mean "unit"?"#]
            ),
            ([D.level("l0", "")], [#"level "l0": has no ordinal, and no name that is one of the building's floors"#]),
            ([D.level("l0", #""ordinal":1.5"#)], [#"level "l0": its ordinal is 1.5; expected a whole number"#]),
            (
                [D.level(), D.unit("r", square, level: "l1"), D.unit("r", D.ring([(0, 0), (9, 0), (9, 9), (0, 9)]))],
                [#"its id is that of another feature"#, #"level_id "l1""#, "is open"]
            ),
            (["1"], ["feature 1: expected a Feature"]),
        ])
    func faults(features: [String], expected: [String]) {
        let (venue, faults) = D.read(features)
        #expect(venue == nil)
        for part in expected { #expect(faults.contains { $0.contains(part) }, "\(part): \(faults)") }
        #expect(faults.allSatisfy { $0.hasPrefix("v.geojson:") })
        #expect(faults.count <= expected.count + 1, "\(faults)")
    }

    @Test(
        "What is no FeatureCollection at all is said so", arguments: ["", "[]", "{}", #"{"type":"FeatureCollection"}"#])
    func noCollection(text: String) {
        let reader = VenueReader(building: "B") { _ in nil }
        reader.read(Array(text.utf8), name: "v.geojson")
        #expect(reader.finish() == nil)
        #expect(reader.faults.count == 1)
    }

    @Test(
        "What is no JSON is told with line and column",
        arguments: [
            ("{\n  \"type\": \"FeatureCollection\",\n  \"features\": [", "v.geojson:3:16: "),
            ("\u{FEFF}{\"å\": nix}", "v.geojson:1:7: "), ("{\n\"a\": 1e999}", "v.geojson:2:6: "),
        ])
    func place(text: String, start: String) {
        let reader = VenueReader(building: "B") { _ in nil }
        reader.read(Array(text.utf8), name: "v.geojson")
        _ = reader.finish()
        #expect(reader.faults.first?.description.hasPrefix(start) == true, "\(reader.faults)")
    }

    @Test("A file without a level is named, also where nothing in it is read")
    func nothingRead() {
        let faults = D.read([D.feature("fixture", "f", "null", "")]).faults
        #expect(faults == ["v.geojson: has no level"])
    }

    @Test("Ids may be numbers, as names of levels, too; they are as long as a topic's level may be")
    func ids() throws {
        func numbered(_ feature: String) -> String {
            feature.replacing(#/"(id|level_id)":"(\d+)"/#) { #""\#($0.1)":\#($0.2)"# }
        }
        let venue = try #require(
            D.read([numbered(D.level("1")), numbered(D.unit("12", Self.square, level: "1"))]).venue)
        #expect(venue.levels[0].id == "1" && venue.units[0].id == "12" && venue.units[0].levelID == "1")
        for id in [String(repeating: "x", count: 1_001), #"a\u0000b"#] {
            let faults = D.read([D.level(), D.unit(id, Self.square)]).faults
            #expect(faults == ["v.geojson: feature 2 (unit): its id has more than 1000 bytes, or a NUL"])
        }
    }

    @Test("A category that is a slip of one of IMDF's is a warning, one of somebody's own is none")
    func categories() {
        func faults(_ category: String) -> [String] {
            D.read([D.level(), D.unit("r", Self.square, #""category":"\#(category)""#)]).faults
        }
        #expect(
            faults("Brick") == [#"v.geojson: unit "r": its category "Brick" is none of IMDF's; did you mean "brick"?"#])
        #expect(faults("walway").first?.contains(#"did you mean "walkway"?"#) == true)
        #expect(faults("restroom.female").isEmpty && faults("machine hall").isEmpty)
    }

    @Test("A route that ends just beside another one is a warning, one that ends at it or far from it is none")
    func gaps() {
        func faults(_ north: Double) -> [String] {
            func route(_ id: String, _ points: (Double, Double)...) -> String {
                D.feature("route", id, #"{"type":"LineString","coordinates":\#(D.ring(points))}"#, #""level_id":"l0""#)
            }
            return D.read([D.level(), route("a", (0, 0), (50, 0)), route("b", (10, north), (10, 20))]).faults
        }
        #expect(
            faults(0.1) == [#"v.geojson: route "b": ends 11 cm beside route "a" on floor 0: no way leads on there"#])
        #expect(faults(0).isEmpty && faults(5).isEmpty)
    }

    @Test("An opening that is in no wall is a warning")
    func strayOpening() {
        func faults(_ north: Double) -> [String] {
            let line = #"{"type":"LineString","coordinates":\#(D.ring([(5, north), (7, north)]))}"#
            return D.read([D.level(), D.unit("r", Self.square), D.feature("opening", "d", line, #""level_id":"l0""#)])
                .faults
        }
        #expect(faults(20.3).isEmpty && faults(10).isEmpty)
        #expect(
            faults(26) == [
                #"v.geojson: opening "d": there is no unit of floor 0 within half a metre of its middle: it leads nowhere"#
            ])
    }

    @Test("A hole that is as large as its polygon leaves nothing")
    func nothingLeft() {
        let faults = D.read([D.level(), D.unit("r", Self.square + "," + Self.square)]).faults
        #expect(faults == [#"v.geojson: unit "r": its holes leave nothing of it"#])
    }

    @Test("Thousands of polygons and of holes are compared only where they are near each other")
    func many() throws {
        func square(_ number: Int, across: Int, from start: Double, size: Double) -> String {
            let (east, north) = (Double(number % across) * 2 + start, Double(number / across) * 2 + start)
            return D.ring(east, north, east + size, north + size)
        }
        let squares = (0..<3_000).map { "[\(square($0, across: 60, from: 0, size: 1))]" }
        let islands = #"{"type":"MultiPolygon","coordinates":[\#(squares.joined(separator: ","))]}"#
        let holes = (0..<2_000).map { square($0, across: 50, from: 0.5, size: 0.5) }
        let (read, faults) = D.read([
            D.level(), D.feature("unit", "i", islands, #""level_id":"l0""#),
            D.unit("h", ([D.ring(0, 0, 101, 101)] + holes).joined(separator: ",")),
        ])
        #expect(faults == [])
        let venue = try #require(read)
        let unitSquare = 1.1139 * 0.6082
        #expect(abs(venue.units[0].area.size / unitSquare - 3_000) < 6)
        #expect(abs(venue.units[1].area.size / unitSquare - 9_701) < 20)
    }

    @Test("An IMDF folder's files need not name the type, and ids are compared across them")
    func folder() throws {
        let reader = VenueReader(building: "B") { _ in nil }
        func bare(_ feature: String) -> String { feature.replacing(#/"feature_type":"\w+",/#, with: "") }
        reader.read(D.collection([bare(D.level())]), name: "imdf/level.geojson")
        reader.read(
            D.collection([bare(D.unit("r", Self.square)), bare(D.unit("l0", Self.square))]), name: "imdf/unit.geojson")
        #expect(reader.finish() == nil)
        #expect(
            reader.faults.map(\.description) == [
                #"imdf/unit.geojson: unit "l0": its id is that of another feature, a level of imdf/level.geojson"#
            ])
    }

    @Test("Points that are doubled, as drawing programs leave them, are no fault; a hole may touch its ring")
    func tolerance() {
        let doubled = D.ring([(0, 0), (20, 0), (20, 0), (20, 20), (0, 20), (0, 20), (0, 0)])
        #expect(D.read([D.level(), D.unit("r", doubled)]).faults == [])
        let touching = Self.square + "," + D.ring([(0, 10), (5, 5), (5, 15), (0, 10)])
        #expect(D.read([D.level(), D.unit("r", touching)]).faults == [])
    }

    @Test("A venue on the 180° meridian has its frame there, whichever side its points are written on")
    func meridian() throws {
        let rings = "[[179.9998,70],[-179.9998,70],[-179.9998,70.0002],[179.9998,70.0002],[179.9998,70]]"
        let venue = try #require(
            D.read([D.level("l0", #""ordinal":0"#, rings), D.unit("r", rings)]).venue)
        let areas = SiteAreas(venues: [venue])
        for longitude in [179.9999, 180, -180, -179.9999] {
            let position = try #require(Position(latitude: 70.0001, longitude: longitude))
            #expect(areas.room(at: Place(position: position, building: "B", floor: 0))?.id == "r", "\(longitude)")
        }
        let outside = try #require(Position(latitude: 70.0001, longitude: -179.9997))
        #expect(areas.room(at: Place(position: outside, building: "B", floor: 0)) == nil)
    }
}
