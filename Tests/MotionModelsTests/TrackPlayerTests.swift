import GPX
import Geometry
import MotionModels
import Testing
import Timestamps

private struct Steps: TrackStepSource {
    var steps: [TrackStep]
    var index = 0

    mutating func next() -> TrackStep? {
        guard index < steps.count else { return nil }
        defer { index += 1 }
        return steps[index]
    }

    mutating func rewind() { index = 0 }
}

private let noon = Timestamp(milliseconds: 1_796_040_000_000)

private func step(
    _ second: Double, north: Double, gap: Bool = false, course: Double? = nil, speed: Double? = nil
) throws -> TrackStep {
    let base = try #require(Position(latitude: 57.0582502, longitude: 9.9504788))
    let point = try TrackPoint(
        position: #require(base.destination(distance: north, bearing: 0)), course: course, speed: speed, accuracy: 3)
    return TrackStep(time: noon.advanced(by: .seconds(second)), point: point, isAfterGap: gap)
}

@Suite("Replay of tracks")
struct TrackPlayerTests {
    /// Every moment with its time in milliseconds, and metres north; `nil` for a lost position.
    private func moments(_ player: inout TrackPlayer<Steps>, atMost count: Int = 100) throws -> [(Int, Double?)] {
        let base = try step(0, north: 0).point.position
        var (time, result) = (Duration.zero, [(Int, Double?)]())
        while result.count < count, let wait = player.timeToNext {
            time += wait
            let state = player.step()
            result.append(
                (
                    Int((time / .milliseconds(1)).rounded()),
                    state.position.map { (base.distance(to: $0) * 1_000).rounded() / 1_000 }
                ))
        }
        return result
    }

    private func check(_ found: [(Int, Double?)], _ expected: [(Int, Double?)]) {
        #expect(found.map(\.0) == expected.map(\.0))
        #expect(found.map(\.1) == expected.map(\.1))
    }

    @Test("Each point comes at its own time, equal times at once, and gaps are losses")
    func times() throws {
        let steps = try [
            step(0, north: 0), step(5, north: 5), step(5, north: 6), step(100, north: 50, gap: true),
            step(101, north: 51),
            step(101.5, north: 60, gap: true),
        ]
        var player = TrackPlayer(Steps(steps: steps))
        check(
            try moments(&player),
            [
                (0, 0), (5_000, 5), (5_000, 6), (6_000, nil), (100_000, 50), (101_000, 51), (101_250, nil),
                (101_500, 60),
            ])
        #expect(player.isOver && player.timeToNext == nil)
    }

    @Test("A factor makes it faster, a loop begins anew after a second without a place")
    func factorAndLoop() throws {
        let steps = try [step(0, north: 0), step(4, north: 4)]
        var player = TrackPlayer(Steps(steps: steps), speedFactor: 2, loops: true)
        check(
            try moments(&player, atMost: 6), [(0, 0), (2_000, 4), (2_250, nil), (2_500, 0), (4_500, 4), (4_750, nil)])
    }

    @Test("A segment that begins before the last one ended follows it after a second")
    func backwards() throws {
        let steps = try [step(10, north: 0), step(20, north: 10), step(0, north: 50, gap: true), step(3, north: 53)]
        var player = TrackPlayer(Steps(steps: steps))
        check(try moments(&player), [(0, 0), (10_000, 10), (10_500, nil), (11_000, 50), (14_000, 53)])
    }

    @Test("Between points it is on the way, in a gap it is nowhere")
    func interpolation() throws {
        let steps = try [step(0, north: 0), step(10, north: 20), step(80, north: 100, gap: true)]
        let base = steps[0].point.position
        var player = TrackPlayer(Steps(steps: steps))
        for second in 1...80 {
            let state = player.advance(by: .seconds(1))
            let north = state.position.map { base.distance(to: $0) }
            switch second {
            case 1..<10:
                #expect(abs(try #require(north) - Double(second) * 2) < 1e-6)
                #expect(abs(state.speed - 2) < 1e-6 && (state.heading ?? 9) < 1e-6)
            case 10: #expect(abs(try #require(north) - 20) < 1e-6)
            case 11..<80: #expect(state.position == nil && state.accuracy == nil && state.speed == 0)
            default: #expect(abs(try #require(north) - 100) < 1e-6)
            }
        }
        #expect(player.isOver)
    }

    @Test("However time is cut, the player arrives at the same place")
    func pieces() throws {
        var steps: [TrackStep] = []
        for number in 0..<50 {
            let second = Double(number * number % 7 + number * 7)
            steps.append(try step(second, north: Double(number), gap: number % 11 == 10))
        }
        var (whole, cut) = (
            TrackPlayer(Steps(steps: steps), loops: true), TrackPlayer(Steps(steps: steps), loops: true)
        )
        for _ in 0..<100 {
            let state = whole.advance(by: .milliseconds(7_300))
            for _ in 0..<73 { _ = cut.advance(by: .milliseconds(100)) }
            #expect(state == cut.state)
        }
    }

    @Test("Headings and speeds of the file are told as they are, and turn the short way between")
    func given() throws {
        let steps = try [
            step(0, north: 0, course: 350.5, speed: 1), step(5, north: 1, course: 359.5, speed: 1.2),
            step(10, north: 2, course: 1.5, speed: 2),
        ]
        var player = TrackPlayer(Steps(steps: steps))
        #expect((0..<3).map { _ in player.step().heading } == [350.5, 359.5, 1.5])
        player = TrackPlayer(Steps(steps: steps))
        let state = player.advance(by: .milliseconds(7_500))
        #expect(abs(try #require(state.heading) - 0.5) < 1e-9 && abs(state.speed - 1.6) < 1e-9 && state.accuracy == 3)
    }

    @Test("Derived values are finite where no time or no way lies between points")
    func derived() throws {
        let steps = try [
            step(0, north: 0), step(2, north: 3), step(2, north: 1), step(4, north: 1), step(5, north: 1, gap: true),
        ]
        var player = TrackPlayer(Steps(steps: steps))
        var states: [MotionState] = []
        while player.timeToNext != nil { states.append(player.step()) }
        #expect(states.map { $0.heading.map { $0.rounded() } } == [0, 0, 180, 180, nil, nil])
        #expect(states.map { ($0.speed * 100).rounded() / 100 } == [1.5, 1.5, 1.5, 0, 0, 0])
    }

    @Test("Nothing to play is over at once, also in a loop")
    func empty() {
        for loops in [false, true] {
            var player = TrackPlayer(Steps(steps: []), loops: loops)
            #expect(player.isOver && player.timeToNext == nil)
            #expect(player.advance(by: .seconds(5)).position == nil && player.step().position == nil)
        }
    }
}
