import Geometry
import Testing
import Timestamps

@testable import Locations

/// Reports on plans of a configuration with three maps: a hall whose y axis points east, the floor above it, and a yard
/// measured in pixels of 5 cm that is of no floor.
struct PlacingTests {
    private let start = Instant(wall: Timestamp(milliseconds: 1_795_953_600_000), monotonic: .zero)
    private let origin: Position
    private let maps: MapTable

    init() throws {
        origin = try #require(Position(latitude: 57, longitude: 10))
        let hall = MapFrame(origin: origin, rotation: 90)
        maps = MapTable([
            ("hall", FloorMap(frame: hall, building: "Works", floor: 0)),
            ("attic", FloorMap(frame: hall, building: "Works", floor: 10)),
            ("yard", FloorMap(frame: MapFrame(origin: origin, scale: 0.05))),
        ])
    }

    private func source(_ adjust: (inout SourceSettings) -> Void = { _ in }) -> TelemetrySource {
        var settings = SourceSettings()
        settings.maps = maps
        adjust(&settings)
        return TelemetrySource(id: "robots", settings: settings, at: start)
    }

    private func report(
        x: Double = 3, y: Double = 4, map: String? = nil, id: Identifier = "r1",
        _ adjust: (inout Report) -> Void = { _ in }
    ) -> Report {
        var report = Report(id: id)
        report.position = .value(.plan(x: x, y: y, map: map))
        adjust(&report)
        return report
    }

    private func apply(_ report: Report, to source: TelemetrySource, after seconds: Double = 0)
        -> TelemetrySource.Outcome
    {
        source.apply(report, retained: false, at: start.advanced(by: .seconds(seconds)))
    }

    /// Metres east and north of the maps' origin.
    private func isAt(_ position: Position?, east: Double, north: Double) -> Bool {
        guard let position else { return false }
        return abs(position.distance(to: origin) - (east * east + north * north).squareRoot()) < 0.001
            && (north == 0 || (position.latitude > origin.latitude) == (north > 0))
            && (east == 0 || (position.longitude > origin.longitude) == (east > 0))
    }

    @Test("A point of a map has its place, heading, building and floor")
    func placed() {
        let source = source()
        #expect(apply(report(map: "hall") { $0.heading = .value(350) }, to: source) == .applied)
        let location = source.location("r1")
        #expect(isAt(location?.position, east: 4, north: -3))
        #expect(location?.heading == 80)
        #expect(location?.building == "Works")
        #expect(location?.floor == 0)
    }

    @Test("Placed once, a report says nothing on a plan any more: placing it again changes nothing")
    func once() throws {
        let settings = source().settings
        var report = report(map: "hall") {
            $0.heading = .value(350)
            $0.accuracy = .value(2)
        }
        #expect(try report.place(of: nil, FixedSettings(settings)) == "hall")
        let placed = report
        #expect(try report.place(of: nil, FixedSettings(settings)) == nil)
        #expect(report == placed)
        #expect(!report.isOnUnknownMap)
    }

    @Test("In a plan whose unit is not the metre the accuracy is one of its units, the speed is not")
    func pixels() {
        let source = source()
        let moving = report(x: 60, y: 80, map: "yard") {
            $0.accuracy = .value(10)
            $0.speed = .value(1)
        }
        _ = apply(moving, to: source)
        #expect(isAt(source.location("r1")?.position, east: 3, north: 4))
        #expect(source.location("r1")?.accuracy == 0.5)
        #expect(source.location("r1")?.speed == 1)
        _ = apply(report(map: "hall") { $0.accuracy = .value(10) }, to: source)
        #expect(source.location("r1")?.accuracy == 10)
    }

    @Test("What the payload says of floor and building counts more than the map; the devices table counts most")
    func precedence() {
        let source = source {
            $0.building = "Source"
            $0.devices["r2"] = DeviceEntry(building: "Table")
        }
        let telling = report(map: "hall") {
            $0.floor = .value(.number(20))
            $0.building = .value("Payload")
        }
        _ = apply(telling, to: source)
        #expect(source.location("r1")?.floor == 20)
        #expect(source.location("r1")?.building == "Payload")
        _ = apply(report(map: "hall", id: "r2"), to: source)
        #expect(source.location("r2")?.building == "Table")
        _ = apply(report(map: "yard", id: "r3"), to: source)
        #expect(source.location("r3")?.building == "Source")
        #expect(source.location("r3")?.floor == nil)
    }

    @Test("A map's floor is an index: no table of names can make another one of it")
    func mapFloor() {
        let source = source { $0.floors = FloorTable([("0", 70), ("10", 80)]) }
        _ = apply(report(map: "attic"), to: source)
        #expect(source.location("r1")?.floor == 10)
        #expect(source.takeFaults().isEmpty)
    }

    @Test("On another map, building and floor of the one before do not hold; on the same one they do")
    func otherMap() {
        let source = source { $0.building = "Source" }
        _ = apply(report(map: "attic"), to: source)
        _ = apply(report(map: "yard"), to: source)
        #expect(source.location("r1")?.floor == nil)
        #expect(source.location("r1")?.building == "Source")
        _ = apply(Report(id: "r1").with { $0.floor = .value(.number(30)) }, to: source)
        _ = apply(report(x: 5, map: "yard"), to: source)
        #expect(source.location("r1")?.floor == 30)
    }

    @Test(
        "A position that names no map is on that of the floor it says, else the device's, else the source's",
        arguments: [
            ("r1", nil, "hall"), ("r2", nil, "attic"), ("r1", 10, "attic"), ("r2", 0, "hall"), ("r1", 99, "hall"),
        ] as [(String, Double?, String)])
    func defaults(id: String, floor: Double?, expected: String) throws {
        let settings = source {
            $0.map = "hall"
            $0.devices["r2"] = DeviceEntry(map: "attic")
        }.settings
        for name in [nil, ""] as [String?] {
            var report = report(map: name, id: Identifier(id)) {
                if let floor { $0.floor = .value(.number(floor)) }
            }
            #expect(try report.place(of: nil, FixedSettings(settings)) == Identifier(expected))
        }
    }

    @Test("A floor that several buildings have is looked up in the report's")
    func floorOfBuilding() throws {
        let frame = MapFrame(origin: origin)
        let maps = MapTable([
            ("a", FloorMap(frame: frame, building: "A", floor: 0)),
            ("b", FloorMap(frame: frame, building: "B", floor: 0)),
        ])
        #expect(maps.name(ofFloor: 0, building: "B") == "b")
        #expect(maps.name(ofFloor: 0, building: nil) == nil)
        #expect(maps.name(ofFloor: 0, building: "C") == nil)
    }

    @Test(
        "A map that nobody knows rejects the report, names it, and says which one was meant",
        arguments: [
            ("hal", "no map is called \"hal\"; did the device mean \"hall\"?"),
            ("cellar", "no map is called \"cellar\""),
            (nil, "a position on a plan that names no map, and the source has none"),
        ] as [(String?, String)])
    func unknown(map: String?, detail: String) {
        let source = source()
        guard case .rejected(let rejection) = apply(report(map: map), to: source) else {
            Issue.record("not rejected")
            return
        }
        #expect(rejection.reason == .unknownMap)
        #expect(rejection.detail == detail)
        #expect(source.location("r1") == nil)
    }

    @Test("A point that is nowhere near its map rejects the report")
    func farAway() {
        guard case .rejected(let rejection) = apply(report(x: 1e9, map: "hall"), to: source()) else {
            Issue.record("not rejected")
            return
        }
        #expect(rejection.reason == .positionOutOfRange)
    }

    @Test("With unknownMap hold, where it is stays as it was, and what else the report says counts")
    func hold() {
        let source = source {
            $0.unknownMap = .hold
            $0.devices["r2"] = DeviceEntry(building: "Table")
        }
        let known = report(map: "attic") {
            $0.heading = .value(0)
            $0.accuracy = .value(1)
            $0.charge = .value(50)
        }
        _ = apply(known, to: source)
        let lift = report(x: 9, y: 9, map: "lift") {
            $0.heading = .value(45)
            $0.accuracy = .value(7)
            $0.floor = .value(.number(20))
            $0.building = .value("Tower")
            $0.charge = .value(49)
        }
        #expect(apply(lift, to: source, after: 5) == .applied)
        let location = source.location("r1")
        #expect(isAt(location?.position, east: 4, north: -3))
        #expect(location?.floor == 10)
        #expect(location?.building == "Works")
        #expect(location?.heading == 90)
        #expect(location?.accuracy == 1)
        #expect(location?.charge == 49)
        #expect(location?.positionTime == start.wall, "the position grows old")
        #expect(source.takeFaults() == ["unknown-map": 1])
        #expect(apply(report(x: 9, y: 9, map: "lift", id: "r2"), to: source) == .applied)
        #expect(source.location("r2")?.position == nil)
        #expect(source.location("r2")?.building == "Table")
    }

    @Test("Of two points of one time on an unknown map none is a duplicate")
    func heldOrder() {
        let source = source { $0.unknownMap = .hold }
        let time = start.wall
        #expect(apply(report(x: 1, map: "?") { $0.time = time }, to: source) == .applied)
        #expect(apply(report(x: 2, map: "?") { $0.time = time }, to: source) == .applied)
        #expect(apply(report(x: 2, map: "?") { $0.time = time }, to: source) == .duplicate)
    }

    @Test("A repeated report is a duplicate also where its map was another than the one before")
    func duplicate() {
        let source = source()
        let time = start.wall
        _ = apply(report(map: "attic"), to: source)
        #expect(apply(report(map: "yard") { $0.time = time }, to: source) == .applied)
        #expect(apply(report(map: "yard") { $0.time = time }, to: source) == .duplicate)
    }

    @Test("A heading that comes alone turns with the map where the device was last")
    func headingAlone() {
        let source = source()
        let heading = Report(id: "r1").with {
            $0.heading = .value(10)
            $0.isHeadingOnPlan = true
        }
        #expect(apply(heading, to: source) == .applied)
        #expect(source.location("r1")?.heading == nil)
        #expect(source.takeFaults() == ["unknown-map": 1])
        _ = apply(report(map: "hall"), to: source)
        _ = apply(heading, to: source)
        #expect(source.location("r1")?.heading == 100)
    }

    @Test("An update tells that the trail ends: on another map, from a map to degrees, not before the first position")
    func trail() throws {
        let source = source()
        let observer = Observer()
        source.observers = [observer]
        _ = apply(Report(id: "r1").with { $0.charge = .value(1) }, to: source)
        _ = apply(report(map: "hall"), to: source)
        _ = apply(report(x: 5, map: "hall"), to: source)
        _ = apply(report(x: 5, map: "attic"), to: source)
        _ = apply(Report(id: "r1").with { $0.charge = .value(2) }, to: source)
        _ = apply(Report(id: "r1").with { $0.position = .value(.geographic(origin)) }, to: source)
        #expect(observer.breaks == [false, false, false, true, false, true])
    }

    private final class Observer: LocationObserver {
        private(set) var breaks: [Bool] = []

        func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant) {
            breaks += updates.map(\.breaksTrail)
        }
        func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant) {}
        func statusChanged(of source: any LocationSource, at now: Instant) {}
    }
}

extension Report {
    func with(_ adjust: (inout Report) -> Void) -> Report {
        var report = self
        adjust(&report)
        return report
    }
}
