import Geometry
import JSON
import Locations
import Timestamps

/// Robots that wander about a hall in small steps and lose charge: a location source in Swift.
///
/// It lives on the engine's thread, does no I/O and reads no clock. What time it is comes as an argument; when it wants to be
/// called again it says by `nextDeadline`.
public final class RobotSource: LocationSource {
    /// How often each robot makes a step.
    static let stepTime = Duration.milliseconds(500)
    /// Degrees: less than half a metre here.
    static let longestStep = 0.000_004

    public let id: Identifier = "robots"
    public private(set) var status: SourceStatus
    public private(set) var lastMessage: Timestamp?
    public var observers: [any LocationObserver] = []

    private var robots: [Identifier: Location] = [:]
    private var random: Generator
    private var nextStep: Duration?

    public init(count: Int, seed: UInt64, at now: Instant) {
        random = Generator(state: seed)
        status = SourceStatus(kind: .notInitialised, since: now.wall)
        for number in 1...max(1, count) {
            var robot = Location(id: Identifier("robot\(number)"), source: id, time: now.wall)
            robot.name = "Robot #\(number)"
            robot.type = "robot-vacuum"
            robot.building = "Stigsborgvej"
            robot.floor = 10
            robot.position = Position(latitude: 57.0582502, longitude: 9.9504788)
            robot.charge = Double.random(in: 20...100, using: &random).rounded()
            robots[robot.id] = robot
        }
    }

    // MARK: What the engine asks

    public var locations: [Location] { Array(robots.values) }

    public func location(_ id: Identifier) -> Location? { robots[id] }

    public var counts: StatusCounts {
        var counts = StatusCounts()
        for robot in robots.values { counts[robot.status] += 1 }
        return counts
    }

    // MARK: What the engine wants done

    /// Tells of all robots, and begins to move them.
    public func start(at now: Instant) {
        nextStep = now.monotonic + Self.stepTime
        change(to: .available, "", at: now)
        tell(robots.keys.sorted(), isUrgent: true, at: now)
    }

    /// The robots stand still; what was announced stays announced.
    public func stop(at now: Instant) {
        nextStep = nil
        change(to: .inactive, "stopped", at: now)
    }

    public var nextDeadline: Duration? { nextStep }

    public func advance(to now: Instant) {
        guard let due = nextStep, due <= now.monotonic else { return }
        // Counted from now, not from when it was due: after a pause nothing is caught up.
        nextStep = now.monotonic + Self.stepTime
        for id in robots.keys.sorted() { step(id, at: now) }
        lastMessage = now.wall
        tell(robots.keys.sorted(), isUrgent: false, at: now)
    }

    // MARK: The robots

    private func step(_ id: Identifier, at now: Instant) {
        guard var robot = robots[id], let position = robot.position else { return }
        func jitter() -> Double { Double.random(in: -Self.longestStep...Self.longestStep, using: &random) }
        guard
            let next = Position(latitude: position.latitude + jitter(), longitude: position.longitude + jitter())
        else { return }
        robot.heading = position.bearing(to: next)
        robot.speed = position.distance(to: next) / (Self.stepTime / .seconds(1))
        robot.position = next
        robot.charge = robot.charge.map { $0 < 5 ? 100 : $0 - 0.05 }
        robot.time = now.wall
        robot.properties = JSONObject([("state", robot.charge == 100 ? "docked" : "cleaning")])
        robots[id] = robot
    }

    private func tell(_ ids: [Identifier], isUrgent: Bool, at now: Instant) {
        let updates = ids.compactMap { robots[$0] }.map {
            LocationUpdate(location: $0, cause: .time, isUrgent: isUrgent)
        }
        for observer in observers { observer.locationsUpdated(updates, from: self, at: now) }
    }

    private func change(to kind: SourceStatus.Kind, _ reason: String, at now: Instant) {
        status = SourceStatus(kind: kind, reason: reason, since: now.wall)
        for observer in observers { observer.statusChanged(of: self, at: now) }
    }
}

/// Seeded, so that a run repeats (SplitMix64).
private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
