internal import Geometry
internal import Timestamps

/// Fields that are computed from consecutive fixes where a report with a fix does not say them.
public struct Derivation: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let heading = Derivation(rawValue: 1)
    public static let speed = Derivation(rawValue: 2)
    public static let averageSpeed = Derivation(rawValue: 4)
}

/// A position with what it takes to compare it with another.
struct Fix {
    var position: Position
    /// The map that it was given on; `nil` for one that came in degrees.
    var map: Identifier?
    /// The device's time of it, where it can be used.
    var time: Timestamp?
    /// Monotonic; `nil` for a stored copy, which came at any time.
    var arrival: Duration?
    var accuracy: Double?

    /// Seconds since an earlier fix by the device's clock, else by ours; `nil` where neither tells.
    func seconds(since other: Fix) -> Double? {
        if let time, let earlier = other.time { return time.duration(since: earlier).inSeconds }
        if let arrival, let earlier = other.arrival { return (arrival - earlier).inSeconds }
        return nil
    }
}

/// What consecutive fixes of one device say of its movement. Fixes on different maps are not compared: each map has errors
/// of its own, and a lift leads from one to the other.
final class Movement {
    /// Metres a second from the last fix but one to the last; `nil` where the way begins anew.
    private(set) var speed: Double?
    /// Degrees clockwise from true north, 0 ≤ heading < 360; whoever stands keeps the direction in which he came.
    private(set) var heading: Double?

    /// Metres a second over the last minute; `nil` where the way begins anew.
    var averageSpeed: Double? { average.value }

    private var average = SpeedAverage()
    private var last: Fix?
    /// Whether the last fix and the next are no steps of one way: speed and heading begin anew.
    private var isInterrupted = false
    /// Where the heading is taken from: the last fix that lay far enough from the one before.
    private var anchor: Position?
    /// Where on a plan the device was taken to be, and by which fix.
    private(set) var standing: (place: MatchedPlace, fix: Fix)?
    private var doubted: Fix?
    private var doubtedInARow = 0

    /// Doubted fixes in a row that agree with each other, after which the device is believed rather than the past.
    private static let patience = 5
    /// Devices that cut their times to seconds seem to move in no time at all.
    private static let shortestJudged = 1.0
    /// Seconds between two fixes that tell a speed: less is noise of the network, more says nothing of now.
    private static let steps = 0.2...300
    /// Metres of a way that has a direction, at least.
    private static let shortestWay = 0.1

    /// Whether the device can have come to a fix from the one before.
    func isReachable(_ fix: Fix, _ maxSpeed: Double) -> Bool {
        last.map { Self.isReachable(fix, from: $0, maxSpeed) } ?? true
    }

    /// Metres that the device can have gone since it was taken to be somewhere on a plan; `nil` where that is not known.
    func farthestTravel(to fix: Fix, _ maxSpeed: Double) -> Double? {
        guard let standing, standing.fix.map == fix.map, let seconds = fix.seconds(since: standing.fix) else {
            return nil
        }
        return maxSpeed * max(seconds, Self.shortestJudged) + (fix.accuracy ?? 0) + (standing.fix.accuracy ?? 0)
    }

    /// A fix is nothing to wonder about.
    func trust() { (doubted, doubtedInARow) = (nil, 0) }

    /// A fix is not credible.
    ///
    /// - Returns: Whether the device insists, so that it is to be believed all the same: it was carried.
    func doubt(_ fix: Fix, _ maxSpeed: Double) -> Bool {
        let agrees = doubted.map { Self.isReachable(fix, from: $0, maxSpeed) } ?? false
        (doubted, doubtedInARow) = (fix, agrees ? doubtedInARow + 1 : 1)
        guard doubtedInARow >= Self.patience else { return false }
        trust()
        return true
    }

    /// The device is taken to be at a place on a plan; `nil`: at none that is known.
    func stand(at place: MatchedPlace?, by fix: Fix) { standing = place.map { ($0, fix) } }

    private static func isReachable(_ fix: Fix, from other: Fix, _ maxSpeed: Double) -> Bool {
        guard fix.map == other.map, let seconds = fix.seconds(since: other) else { return true }
        let way = fix.position.distance(to: other.position) - (fix.accuracy ?? 0) - (other.accuracy ?? 0)
        return way <= maxSpeed * max(seconds, shortestJudged)
    }

    /// The device has no fix any more, or was carried.
    func interrupt() { (isInterrupted, speed, heading, average) = (true, nil, nil, SpeedAverage()) }

    /// The device's clock was set back: its earlier times compare with nothing.
    func forgetTimes() {
        last?.time = nil
        doubted?.time = nil
        standing?.fix.time = nil
    }

    /// Where the last fix is on another plan, or on none.
    func stand(at place: MatchedPlace?) { standing = place.flatMap { place in last.map { (place, $0) } } }

    /// A fix is known from before the bridge was started, or from before fixes were compared.
    func resume(from fix: Fix) { (last, anchor) = (fix, fix.position) }

    /// Takes over a fix.
    func advance(to fix: Fix) {
        guard let last, last.map == fix.map, !isInterrupted, let seconds = fix.seconds(since: last),
            abs(seconds) <= Self.steps.upperBound
        else {
            (self.last, anchor, isInterrupted, speed, heading) = (fix, fix.position, false, nil, nil)
            average = SpeedAverage()
            return
        }
        guard seconds >= Self.steps.lowerBound else { return }
        let metres = last.position.distance(to: fix.position)
        speed = (metres / seconds * 100).rounded() / 100
        average.add(metres: metres, seconds: seconds)
        self.last = fix
        guard let anchor, anchor.distance(to: fix.position) >= max(Self.shortestWay, fix.accuracy ?? 0) else { return }
        self.anchor = fix.position
        heading = anchor.bearing(to: fix.position).roundedHeading(perDegree: 10)
    }
}
