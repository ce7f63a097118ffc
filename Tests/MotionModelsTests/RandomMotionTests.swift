import Geometry
import MotionModels
import Randomness
import Testing

private let places: [(Double, Double)] = [
    (57.0582502, 9.9504788), (0, 0), (-89.9999, 0), (89.99999, -120), (10, 180), (-33.9, -179.99999),
]

private func motion(at place: (Double, Double) = places[0], seed: UInt64 = 7) throws -> RandomMotion {
    let base = try #require(Position(latitude: place.0, longitude: place.1))
    return RandomMotion(.init(base: base), random: SeededRandom(seed: seed))
}

@Suite("Random motion")
struct RandomMotionTests {
    @Test("Steps are at most half a metre and stay within 30 m of the base, anywhere on the earth", arguments: places)
    func limits(place: (Double, Double)) throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            var motion = try motion(at: place, seed: seed)
            var last = try #require(motion.state.position)
            var travelled = 0.0
            for _ in 0..<2_000 {
                let next = try #require(motion.advance(by: .milliseconds(500)).position)
                #expect(last.distance(to: next) <= 0.501)
                #expect(motion.settings.base.distance(to: next) <= 30.001)
                travelled += last.distance(to: next)
                last = next
            }
            #expect(travelled > 300)
        }
    }

    @Test("The heading is the direction of the step and the speed its length over its time")
    func heading() throws {
        var motion = try motion()
        #expect(motion.state.heading == nil)
        #expect(motion.state.speed == 0)
        var last = try #require(motion.state.position)
        for _ in 0..<500 {
            let state = motion.advance(by: .milliseconds(500))
            let next = try #require(state.position)
            let metres = last.distance(to: next)
            #expect(abs(state.speed - metres * 2) < 0.01)
            if metres > 0.05 {
                let difference = abs(try #require(state.heading) - last.bearing(to: next))
                #expect(min(difference, 360 - difference) < 1)
            }
            last = next
        }
    }

    @Test("Time may be cut into any pieces", arguments: [[1], [3, 4], [100, 1], [250], [499, 1], [700]])
    func pieces(milliseconds: [Int]) throws {
        var (whole, cut) = try (motion(), motion())
        var total = 0
        while total < 14_000 {
            for piece in milliseconds {
                _ = cut.advance(by: .milliseconds(piece))
                total += piece
            }
        }
        #expect(whole.advance(by: .milliseconds(total)) == cut.state)
    }

    @Test("The same seed gives the same way, another seed another")
    func seeds() throws {
        var (a, b, other) = try (motion(seed: 1), motion(seed: 1), motion(seed: 2))
        for _ in 0..<100 {
            let state = a.advance(by: .milliseconds(500))
            #expect(state == b.advance(by: .milliseconds(500)))
            #expect(state.position != other.advance(by: .milliseconds(500)).position)
        }
    }

    @Test("No time and negative time change nothing", arguments: [Duration.zero, .seconds(-5)])
    func noTime(time: Duration) throws {
        var motion = try motion()
        let before = motion.advance(by: .milliseconds(700))
        #expect(motion.advance(by: time) == before)
    }

    @Test("Starts are spread over the area")
    func starts() throws {
        let distances = try (1...200).map { seed -> Double in
            let motion = try motion(seed: UInt64(seed))
            return motion.settings.base.distance(to: try #require(motion.state.position))
        }
        #expect(distances.allSatisfy { $0 <= 30.001 })
        // Half of a disc's area lies within 21.2 m.
        #expect((60...140).contains(distances.filter { $0 < 21.2 }.count))
    }
}
