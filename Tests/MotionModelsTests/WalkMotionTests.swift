import Geometry
import Randomness
import Testing

@testable import MotionModels

@Suite("Walking people")
struct WalkMotionTests {
    @Test(
        "Every step is half a metre, turned by 22° at most, and nobody gets lost, anywhere on Earth",
        arguments: [(57.058037, 9.950572), (-33.9, 180), (0, -180), (85, 0), (-89.9, 12)])
    func steps(latitude: Double, longitude: Double) throws {
        let base = try #require(Position(latitude: latitude, longitude: longitude))
        var walk = WalkMotion(.init(base: base), random: SeededRandom(seed: 3))
        var (last, lastHeading) = (walk.state, Double?.none)
        #expect(last.heading == nil && last.speed == 0)
        for _ in 0..<5_000 {
            let state = walk.advance(by: .milliseconds(500))
            let (before, now) = try (#require(last.position), #require(state.position))
            #expect(abs(before.distance(to: now) - 0.5) < 1e-6)
            #expect(abs(state.speed - 1) < 1e-6)
            #expect(abs((state.accuracy ?? 0) - 2) < 1e-6)
            let heading = try #require(state.heading)
            if let lastHeading { #expect(abs(wrapped(heading - lastHeading)) < 22.000001) }
            #expect(base.distance(to: now) < 33)
            (last, lastHeading) = (state, heading)
        }
    }

    @Test("A minute at once ends as a minute in pieces")
    func pieces() throws {
        let base = try #require(Position(latitude: 57, longitude: 9.9))
        var whole = WalkMotion(.init(base: base), random: SeededRandom(seed: 8))
        var cut = whole
        _ = whole.advance(by: .seconds(60))
        for _ in 0..<600 { _ = cut.advance(by: .milliseconds(100)) }
        #expect(whole.state == cut.state)
    }

    @Test(
        "Turns go the short way",
        arguments: [(350, 10, 20), (10, 350, -20), (0, 180, 180), (90, 89, -1)] as [(Double, Double, Double)])
    func turns(from: Double, to: Double, turn: Double) {
        #expect(abs(wrapped(to - from) - turn) < 1e-9)
    }
}
