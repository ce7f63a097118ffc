import Configuration
import FleetEngine
import Geometry
import JSON
import Locations
import RoomAvailability
import Testing

@Suite("Rooms as a source")
struct RoomAvailabilitySettingsTests {
    private static let plan = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"l","feature_type":"level","geometry":{"type":"Polygon","coordinates":[[[9,57],[9.001,57],[9.001,57.001],[9,57.001],[9,57]]]},"properties":{"ordinal":1}},
        {"type":"Feature","id":"r","feature_type":"unit","geometry":{"type":"Polygon","coordinates":[[[9,57],[9.0005,57],[9.0005,57.001],[9,57.001],[9,57]]]},"properties":{"name":{"en":"Hall"},"category":"office","level_id":"l"}},
        {"type":"Feature","id":"w","feature_type":"unit","geometry":{"type":"Polygon","coordinates":[[[9.0005,57],[9.001,57],[9.001,57.001],[9.0005,57.001],[9.0005,57]]]},"properties":{"category":"walkway","level_id":"l"}}]}
        """
    private let files = surroundings(files: ["works.geojson": file(Self.plan)])

    private func text(_ rooms: String, _ more: String = "") -> String {
        """
        buildings: {Works: {venue: works.geojson}, Shed: {floors: {Ground: 0}}}
        sources:
          people: {topics: ["people/{device}/telemetry"]}
          sensors: {topics: ["sensors/{device}/telemetry"]}
          rooms: {kind: roomAvailability, \(rooms)}
        \(more)
        """
    }

    private func settings(_ configuration: DerivedSourceConfiguration) -> ([Room], RoomAvailabilitySettings) {
        switch configuration.kind {
        case .roomAvailability(let rooms, let settings): (rooms, settings)
        }
    }

    @Test("It has the rooms of its building's plan, without ways, and defaults for the rest")
    func defaults() throws {
        let engine = try configuration(text("observes: [people], building: Works"), files).engine
        #expect(engine.sources.map(\.id) == ["people", "sensors"] && engine.derived.map(\.id) == ["rooms"])
        let (rooms, settings) = settings(try #require(engine.derived.first))
        #expect(rooms.map(\.id) == ["r"] && rooms[0].name == "Hall" && rooms[0].floor == 10)
        #expect(rooms[0].geometry["type"] == "Polygon" && rooms[0].building == "Works")
        #expect(settings == RoomAvailabilitySettings(observes: ["people"]))
        #expect(engine.derived[0].pace == PublishingPace())
    }

    @Test("Everything can be set")
    func everything() throws {
        let engine = try configuration(
            text(
                "observes: [people], occupancy: [sensors], building: Works, categories: [walkway], occupiedBy: [a],"
                    + " cleanedBy: [b, c], type: Hall, maxRate: 4, heartbeat: off"), files
        ).engine
        let (rooms, settings) = settings(try #require(engine.derived.first))
        #expect(rooms.map(\.id) == ["w"])
        #expect(
            settings
                == RoomAvailabilitySettings(
                    observes: ["people"], occupancy: ["sensors"], occupiedBy: ["a"], cleanedBy: ["b", "c"], type: "Hall"
                ))
        #expect(engine.derived[0].pace == PublishingPace(interval: .milliseconds(250), heartbeat: nil))
        #expect(engine.derived[0].observes == ["people", "sensors"])
    }

    @Test(
        "What is wrong is told with its place",
        arguments: [
            ("building: Works", "5:10", "the setting \"observes\" is missing"),
            ("observes: [people]", "5:10", "the setting \"building\" is missing"),
            ("observes: [], building: Works", "5:45", "sources.rooms.observes"),
            ("observes: [peple], building: Works", "5:46", "there is no source \"peple\"; did you mean \"people\"?"),
            ("observes: [rooms], building: Works", "5:46", "a source cannot observe itself"),
            ("observes: [people], building: Work", "5:65", "did you mean \"Works\"?"),
            ("observes: [people], building: Shed", "5:65", "has no `venue`"),
            ("observes: [people], occupancy: [people], building: Works", "5:67", "is in `observes`, too"),
            ("observes: [people], building: Works, topics: [a]", "5:72", "unknown setting \"topics\""),
            ("observes: [people], building: Works, categories: [ofice]", "5:85", "did you mean \"office\"?"),
        ])
    func faults(rooms: String, place: String, words: String) {
        let found = outcome(text(rooms), files).diagnostics.map(\.description)
        #expect(found.contains { $0.hasPrefix("fleet.yaml:\(place): ") && $0.contains(words) }, "\(found)")
    }

    @Test("A source that goes by itself over others is told at each of them")
    func cycles() {
        let found = outcome(
            """
            buildings: {Works: {venue: works.geojson}}
            sources:
              people: {topics: ["people/{device}/telemetry"]}
              a: {kind: roomAvailability, building: Works, observes: [people], occupancy: [b]}
              b: {kind: roomAvailability, building: Works, observes: [c]}
              c: {kind: roomAvailability, building: Works, observes: [a, people]}
              d: {kind: roomAvailability, building: Works, observes: [a]}
            """, files
        ).diagnostics.map(\.description)
        #expect(found.count == 3, "\(found)")
        #expect(found.first?.contains(#""a" observes "b" observes "c" observes "a""#) == true, "\(found)")
    }

    @Test("A source of the program's own can be named like any other, and its id is its own")
    func own() throws {
        let own = [OwnSource("robots")]
        let good = text(
            "observes: [robots], building: Works",
            "gpxLog: {directory: /tmp, sources: [robots]}\ndisplayRules: [{name: a, match: {source: robots}, set: {icon: b}}]"
        )
        let read = outcome(good, files, own: own)
        #expect(read.diagnostics.isEmpty, "\(read.diagnostics)")
        let derived = try #require(read.configuration?.engine.derived.first)
        #expect(derived.observes == ["robots"])
        let place = Place(position: Position(latitude: 57.0005, longitude: 9.0002)!, building: "Works", floor: 10)
        #expect(settings(derived).1.finder?.room(at: place)?.id == "r", "it need not know of rooms")
        #expect(outcome(good, files).configuration == nil, "where nobody has it")
        func faults(_ text: String) -> [String] { outcome(text, files, own: own).diagnostics.map(\.description) }
        #expect(
            faults(text("observes: [robot], building: Works")) == [
                #"fleet.yaml:5:46: error: sources.rooms.observes: there is no source "robot"; did you mean "robots"?"#
            ])
        #expect(
            faults(#"sources: {robots: {topics: ["a/{device}"]}}"#) == [
                #"fleet.yaml:1:11: error: sources.robots: "robots" is a source of the program itself; another id is needed"#
            ])
    }

    @Test("A source of the program's own that goes by one that goes by it is refused")
    func ownCycle() {
        let own = [OwnSource("guards", observes: ["people", "rooms"])]
        let found = outcome(text("observes: [people, guards], building: Works"), files, own: own).diagnostics
        #expect(
            found.map(\.description) == [
                "fleet.yaml:5:54: error: sources.rooms.observes: a source cannot observe itself: "
                    + #""rooms" observes "guards" observes "rooms""#
            ])
        let others = [OwnSource("guards", observes: ["people"])]
        #expect(outcome(text("observes: [guards], building: Works"), files, own: others).diagnostics.isEmpty)
    }

    @Test("What a template may make is not known to be missing")
    func template() throws {
        let engine = try configuration(
            """
            buildings: {Works: {venue: works.geojson}}
            sources:
              all: {topics: ["fleet/{source}/{device}/telemetry"]}
              rooms: {kind: roomAvailability, building: Works, observes: [people]}
            """, files
        ).engine
        #expect(engine.derived[0].observes == ["people"])
    }

    @Test("Display rules and logs may name it")
    func named() throws {
        let rules =
            "displayRules: [{match: {source: rooms}, set: {icon: room}}]\ngpxLog: {directory: /x, sources: [rooms]}"
        _ = try configuration(text("observes: [people], building: Works", rules), files)
    }
}
