internal import Geometry
internal import Randomness

/// What motions in steps have in common: each takes the same time, and begins where the last one ended.
struct Stepping: Sendable {
    /// One step from where the device is.
    struct Step {
        var end: Position
        var heading: Double
    }

    var random: SeededRandom
    private(set) var heading: Double
    private let stepTime: Duration
    private var leg: Leg
    private var hasMoved = false

    /// Starts anywhere within the radius, evenly spread over the area.
    init(around base: Position, radius: Double, stepTime: Duration, random: SeededRandom) {
        var random = random
        let distance = radius * random.uniform(in: 0...1).squareRoot()
        let bearing = random.uniform(in: 0...360)
        leg = Leg(standingAt: base.destination(distance: distance, bearing: bearing) ?? base)
        heading = random.uniform(in: 0...360)
        (self.stepTime, self.random) = (stepTime, random)
    }

    /// - Parameter accuracy: Metres, at a speed in metres a second.
    func state(accuracy: (_ speed: Double) -> Double) -> MotionState {
        MotionState(
            position: leg.position, heading: hasMoved ? heading : nil, speed: leg.speed, accuracy: accuracy(leg.speed))
    }

    /// - Parameter next: Chooses a step from where the last one ended.
    mutating func advance(by time: Duration, next: (inout Stepping, _ start: Position) -> Step) {
        guard stepTime > .zero else { return }
        var rest = leg.advance(by: time)
        while rest > .zero {
            let start = leg.end
            let step = next(&self, start)
            (heading, hasMoved) = (step.heading, true)
            leg = Leg(from: start, to: step.end, heading: step.heading, taking: stepTime)
            rest = leg.advance(by: rest)
        }
    }
}
