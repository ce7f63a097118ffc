public import Geometry
public import Randomness

/// Wanders in small random steps, as the tutorials' robots do, but on from where the last step ended and never
/// further than a radius from the base. The heading is the direction of the step.
public struct RandomMotion: MotionModel {
    public struct Settings: Sendable, Hashable {
        /// The middle of the area.
        public var base: Position
        /// Metres around the base that are never left.
        public var radius: Double
        /// Metres; each step is between nothing and this.
        public var longestStep: Double
        /// How long each step takes.
        public var stepTime: Duration
        /// A step's direction differs from the last one's by at most so many degrees to either side.
        public var largestTurn: Double

        public init(
            base: Position, radius: Double = 30, longestStep: Double = 0.5, stepTime: Duration = .milliseconds(500),
            largestTurn: Double = 60
        ) {
            self.base = base
            self.radius = radius
            self.longestStep = longestStep
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
        let length = stepping.random.uniform(in: 0...settings.longestStep)
        let turn = stepping.random.uniform(in: -settings.largestTurn...settings.largestTurn)
        let direction = normalizedDirection(stepping.heading + turn)
        let end = start.destination(distance: length, bearing: direction) ?? start
        guard settings.base.distance(to: end) > settings.radius else {
            return Stepping.Step(end: end, heading: direction)
        }
        // Straight home cannot leave the circle, unless the step is longer than the circle is wide.
        let home = start.bearing(to: settings.base)
        let inside = min(length, start.distance(to: settings.base))
        return Stepping.Step(end: start.destination(distance: inside, bearing: home) ?? start, heading: home)
    }

    /// A laser scanner's estimate is best at rest: 0.2 m, and 0.2 m more for each metre a second.
    static func accuracy(speed: Double) -> Double {
        0.2 + 0.2 * speed
    }
}
