import Geometry
import Testing
import Timestamps

@testable import Locations
@testable import Venues

/// Positions held against a plan. Places are metres east and north of one point: a corridor with a column, two rooms on it
/// with a wall between them and doors far from that wall, and nothing beside them.
struct MatchingTests {
    private typealias D = Drawing

    private static let eastUnit = 0.608_4
    private static let northUnit = 1.113_7

    private static func ring(_ east0: Double, _ north0: Double, _ east1: Double, _ north1: Double) -> String {
        D.ring(east0 / eastUnit, north0 / northUnit, east1 / eastUnit, north1 / northUnit)
    }

    private static func line(_ points: (Double, Double)...) -> String {
        #"{"type":"LineString","coordinates":\#(D.ring(points.map { ($0.0 / eastUnit, $0.1 / northUnit) }))}"#
    }

    private static let corridor = D.unit("corridor", ring(0, 0, 40, 3), #""category":"walkway""#)
    private static let rooms = [
        D.unit("a", ring(0, 3.3, 10, 9), #""category":"room""#), D.unit("b", ring(10.3, 3.3, 20, 9)),
    ]
    private static let column = D.unit("column", ring(30, 1, 30.5, 1.5), #""category":"column""#)
    private static let doors = [
        D.feature("opening", "da", line((2, 3.15), (3, 3.15)), #""level_id":"l0""#),
        D.feature("opening", "db", line((18, 3.15), (19, 3.15)), #""level_id":"l0""#),
    ]
    private static let plan = [D.level(), D.level("l1", #""ordinal":1"#), corridor, column] + rooms + doors

    private let start = Instant(wall: Timestamp(milliseconds: 1_795_953_600_000), monotonic: .seconds(100))

    private func venue(_ features: [String] = plan) throws -> Venue {
        let (venue, faults) = D.read(features)
        #expect(faults.isEmpty)
        return try #require(venue)
    }

    private func source(
        _ ground: VenueMatcher.Ground = .walkable, _ features: [String] = plan, maxSpeed: Double? = nil
    ) throws -> TelemetrySource {
        var settings = SourceSettings()
        settings.building = "B"
        settings.maxSpeed = maxSpeed
        settings.matching = PositionMatching(VenueMatcher([try venue(features)], ground))
        return TelemetrySource(id: "tags", settings: settings, at: start)
    }

    private static func position(_ east: Double, _ north: Double) -> Position {
        .drawn(east / eastUnit, north / northUnit)
    }

    private func send(
        _ east: Double, _ north: Double, at seconds: Double = 0, accuracy: Double? = nil, to source: TelemetrySource,
        _ adjust: (inout Report) -> Void = { _ in }
    ) {
        var report = Report(id: "t1")
        report.position = .value(.geographic(Self.position(east, north)))
        report.floor = .value(.index(0))
        report.accuracy = accuracy.map { .value($0) } ?? .absent
        adjust(&report)
        #expect(source.apply(report, retained: false, at: start.advanced(by: .seconds(seconds))) == .applied)
    }

    /// Where the location is, in centimetres, and whether that is not what was said.
    private func result(_ source: TelemetrySource) -> String {
        guard let location = source.location("t1"), let position = location.position else { return "nowhere" }
        let east = (position.longitude - 9) * 1e5 * Self.eastUnit
        let north = (position.latitude - 57) * 1e5 * Self.northUnit
        func shown(_ metres: Double) -> String { "\((metres * 100).rounded() / 100 + 0)" }
        return "\(shown(east)), \(shown(north))" + (location.rawPosition == nil ? "" : " moved")
    }

    // MARK: Ground

    @Test(
        "A position off the walkable ground is moved to the nearest of it, with what was said beside it",
        arguments: [
            (25, 2, nil, "25.0, 2.0"), (25, 3, nil, "25.0, 3.0"), (5, 6, nil, "5.0, 6.0"),
            (25, 5, nil, "25.0, 2.99 moved"), (-4, 1, nil, "0.01, 1.0 moved"), (50, 1, 1, "39.99, 1.0 moved"),
            // What the accuracy explains contradicts nothing.
            (25, 5, 2.1, "25.0, 5.0"), (25, 5, 1.9, "25.0, 2.99 moved"),
            // A column stands in the corridor.
            (30.1, 1.25, nil, "29.99, 1.25 moved"), (30.1, 1.25, 0.2, "30.1, 1.25"),
            // The nearest is a room; a corner.
            (22, 6, nil, "19.99, 6.0 moved"), (22, 11, nil, "19.99, 8.99 moved"),
            // Who is far away has left.
            (25, 58, nil, "20.0, 8.99 moved"), (25, 62, nil, "25.0, 62.0"), (95, 1, nil, "95.0, 1.0"),
        ] as [(Double, Double, Double?, String)])
    func walkable(east: Double, north: Double, accuracy: Double?, expected: String) throws {
        let source = try source()
        send(east, north, accuracy: accuracy, to: source)
        #expect(result(source) == expected)
        if expected.hasSuffix("moved") {
            #expect(source.location("t1")?.rawPosition == Self.position(east, north))
        }
    }

    @Test("Only a plan of the floor and building contradicts")
    func otherPlaces() throws {
        let source = try source()
        send(25, 5, to: source) { $0.floor = .value(.index(10)) }
        #expect(result(source) == "25.0, 5.0", "nothing is drawn of it")
        send(25, 5, at: 1, to: source) { $0.floor = .value(.index(20)) }
        #expect(result(source) == "25.0, 5.0")
        send(25, 5, at: 2, to: source) { $0.floor = .unknown }
        #expect(result(source) == "25.0, 5.0", "there is more than one floor")
        send(25, 5, at: 3, to: source) { $0.building = .value("C") }
        #expect(result(source) == "25.0, 5.0")
        send(25, 5, at: 4, to: source) { $0.building = .unknown }
        #expect(result(source) == "25.0, 2.99 moved", "the source's building")
    }

    @Test(
        "A moved position goes with the fix: it is not there while lost, and the device's counts where nothing matches")
    func ends() throws {
        let source = try source()
        send(25, 5, to: source)
        send(0, 0, at: 1, to: source) { $0.position = .unknown }
        #expect(source.location("t1")?.rawPosition == nil)
        #expect(source.location("t1")?.lastPosition?.position != Self.position(25, 5))
        send(25, 5, at: 2, to: source)
        #expect(result(source) == "25.0, 2.99 moved")
        var settings = source.settings
        settings.matching = nil
        source.change(settings, at: start.advanced(by: .seconds(3)))
        #expect(result(source) == "25.0, 5.0")
        #expect(source.location("t1")?.rawPosition == nil)
    }

    // MARK: Walls

    @Test("A position in a wall is on the side from which no door leads through in that time", arguments: [1.0, 60])
    func inWall(seconds: Double) throws {
        let source = try source()
        send(9.5, 6, to: source)
        send(10.2, 6, at: seconds, to: source)
        #expect(result(source) == (seconds == 1 ? "9.99, 6.0 moved" : "10.31, 6.0 moved"))
        #expect(source.takeFaults().isEmpty)
    }

    @Test(
        "In a wall, more accuracy makes nothing worse: what it reaches on the other side is no more reached",
        arguments: [
            (0.05, "9.99, 6.0 moved"), (0.12, "9.99, 6.0 moved"), (0.18, "9.99, 6.0 moved"), (0.25, "10.2, 6.0"),
        ], [nil, 2] as [Double?])
    func inWallWithAccuracy(accuracy: (metres: Double, expected: String), maxSpeed: Double?) throws {
        let source = try source(maxSpeed: maxSpeed)
        send(9.5, 6, to: source)
        send(10.2, 6, at: 1, accuracy: accuracy.metres, to: source)
        #expect(result(source) == accuracy.expected && source.takeFaults().isEmpty)
    }

    @Test("Through a wall is not a path: with maxSpeed a jump through one is held, until five fixes confirm it")
    func throughWall() throws {
        let source = try source(maxSpeed: 2)
        send(9.5, 6, to: source)
        for second in 1...4 {
            send(10.8, 6, at: Double(second), to: source) { $0.charge = .value(Double(second)) }
            #expect(result(source) == "9.5, 6.0")
            #expect(source.location("t1")?.charge == Double(second))
            #expect(source.takeFaults() == ["position-unreachable": 1])
        }
        send(10.8, 6, at: 5, to: source)
        #expect(result(source) == "10.8, 6.0")
        #expect(source.takeFaults().isEmpty)
        send(11, 6, at: 6, to: source)
        #expect(result(source) == "11.0, 6.0", "from there on")
    }

    @Test("Without maxSpeed nothing is impossible")
    func noLimit() throws {
        let source = try source()
        send(9.5, 6, to: source)
        send(10.8, 6, at: 1, to: source)
        #expect(result(source) == "10.8, 6.0")
        send(9, 6, at: 2, to: source)
        #expect(result(source) == "9.0, 6.0")
    }

    @Test("What the accuracy reaches on this side of the wall explains it", arguments: [nil, 2] as [Double?])
    func explainedByAccuracy(maxSpeed: Double?) throws {
        let source = try source(maxSpeed: maxSpeed)
        send(9.5, 6, accuracy: 1, to: source)
        for second in 1...4 {
            send(10.8, 6, at: Double(second), accuracy: 1, to: source)
            #expect(result(source) == "9.99, 6.0 moved")
        }
        send(10.8, 6, at: 5, accuracy: 1, to: source)
        #expect(result(source) == "10.8, 6.0", "whoever insists is there")
        #expect(source.takeFaults().isEmpty)
    }

    @Test("Single jumps through a wall never add up to being believed")
    func scattered() throws {
        let source = try source(maxSpeed: 2)
        send(9.5, 6, to: source)
        for second in 1...12 {
            send(second % 2 == 0 ? 9.5 : 10.8, 6, at: Double(second), to: source)
            #expect(result(source) == "9.5, 6.0")
        }
    }

    @Test("Through the doors the way is free")
    func throughDoors() throws {
        let source = try source(maxSpeed: 2)
        let way: [(Double, Double)] = [(9.5, 6), (2.5, 4), (2.5, 2), (18.5, 2), (18.5, 4), (10.8, 6)]
        var seconds = 0.0
        for (from, to) in zip(way, way.dropFirst()) {
            for step in 0...8 {
                let part = Double(step) / 8
                let (east, north) = (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1))
                send(east, north, at: seconds, to: source)
                let here = Self.position(east, north)
                #expect((source.location("t1")?.position?.distance(to: here) ?? 9) < 0.5, "\(east), \(north)")
                seconds += 2
            }
        }
        #expect(result(source) == "10.8, 6.0")
        #expect(source.takeFaults().isEmpty)
    }

    @Test("A straight jump is too fast, whatever the plan says")
    func tooFast() throws {
        let source = try source(maxSpeed: 2)
        send(1, 1, to: source)
        send(39, 1, at: 1, to: source)
        #expect(result(source) == "1.0, 1.0")
        #expect(source.takeFaults() == ["position-too-fast": 1])
    }

    @Test("A plan without openings tells nothing of walls")
    func noDoors() throws {
        let source = try source(.walkable, [D.level(), Self.corridor] + Self.rooms, maxSpeed: 2)
        send(9.5, 6, to: source)
        send(10.8, 6, at: 1, to: source)
        #expect(result(source) == "10.8, 6.0")
    }

    @Test("Corridors that touch are one, and so are a room and the booth in it", arguments: ["lobby", "walkway"])
    func halls(category: String) throws {
        let lobby = D.unit("lobby", Self.ring(40, 0, 50, 9), #""category":"\#(category)""#)
        let booth = D.unit("booth", Self.ring(1, 7, 2, 8), #""category":"phoneroom""#)
        let source = try source(.walkable, Self.plan + [lobby, booth], maxSpeed: 2)
        send(39.5, 1, to: source)
        send(40.5, 1, at: 1, to: source)
        #expect(result(source) == "40.5, 1.0")
        send(2.5, 7.5, at: 100, to: source)
        send(1.5, 7.5, at: 101, to: source)
        #expect(result(source) == "1.5, 7.5")
        #expect(source.takeFaults().isEmpty)
    }

    @Test(
        "Units that overlap are one hall, wherever they do; a wall that is drawn twice stays one",
        arguments: [(1.0, "10.5, 12.0"), (0.1, "9.0, 12.0")])
    func overlapping(depth: Double, expected: String) throws {
        let units = [
            D.unit("x", Self.ring(0, 10, 10, 14), #""category":"room""#),
            D.unit("y", Self.ring(10 - depth, 10, 30, 14), #""category":"room""#),
        ]
        let source = try source(.walkable, Self.plan + units, maxSpeed: 2)
        send(9, 12, to: source)
        send(10.5, 12, at: 1, to: source)
        #expect(result(source) == expected)
    }

    @Test("Another floor alone has the position where a device can be there")
    func otherFloor() throws {
        let upper = D.unit("up", Self.ring(0, 0, 40, 9), level: "l1")
        let source = try source(.walkable, Self.plan + [upper])
        send(25, 5, to: source)
        #expect(result(source) == "25.0, 2.99 moved")
        send(0, 0, at: 1, to: source) { ($0.position, $0.floor) = (.absent, .value(.index(10))) }
        #expect(result(source) == "25.0, 5.0")
        send(0, 0, at: 2, to: source) { ($0.position, $0.floor) = (.absent, .value(.index(0))) }
        #expect(result(source) == "25.0, 2.99 moved")
    }

    @Test("In a corridor of many doors the way goes into the right one", arguments: [(197.5, true), (12.5, false)])
    func manyDoors(east: Double, isReached: Bool) throws {
        let corridor = D.unit("c", Self.ring(0, 0, 400, 3), #""category":"walkway""#)
        let offices = (0..<80).flatMap { number in
            let west = Double(number) * 5
            return [
                D.unit("o\(number)", Self.ring(west, 3.3, west + 4.7, 8)),
                D.feature("opening", "d\(number)", Self.line((west + 2, 3.15), (west + 3, 3.15)), #""level_id":"l0""#),
            ]
        }
        let source = try source(.walkable, [D.level(), corridor] + offices, maxSpeed: 2)
        send(202.5, 6, to: source)
        // Into the next office it is 3 m to the corridor, 4 m along it, and 3 m in.
        send(east, 6, at: 6, to: source)
        #expect(source.takeFaults().isEmpty == isReached)
    }

    @Test("Many columns in one hall are walked around")
    func columns() throws {
        let columns = (0..<400).map { number in
            let (east, north) = (Double(number % 20) * 2 + 0.5, Double(number / 20) * 2 + 20.5)
            return D.unit("c\(number)", Self.ring(east, north, east + 0.5, north + 0.5), #""category":"column""#)
        }
        let hall = D.unit("parking", Self.ring(0, 20, 40, 60), #""category":"parking""#)
        let source = try source(.walkable, [D.level(), hall] + columns)
        send(20.6, 40.75, to: source)
        #expect(result(source) == "20.49, 40.75 moved")
        send(22, 40.75, at: 10, to: source)
        #expect(result(source) == "22.0, 40.75")
    }

    // MARK: Another process, another plan

    /// The same devices in another process, after what the first one published.
    private func restarted(_ source: TelemetrySource, maxSpeed: Double? = nil, at seconds: Double) throws
        -> TelemetrySource
    {
        let published = try #require(source.location("t1"))
        let next = try self.source(maxSpeed: maxSpeed)
        _ = next.restore(published, at: start.advanced(by: .seconds(seconds)))
        return next
    }

    @Test("After a restart fixes are held against the one that was published: through a wall and too far is no way")
    func restart() throws {
        let first = try source(maxSpeed: 2)
        send(9.5, 6, to: first)
        let jump = try restarted(first, maxSpeed: 2, at: 1)
        send(10.8, 6, at: 2, to: jump)
        #expect(result(jump) == "9.5, 6.0" && jump.takeFaults() == ["position-unreachable": 1])
        send(500, 6, at: 3, to: jump)
        #expect(result(jump) == "9.5, 6.0" && jump.takeFaults() == ["position-too-fast": 1])
        send(9, 6, at: 4, to: jump)
        #expect(result(jump) == "9.0, 6.0" && jump.takeFaults().isEmpty)
    }

    @Test(
        "A position in a wall stays on its side over a restart, over another plan, and however often it is said again")
    func heldInWall() throws {
        let first = try source()
        send(9.5, 6, to: first)
        for second in 1...7 {
            send(10.2, 6, at: Double(second), to: first)
            #expect(result(first) == "9.99, 6.0 moved")
        }
        let next = try restarted(first, at: 8)
        #expect(result(next) == "9.99, 6.0 moved")
        send(10.2, 6, at: 9, to: next)
        #expect(result(next) == "9.99, 6.0 moved")
        var settings = next.settings
        let more = Self.plan + [D.unit("other", Self.ring(0, 0, 5, 5), level: "l1")]
        settings.matching = PositionMatching(VenueMatcher([try venue(more)], .walkable))
        next.change(settings, at: start.advanced(by: .seconds(10)))
        send(10.2, 6, at: 11, to: next)
        #expect(result(next) == "9.99, 6.0 moved")
    }

    @Test(
        "Matching that comes with other settings, or with a restart, counts at once; where it goes, what was said does")
    func switched() throws {
        let source = try source()
        let matching = source.settings.matching
        var settings = source.settings
        settings.matching = nil
        source.change(settings, at: start)
        send(10.2, 6, to: source)
        #expect(result(source) == "10.2, 6.0")
        #expect(result(try restarted(source, at: 1)) == "10.31, 6.0 moved")
        settings.matching = matching
        source.change(settings, at: start.advanced(by: .seconds(1)))
        #expect(result(source) == "10.31, 6.0 moved")
        let published = try #require(source.location("t1"))
        settings.matching = nil
        let plain = TelemetrySource(id: "tags", settings: settings, at: start)
        _ = plain.restore(published, at: start.advanced(by: .seconds(2)))
        #expect(result(plain) == "10.2, 6.0")
    }

    // MARK: Routes

    private static let routes = [
        D.level(),
        D.feature("route", "south", line((0, 0), (40, 0)), #""level_id":"l0""#),
        D.feature("route", "north", line((0, 4), (40, 4)), #""level_id":"l0""#),
        D.feature("route", "link", line((0, 0), (0, 4)), #""level_id":"l0""#),
    ]

    @Test(
        "A position off the route is moved onto it",
        arguments: [
            (20, 1, nil, "20.0, 0.0 moved"), (20, 1, 0.9, "20.0, 0.0 moved"), (20, 1, 1.1, "20.0, 1.0"),
            (-3, 2, nil, "0.0, 2.0 moved"), (20, 3, nil, "20.0, 4.0 moved"), (43, 3, nil, "40.0, 4.0 moved"),
            (20, 60, nil, "20.0, 60.0"), (20, 0, nil, "20.0, 0.0"), (20, 0.008, nil, "20.0, 0.01"),
        ] as [(Double, Double, Double?, String)])
    func route(east: Double, north: Double, accuracy: Double?, expected: String) throws {
        let source = try source(.route, Self.routes)
        send(east, north, accuracy: accuracy, to: source)
        #expect(result(source) == expected)
    }

    @Test("Of two aisles it is the one to which the device can have come", arguments: [1.0, 60])
    func aisles(seconds: Double) throws {
        let source = try source(.route, Self.routes)
        send(30, 0, to: source)
        send(31, 2.1, at: seconds, to: source)
        #expect(result(source) == (seconds == 1 ? "31.0, 0.0 moved" : "31.0, 4.0 moved"))
    }

    @Test("Routes meet where they cross and where one ends at another")
    func crossings() throws {
        let cross = [
            D.level(),
            D.feature("route", "x", Self.line((0, 0), (40, 0)), #""level_id":"l0""#),
            D.feature("route", "y", Self.line((20, -10), (20, 10)), #""level_id":"l0""#),
            D.feature("route", "t", Self.line((20, 6), (30, 6)), #""level_id":"l0""#),
        ]
        let matcher = VenueMatcher([try venue(cross)], .route)
        func spot(_ east: Double, _ north: Double) throws -> MatchedPlace {
            let place = Place(position: Self.position(east, north), building: "B", floor: 0)
            return try #require(matcher.places(within: 0.1, of: place).first)
        }
        #expect(matcher.isReachable(from: try spot(10, 0), to: try spot(20, 5), within: 15.1))
        #expect(!matcher.isReachable(from: try spot(10, 0), to: try spot(20, 5), within: 14.9))
        #expect(matcher.isReachable(from: try spot(10, 0), to: try spot(25, 6), within: 21.1))
        #expect(!matcher.isReachable(from: try spot(10, 0), to: try spot(25, 6), within: 20.9))
    }

    // MARK: Against counting

    @Test("The nearest walkable place is what looking everywhere finds")
    func nearest() throws {
        let matcher = VenueMatcher([try venue()], .walkable)
        let ground = [(0.0, 0.0, 40.0, 3.0), (0, 3.3, 10, 9), (10.3, 3.3, 20, 9)]
        func isWalkable(_ east: Double, _ north: Double) -> Bool {
            let isInColumn = east > 30.01 && east < 30.49 && north > 1.01 && north < 1.49
            return !isInColumn && ground.contains { east >= $0 && north >= $1 && east <= $2 && north <= $3 }
        }
        func distance(_ a: (Double, Double), _ b: (Double, Double)) -> Double {
            let (east, north) = (a.0 - b.0, a.1 - b.1)
            return (east * east + north * north).squareRoot()
        }
        let grid = stride(from: 0.0, through: 40, by: 0.1).flatMap { east in
            stride(from: 0.0, through: 9, by: 0.1).filter { isWalkable(east, $0) }.map { (east, $0) }
        }
        for east in stride(from: -4.05, to: 45, by: 3.7) {
            for north in stride(from: -4.05, to: 14, by: 1.3) {
                let place = Place(position: Self.position(east, north), building: "B", floor: 0)
                let found = matcher.places(within: 50, of: place).first?.distance ?? -1
                let least = grid.map { distance($0, (east, north)) }.min() ?? -1
                #expect(abs(found - least) < 0.1, "\(east), \(north)")
            }
        }
    }

    @Test(
        "Places of an independent library are matched as far as it says, everywhere on earth",
        arguments: DistanceTests.cases)
    func library(item: DistanceTests.Case) throws {
        let frame = MapFrame(origin: try #require(Position.middle(of: Array(item.area.positions))))
        let area = try #require(PlaneArea(item.area, in: frame))
        let venue = Venue(
            building: "B", frame: frame, levels: [VenueLevel(id: "l", floor: 0, outline: item.area)],
            units: [
                VenueUnit(
                    id: "u", category: "room", levelID: "l", floor: 0, outline: item.area, area: area,
                    displayPoint: frame.origin)
            ], openings: [])
        let matcher = VenueMatcher([venue], .walkable)
        var matched = 0
        for (position, distance) in item.points where distance < 50 {
            let place = Place(position: position, building: "B", floor: 0)
            let found = try #require(matcher.places(within: 50.1, of: place).first)
            #expect(abs(found.distance - max(0, distance)) < 0.006, "\(position)")
            #expect(abs(position.distance(to: found.position) - found.distance) < 0.02)
            #expect(area.contains(try #require(frame.point(of: found.position))))
            matched += distance > 0.006 ? 1 : 0
        }
        // The places beside the largest ones are too far away to be matched.
        #expect(matched > 0 || item.size > 100_000)
    }
}
