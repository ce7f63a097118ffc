import GPX
import Geometry

/// A point of a track with all that is to be told there.
struct Fix: Sendable {
    /// What lies between it and the one before.
    enum Wait {
        case start
        case leg(Duration)
        case gap(Duration)
    }

    var wait: Wait
    var state: MotionState
    var position: Position
    var hasCourse: Bool
    var hasSpeed: Bool

    /// On the way to the next fix of the segment.
    func state(towards next: Fix, fraction: Double) -> MotionState {
        let distance = position.distance(to: next.position)
        let place = position.destination(distance: distance * fraction, bearing: position.bearing(to: next.position))
        var heading = next.state.heading
        if hasCourse, next.hasCourse, let from = state.heading, let to = next.state.heading {
            // The short way round: from 359° to 1° through north.
            let turn = normalizedDirection(to - from + 180) - 180
            heading = normalizedDirection(from + turn * fraction)
        }
        let speed =
            hasSpeed && next.hasSpeed ? state.speed + (next.state.speed - state.speed) * fraction : next.state.speed
        return MotionState(position: place, heading: heading, speed: speed, accuracy: state.accuracy)
    }
}

/// Makes fixes of a track's points: sees one point ahead, since the first of a segment has its direction from the second.
struct FixReader<Source: TrackStepSource>: Sendable {
    /// Metres; what moved less kept its direction.
    private static var leastMovement: Double { 0.01 }

    private var source: Source
    private let loops: Bool
    private var ahead: TrackStep?
    private var last: (step: TrackStep, heading: Double?, speed: Double)?
    private var hasRewound = false

    init(_ source: Source, loops: Bool) {
        self.source = source
        self.loops = loops
        ahead = self.source.next()
    }

    mutating func next() -> Fix? {
        if ahead == nil, loops, last != nil {
            source.rewind()
            ahead = source.next()
            hasRewound = true
        }
        guard let step = ahead else { return nil }
        ahead = source.next()
        let wait = wait(before: step)
        hasRewound = false

        let incoming: Movement?
        if case .leg = wait, let last { incoming = Movement(from: last.step, to: step) } else { incoming = nil }
        var (heading, speed) = (step.point.course, step.point.speed)
        if let incoming, let last {
            heading = heading ?? (incoming.distance >= Self.leastMovement ? incoming.bearing : last.heading)
            speed = speed ?? incoming.speed ?? last.speed
        } else if let ahead, !ahead.isAfterGap {
            let outgoing = Movement(from: step, to: ahead)
            heading = heading ?? (outgoing.distance >= Self.leastMovement ? outgoing.bearing : nil)
            speed = speed ?? outgoing.speed
        }
        last = (step, heading, speed ?? 0)
        return Fix(
            wait: wait,
            state: MotionState(
                position: step.point.position, heading: heading, speed: speed ?? 0, accuracy: step.point.accuracy),
            position: step.point.position, hasCourse: step.point.course != nil, hasSpeed: step.point.speed != nil)
    }

    private func wait(before step: TrackStep) -> Fix.Wait {
        guard let last else { return .start }
        let time = step.time.duration(since: last.step.time)
        if hasRewound || time < .zero { return .gap(TrackPlayer<Source>.lossDelay) }
        return step.isAfterGap ? .gap(time) : .leg(time)
    }
}

/// From one point to the next.
private struct Movement {
    var distance: Double
    var bearing: Double
    /// `nil` where no time passes.
    var speed: Double?

    init(from start: TrackStep, to end: TrackStep) {
        let (from, to) = (start.point.position, end.point.position)
        distance = from.distance(to: to)
        bearing = from.bearing(to: to)
        let seconds = end.time.duration(since: start.time) / .seconds(1)
        speed = seconds > 0 ? distance / seconds : nil
    }
}
