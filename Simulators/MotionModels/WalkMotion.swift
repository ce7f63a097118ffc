public import Geometry
public import Randomness

/// Walks as the tutorials' people do: steps of one length, each turned a little from the last one. Outside of the radius
/// the turns lead back, by no sharper bends, so that nobody is ever further out than a turn is wide.
public struct WalkMotion: MotionModel {
    public struct Settings: Sendable, Hashable {
        /// The middle of the area.
        public var base: Position
        /// Metres around the base; beyond it the way bends back.
        public var radius: Double
        /// Metres a step.
        public var step: Double
        /// How long each step takes.
        public var stepTime: Duration
        /// A step's direction differs from the last one's by at most so many degrees to either side.
        public var largestTurn: Double

        public init(
            base: Position, radius: Double = 30, step: Double = 0.5, stepTime: Duration = .milliseconds(500),
            largestTurn: Double = 22
        ) {
            self.base = base
            self.radius = radius
            self.step = step
            self.stepTime = stepTime
            self.largestTurn = largestTurn
        }
    }

    public let settings: Settings
    private var random: SeededRandom
    private var leg: Leg
    private var heading: Double
    private var hasMoved = false

    /// Starts anywhere within the radius, evenly spread over the area.
    public init(_ settings: Settings, random: SeededRandom) {
        var random = random
        let distance = settings.radius * random.uniform(in: 0...1).squareRoot()
        let bearing = random.uniform(in: 0...360)
        let start = settings.base.destination(distance: distance, bearing: bearing) ?? settings.base
        heading = random.uniform(in: 0...360)
        self.settings = settings
        self.random = random
        leg = Leg(standingAt: start)
    }

    public var state: MotionState {
        MotionState(
            position: leg.position, heading: hasMoved ? heading : nil, speed: leg.speed,
            accuracy: Self.accuracy(speed: leg.speed))
    }

    public mutating func advance(by time: Duration) -> MotionState {
        guard settings.stepTime > .zero else { return state }
        var rest = leg.advance(by: time)
        while rest > .zero {
            takeStep()
            rest = leg.advance(by: rest)
        }
        return state
    }

    private mutating func takeStep() {
        let start = leg.end
        // Drawn also where it is not used, so that the numbers that follow are the same.
        var turn = random.uniform(in: -settings.largestTurn...settings.largestTurn)
        if settings.base.distance(to: start) > settings.radius {
            let home = signedAngle(from: heading, to: start.bearing(to: settings.base))
            turn = min(max(home, -settings.largestTurn), settings.largestTurn)
        }
        heading = normalised(heading + turn)
        hasMoved = true
        let end = start.destination(distance: settings.step, bearing: heading) ?? start
        leg = Leg(from: start, to: end, heading: heading, taking: settings.stepTime)
    }

    /// Radio beacons in a building place a phone within a metre and a half, and less well the faster it goes.
    static func accuracy(speed: Double) -> Double {
        1.5 + 0.5 * speed
    }
}

/// The turn from one direction to another, −180 < turn ≤ 180, clockwise positive.
func signedAngle(from heading: Double, to other: Double) -> Double {
    let turn = normalised(other - heading)
    return turn > 180 ? turn - 360 : turn
}
