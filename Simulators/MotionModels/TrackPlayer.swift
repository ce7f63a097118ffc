public import GPX
import Geometry

/// Where a player gets its points from.
public protocol TrackStepSource: Sendable {
    /// `nil` at the end.
    mutating func next() -> TrackStep?
    /// Goes back to the first point.
    mutating func rewind()
}

/// Plays a recorded track at its own times: a cursor over its points, moved by whoever has a clock.
///
/// In a gap the position is lost, and nothing is interpolated across it: from a second after its last point, or from the middle
/// of the gap where that is earlier. Heading and speed are the track's where it has them, else what its points come to.
/// A segment that begins before the last one has ended, and the track's beginning in a loop, follow after a second.
public struct TrackPlayer<Source: TrackStepSource>: MotionModel {
    /// How long a place counts after the last that was heard, and how long a gap lasts whose times do not say it.
    public static var lossDelay: Duration { .seconds(1) }

    /// What happens at a time, counted from the start of the replay in the track's own time.
    private struct Moment {
        var time: Duration
        /// `nil`: the position is lost.
        var fix: Fix?
    }

    private var fixes: FixReader<Source>
    private let speedFactor: Double
    private var now = Duration.zero
    private var passed: Moment?
    /// At most two: a loss and the fix after it.
    private var coming: [Moment] = []
    /// When the last fix that was read is due.
    private var lastFix = Duration.zero
    private var isFresh = true
    /// Whether the position was lost and found again within the last ``advance(by:)``.
    public private(set) var hasPassedLoss = false

    /// - Parameters:
    ///   - speedFactor: How many times faster than it was recorded; more than 0.
    ///   - loops: Whether it begins anew at the end.
    public init(_ source: Source, speedFactor: Double = 1, loops: Bool = false) {
        fixes = FixReader(source, loops: loops)
        self.speedFactor = speedFactor > 0 && speedFactor.isFinite ? speedFactor : 1
        read()
        pass()
    }

    /// Whether nothing comes any more.
    public var isOver: Bool { coming.isEmpty && !(isFresh && passed != nil) }

    /// How long until something happens that ``step()`` tells of; `nil` when it is over.
    public var timeToNext: Duration? {
        if isFresh, passed != nil { return .zero }
        return coming.first.map { ($0.time - now) / speedFactor }
    }

    /// Goes to the next point or loss, however far it is: the first call gives the first point. Two points at one time take
    /// two steps and no time.
    public mutating func step() -> MotionState {
        if !isFresh, let next = coming.first {
            now = max(now, next.time)
            pass()
        }
        isFresh = false
        return state
    }

    public mutating func advance(by time: Duration) -> MotionState {
        guard time > .zero else { return state }
        isFresh = false
        now += time * speedFactor
        var wasLost = false
        while let next = coming.first, next.time <= now {
            pass()
            wasLost = wasLost || next.fix == nil
        }
        hasPassedLoss = wasLost && passed?.fix != nil
        return state
    }

    public var state: MotionState {
        guard let passed, let fix = passed.fix else {
            return MotionState(position: nil, heading: nil, speed: 0, accuracy: nil)
        }
        if let next = coming.first, let target = next.fix, next.time > passed.time, now > passed.time {
            return fix.state(towards: target, fraction: (now - passed.time) / (next.time - passed.time))
        }
        return fix.state
    }

    private mutating func pass() {
        guard !coming.isEmpty else { return }
        passed = coming.removeFirst()
        if coming.isEmpty { read() }
    }

    private mutating func read() {
        guard let fix = fixes.next() else { return }
        switch fix.wait {
        case .start: coming.append(Moment(time: .zero, fix: fix))
        case .leg(let wait): coming.append(Moment(time: lastFix + wait, fix: fix))
        case .gap(let wait):
            coming.append(Moment(time: lastFix + min(Self.lossDelay, wait / 2), fix: nil))
            coming.append(Moment(time: lastFix + wait, fix: fix))
        }
        lastFix = coming.last?.time ?? lastFix
    }
}
