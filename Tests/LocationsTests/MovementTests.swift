import Geometry
import Testing
import Timestamps

@testable import Locations

/// What follows from consecutive fixes. Places are metres east and north of one point.
struct MovementTests {
    private let start = Instant(wall: Timestamp(milliseconds: 1_795_953_600_000), monotonic: .seconds(100))
    private let frame: MapFrame

    init() throws { frame = MapFrame(origin: try #require(Position(latitude: 57, longitude: 10))) }

    private func source(_ adjust: (inout SourceSettings) -> Void) -> TelemetrySource {
        var settings = SourceSettings()
        adjust(&settings)
        return TelemetrySource(id: "robots", settings: settings, at: start)
    }

    private func send(
        _ east: Double, _ north: Double = 0, at seconds: Double, to source: TelemetrySource, retained: Bool = false,
        _ adjust: (inout Report) -> Void = { _ in }
    ) {
        var report = Report(id: "r1")
        report.position = frame.position(x: east, y: north).map { .value(.geographic($0)) } ?? .unknown
        adjust(&report)
        let outcome = source.apply(report, retained: retained, at: start.advanced(by: .seconds(seconds)))
        #expect(outcome == .applied)
    }

    private func distance(of source: TelemetrySource, fromEast east: Double) -> Double {
        guard let position = source.location("r1")?.position, let other = frame.position(x: east, y: 0) else {
            return .infinity
        }
        return position.distance(to: other)
    }

    // MARK: maxSpeed

    @Test(
        "A fix that takes more than maxSpeed is held and counted, up to it it is taken",
        arguments: [(29.9, 0), (30.1, 1)])
    func tooFast(east: Double, faults: Int) {
        let source = source { $0.maxSpeed = 3 }
        send(0, at: 0, to: source) { $0.accuracy = .value(0) }
        send(east, at: 10, to: source) {
            $0.accuracy = .value(0)
            $0.charge = .value(40)
        }
        #expect(source.takeFaults()["position-too-fast"] ?? 0 == faults)
        #expect(distance(of: source, fromEast: faults == 0 ? east : 0) < 0.001)
        #expect(source.location("r1")?.charge == 40, "the rest of the report counts")
        #expect(source.location("r1")?.positionTime == start.advanced(by: .seconds(faults == 0 ? 10 : 0)).wall)
    }

    @Test("The accuracies of both fixes are room for it, and times cut to seconds are, too")
    func room() {
        let source = source { $0.maxSpeed = 3 }
        send(0, at: 0, to: source) { $0.accuracy = .value(5) }
        send(12.9, at: 0.1, to: source) { $0.accuracy = .value(5) }
        #expect(source.takeFaults().isEmpty)
        send(12.9 + 13.1, at: 0.2, to: source) { $0.accuracy = .value(5) }
        #expect(source.takeFaults() == ["position-too-fast": 1])
    }

    @Test("After an outlier the next fix is held against the last that was believed")
    func back() {
        let source = source { $0.maxSpeed = 3 }
        send(0, at: 0, to: source)
        send(5_000, at: 1, to: source)
        send(2, at: 2, to: source)
        #expect(distance(of: source, fromEast: 2) < 0.001)
    }

    @Test("Five outliers in a row that agree are believed, and break the trail; scattered ones are not")
    func insisted() {
        let source = source {
            $0.maxSpeed = 3
            $0.derive = [.speed]
        }
        send(0, at: 0, to: source)
        send(1, at: 1, to: source)
        for second in 2...5 { send(5_000, at: Double(second), to: source) }
        #expect(distance(of: source, fromEast: 1) < 0.001)
        send(5_000, at: 6, to: source)
        #expect(distance(of: source, fromEast: 5_000) < 0.001)
        #expect(source.location("r1")?.speed == nil, "nobody ran that far")
        for second in 7...20 { send(second % 2 == 0 ? 9_000 : 1_000, at: Double(second), to: source) }
        #expect(distance(of: source, fromEast: 5_000) < 0.001)
    }

    @Test("Over 180° the way is short")
    func antimeridian() throws {
        let source = source { $0.maxSpeed = 3 }
        for (second, longitude) in [(0.0, 179.9998), (10.0, -179.9998)] {
            let position = try #require(Position(latitude: 57, longitude: longitude))
            send(0, at: second, to: source) { $0.position = .value(.geographic(position)) }
        }
        #expect(source.takeFaults().isEmpty)
    }

    @Test("A stored copy without a time came at any time: nothing is held against it")
    func stored() {
        let source = source { $0.maxSpeed = 3 }
        send(0, at: 0, to: source, retained: true)
        send(5_000, at: 1, to: source)
        #expect(distance(of: source, fromEast: 5_000) < 0.001)
    }

    @Test("The device's clock counts where it tells the time of both, not when they arrive")
    func deviceTime() {
        let source = source { $0.maxSpeed = 3 }
        let time = start.wall
        send(0, at: 0, to: source) { $0.time = time.advanced(by: .seconds(-60)) }
        send(100, at: 0.1, to: source) { $0.time = time }
        #expect(source.takeFaults().isEmpty)
    }

    // MARK: derive

    @Test("Speed and heading are those from the last fix to this one, and unknown with the first")
    func derived() {
        let source = source { $0.derive = [.heading, .speed] }
        send(0, at: 0, to: source)
        #expect(source.location("r1")?.speed == nil)
        #expect(source.location("r1")?.heading == nil)
        send(3, 3, at: 2, to: source)
        #expect(source.location("r1")?.speed == 2.12)
        #expect(source.location("r1")?.heading == 45)
        send(0, 3, at: 3, to: source)
        #expect(source.location("r1")?.speed == 3)
        #expect(source.location("r1")?.heading == 270)
    }

    @Test("Only what is asked for is computed, and what the device says counts more")
    func choice() {
        let source = source { $0.derive = [.speed] }
        send(0, at: 0, to: source) { $0.heading = .value(10) }
        send(3, at: 1, to: source) { $0.speed = .value(2.5) }
        #expect(source.location("r1")?.speed == 2.5)
        #expect(source.location("r1")?.heading == 10)
        send(6, at: 2, to: source) { $0.speed = .unknown }
        #expect(source.location("r1")?.speed == 3, "a device that does not know it")
    }

    @Test("Whoever stands has speed 0 and keeps the direction in which he came, also within his accuracy")
    func standing() {
        let source = source { $0.derive = [.heading, .speed] }
        send(0, at: 0, to: source)
        send(10, at: 1, to: source)
        send(10, at: 2, to: source)
        #expect(source.location("r1")?.speed == 0)
        #expect(source.location("r1")?.heading == 90)
        send(10, 4, at: 3, to: source) { $0.accuracy = .value(5) }
        #expect(source.location("r1")?.heading == 90)
        send(10, 6, at: 4, to: source) { $0.accuracy = .value(5) }
        #expect(source.location("r1")?.heading == 0)
    }

    @Test("The same fix said again is no other one, however the clocks have gone since")
    func sameFix() throws {
        let source = source { $0.maxSpeed = 5 }
        let fixed = start.wall
        func send(at seconds: Double, fixed: Timestamp, drift: Duration = .zero) throws -> Duration? {
            var report = Report(id: "r1")
            report.position = .value(.geographic(try #require(Position(latitude: 57, longitude: 10))))
            report.fixTime = fixed
            var now = start.advanced(by: .seconds(seconds))
            now.wall = now.wall.advanced(by: drift)
            #expect(source.apply(report, retained: false, at: now) == .applied)
            return source.devices["r1"]?.fixedAt
        }
        let first = try send(at: 1, fixed: fixed)
        #expect(first == start.monotonic)
        #expect(try send(at: 4, fixed: fixed, drift: .milliseconds(1)) == first)
        #expect(try send(at: 5, fixed: fixed.advanced(by: .seconds(2))) == start.monotonic + .seconds(2))
    }

    @Test("Slow steps add up to a direction")
    func slow() {
        let source = source { $0.derive = [.heading] }
        for step in 0...4 { send(0, -0.03 * Double(step), at: Double(step), to: source) }
        #expect(source.location("r1")?.heading == 180)
    }

    @Test(
        "Fixes that are too near in time say nothing new; after five minutes the way begins anew",
        arguments: [(0.1, 1.0), (300, 0.03), (301, nil)] as [(Double, Double?)])
    func times(seconds: Double, speed: Double?) {
        let source = source { $0.derive = [.speed] }
        send(0, at: 0, to: source)
        send(1, at: 1, to: source)
        send(11, at: 1 + seconds, to: source)
        #expect(source.location("r1")?.speed == speed)
    }

    @Test(
        "The average speed is that of the last minute, begins anew with the way, and is not computed where the device says one"
    )
    func average() {
        let source = source { $0.derive = [.averageSpeed] }
        func average() -> Double? { source.location("r1")?.averageSpeed }
        send(0, at: 0, to: source)
        #expect(average() == nil)
        for second in 1...60 { send(2 * Double(second), at: Double(second), to: source) }
        #expect(average() == 2)
        for second in 61...90 { send(120, at: Double(second), to: source) }
        #expect(abs((average() ?? 0) - 1) < 0.1)
        for second in 91...130 { send(120, at: Double(second), to: source) }
        #expect(average() == 0)
        #expect(source.location("r1")?.speed == nil)
        send(120, at: 131, to: source) { $0.properties["averageSpeed"] = 7 }
        #expect(average() == nil)
        send(0, at: 132, to: source) { $0.position = .unknown }
        #expect(average() == nil)
    }

    @Test("Of a step that began more than a minute ago the part within the minute counts")
    func partOfAStep() {
        let source = source { $0.derive = [.averageSpeed] }
        for (metres, seconds) in [(0.0, 0.0), (0, 150), (10, 160)] { send(metres, at: seconds, to: source) }
        #expect(source.location("r1")?.averageSpeed == 0.17)
        for (metres, seconds) in [(10.0, 460.0), (10, 490), (70, 520), (70, 530)] {
            send(metres, at: seconds, to: source)
        }
        #expect(source.location("r1")?.averageSpeed == 1)
    }

    @Test("Without a fix speed and heading are unknown, and two fixes are needed again")
    func lost() {
        let source = source { $0.derive = [.heading, .speed] }
        send(0, at: 0, to: source)
        send(1, at: 1, to: source)
        send(0, at: 2, to: source) { $0.position = .unknown }
        #expect(source.location("r1")?.speed == nil)
        #expect(source.location("r1")?.heading == nil)
        send(2, at: 3, to: source)
        #expect(source.location("r1")?.speed == nil)
        send(3, at: 4, to: source)
        #expect(source.location("r1")?.speed == 1)
    }

    @Test("Neither speed nor the limit of it is judged from one map to another")
    func maps() {
        let source = source {
            $0.derive = [.heading, .speed]
            $0.maxSpeed = 2
            $0.maps = MapTable([("a", FloorMap(frame: frame)), ("b", FloorMap(frame: frame))])
        }
        func on(_ map: String, x: Double, at seconds: Double) {
            send(0, at: seconds, to: source) { $0.position = .value(.plan(x: x, y: 0, map: map)) }
        }
        on("a", x: 0, at: 0)
        on("a", x: 1, at: 1)
        #expect(source.location("r1")?.speed == 1)
        on("b", x: 500, at: 2)
        #expect(distance(of: source, fromEast: 500) < 0.001)
        #expect(source.location("r1")?.speed == nil)
        #expect(source.location("r1")?.heading == nil)
        on("b", x: 501, at: 3)
        #expect(source.location("r1")?.speed == 1)
        #expect(source.takeFaults().isEmpty)
    }
}
