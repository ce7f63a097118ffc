internal import Geometry
internal import Timestamps

/// Fields that are computed from consecutive fixes where a report with a fix does not say them.
public struct Derivation: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let heading = Derivation(rawValue: 1)
    public static let speed = Derivation(rawValue: 2)
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

    private var last: Fix?
    /// Whether the last fix and the next are no steps of one way: speed and heading begin anew.
    private var isInterrupted = false
    /// Where the heading is taken from: the last fix that lay far enough from the one before.
    private var anchor: Position?
    private var outlier: Fix?
    private var outliersInARow = 0

    /// Outliers in a row that agree with each other, after which the device is believed rather than the past.
    private static let patience = 5
    /// Devices that cut their times to seconds seem to move in no time at all.
    private static let shortestJudged = 1.0
    /// Seconds between two fixes that tell a speed: less is noise of the network, more says nothing of now.
    private static let steps = 0.2...300
    /// Metres of a way that has a direction, at least.
    private static let shortestWay = 0.1

    /// How a fix stands to the ones before.
    enum Verdict {
        case credible, outlier, /** Not credible, but the device insists: it was carried. */
            insisted
    }

    func judge(_ fix: Fix, maxSpeed: Double) -> Verdict {
        guard let last, !Self.isReachable(fix, from: last, maxSpeed) else {
            (outlier, outliersInARow) = (nil, 0)
            return .credible
        }
        let agrees = outlier.map { Self.isReachable(fix, from: $0, maxSpeed) } ?? false
        (outlier, outliersInARow) = (fix, agrees ? outliersInARow + 1 : 1)
        guard outliersInARow >= Self.patience else { return .outlier }
        (outlier, outliersInARow) = (nil, 0)
        return .insisted
    }

    private static func isReachable(_ fix: Fix, from other: Fix, _ maxSpeed: Double) -> Bool {
        guard fix.map == other.map, let seconds = fix.seconds(since: other) else { return true }
        let way = fix.position.distance(to: other.position) - (fix.accuracy ?? 0) - (other.accuracy ?? 0)
        return way <= maxSpeed * max(seconds, shortestJudged)
    }

    /// The device has no fix any more, or was carried.
    func interrupt() { (isInterrupted, speed, heading) = (true, nil, nil) }

    /// The device's clock was set back: its earlier times compare with nothing.
    func forgetTimes() {
        last?.time = nil
        outlier?.time = nil
    }

    /// Takes over a fix.
    func advance(to fix: Fix) {
        guard let last, last.map == fix.map, !isInterrupted, let seconds = fix.seconds(since: last),
            abs(seconds) <= Self.steps.upperBound
        else {
            (self.last, anchor, isInterrupted, speed, heading) = (fix, fix.position, false, nil, nil)
            return
        }
        guard seconds >= Self.steps.lowerBound else { return }
        speed = (last.position.distance(to: fix.position) / seconds * 100).rounded() / 100
        self.last = fix
        guard let anchor, anchor.distance(to: fix.position) >= max(Self.shortestWay, fix.accuracy ?? 0) else { return }
        self.anchor = fix.position
        heading = anchor.bearing(to: fix.position).roundedHeading(perDegree: 10)
    }
}
