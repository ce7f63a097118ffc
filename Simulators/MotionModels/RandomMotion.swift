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
            step()
            rest = leg.advance(by: rest)
        }
        return state
    }

    private mutating func step() {
        let start = leg.end
        let length = random.uniform(in: 0...settings.longestStep)
        let turn = random.uniform(in: -settings.largestTurn...settings.largestTurn)
        var direction = normalised(heading + turn)
        var end = start.destination(distance: length, bearing: direction) ?? start
        if settings.base.distance(to: end) > settings.radius {
            // Straight home cannot leave the circle, unless the step is longer than the circle is wide.
            direction = start.bearing(to: settings.base)
            let inside = min(length, start.distance(to: settings.base))
            end = start.destination(distance: inside, bearing: direction) ?? start
        }
        heading = direction
        hasMoved = true
        leg = Leg(from: start, to: end, heading: direction, taking: settings.stepTime)
    }

    /// A laser scanner's estimate is best at rest: 0.2 m, and 0.2 m more for each metre a second.
    static func accuracy(speed: Double) -> Double {
        0.2 + 0.2 * speed
    }
}

func normalised(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let positive = rest < 0 ? rest + 360 : rest
    return positive < 360 ? positive : 0
}
