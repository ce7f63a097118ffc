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
    private var stepping: Stepping

    /// Starts anywhere within the radius, evenly spread over the area.
    public init(_ settings: Settings, random: SeededRandom) {
        self.settings = settings
        stepping = Stepping(
            around: settings.base, radius: settings.radius, stepTime: settings.stepTime, random: random)
    }

    public var state: MotionState { stepping.state(accuracy: Self.accuracy) }

    public mutating func advance(by time: Duration) -> MotionState {
        stepping.advance(by: time) { [settings] in Self.step(&$0, from: $1, settings) }
        return state
    }

    private static func step(_ stepping: inout Stepping, from start: Position, _ settings: Settings) -> Stepping.Step {
        // Drawn also where it is not used, so that the numbers that follow are the same.
        var turn = stepping.random.uniform(in: -settings.largestTurn...settings.largestTurn)
        if settings.base.distance(to: start) > settings.radius {
            let home = wrapped(start.bearing(to: settings.base) - stepping.heading)
            turn = min(max(home, -settings.largestTurn), settings.largestTurn)
        }
        let heading = normalizedDirection(stepping.heading + turn)
        return Stepping.Step(
            end: start.destination(distance: settings.step, bearing: heading) ?? start, heading: heading)
    }

    /// Radio beacons in a building place a phone within a metre and a half, and less well the faster it goes.
    static func accuracy(speed: Double) -> Double {
        1.5 + 0.5 * speed
    }
}
