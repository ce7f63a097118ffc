import Geometry
import MotionModels
import Testing

@Suite("Routes")
struct RouteMotionTests {
    private func position(_ latitude: Double, _ longitude: Double) throws -> Position {
        try #require(Position(latitude: latitude, longitude: longitude))
    }

    @Test(
        "A second is as many metres as the speed, at any latitude and across 180°",
        arguments: [(0.0, 9.95), (57.06, 9.95), (-33, 179.999), (89.9, 10), (57.06, -179.9995), (-89.9, 180)])
    func speed(latitude: Double, longitude: Double) throws {
        let start = try position(latitude, longitude)
        let corners = try [(200.0, 90.0), (300, 0), (100, 270)].reduce(into: [start]) { line, leg in
            line.append(try #require(line.last?.destination(distance: leg.0, bearing: leg.1)))
        }
        for end in RouteMotion.End.allCases {
            var motion = try #require(RouteMotion(along: corners, speed: 1.7, end: end))
            var last = motion.state
            #expect(last.position == start)
            for second in 1...1_000 {
                let state = motion.advance(by: .seconds(1))
                let (before, now) = try (#require(last.position), #require(state.position))
                let step = before.distance(to: now)
                let isOver = end == .stop && Double(second) * 1.7 > 600
                #expect(state.speed == (isOver ? 0 : 1.7))
                // Across a corner the straight way is shorter.
                #expect(step < 1.7 + 1e-6)
                if step > 1.7 - 1e-6 {
                    let turn = abs(before.bearing(to: now) - (try #require(last.heading)))
                    #expect(min(turn, 360 - turn) < 0.01)
                }
                last = state
            }
        }
    }

    @Test("At the end it stops, goes on to the start, or turns back")
    func ends() throws {
        let line = try [position(57, 9), position(57.001, 9), position(57.001, 9)]
        let length = line[0].distance(to: line[1])
        func after(_ lengths: Double, _ end: RouteMotion.End) throws -> (Double, Double?) {
            var motion = try #require(RouteMotion(along: line, speed: length, end: end))
            let state = motion.advance(by: .seconds(lengths))
            return (
                try line[0].distance(to: #require(state.position)) / length,
                state.heading.map { ($0 * 1e3).rounded() / 1e3 }
            )
        }
        #expect(try abs(after(7, .stop).0 - 1) < 1e-6)
        #expect(try abs(after(1.75, .reverse).0 - 0.25) < 1e-6 && after(1.75, .reverse).1 == 180)
        #expect(try abs(after(2.25, .reverse).0 - 0.25) < 1e-6 && after(2.25, .reverse).1 == 0)
        #expect(try abs(after(1.75, .loop).0 - 0.25) < 1e-6 && after(1.75, .loop).1 == 180)
        #expect(try abs(after(2.25, .loop).0 - 0.25) < 1e-6)
    }

    @Test("One point is a place to stand at; no point is no route, nor is a speed that is none")
    func degenerate() throws {
        let place = try position(57, 9)
        for end in RouteMotion.End.allCases {
            var motion = try #require(RouteMotion(along: [place, place], speed: 3, end: end))
            #expect(motion.advance(by: .seconds(9)).position == place && motion.state.speed == 0)
        }
        #expect(RouteMotion(along: [], speed: 1, end: .stop) == nil)
        for speed in [-1, .nan, .infinity] { #expect(RouteMotion(along: [place], speed: speed, end: .stop) == nil) }
    }

    @Test("Devices that start apart are apart")
    func start() throws {
        let line = try [position(57, 9), position(57.001, 9)]
        let motion = try #require(RouteMotion(along: line, speed: 1, end: .reverse, start: 0.5))
        #expect(abs(try line[0].distance(to: #require(motion.state.position)) - motion.length / 2) < 1e-6)
    }
}
