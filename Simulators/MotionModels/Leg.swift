import Geometry

/// A straight piece of a way, walked at one speed. Time is counted exactly, so that pieces add up.
struct Leg: Sendable {
    let start: Position
    let end: Position
    let heading: Double
    let duration: Duration
    private let length: Double
    private(set) var elapsed = Duration.zero

    init(from start: Position, to end: Position, heading: Double, taking duration: Duration) {
        self.start = start
        self.end = end
        self.heading = heading
        self.duration = duration
        length = start.distance(to: end)
    }

    /// A straight way at a speed in metres a second. Over at once where the speed leads nowhere.
    init(from start: Position, to end: Position, speed: Double) {
        let length = start.distance(to: end)
        self.init(
            from: start, to: end, heading: start.bearing(to: end),
            taking: speed > 0 ? Duration(finiteSeconds: length / speed) ?? .zero : .zero)
    }

    /// A leg that is already over.
    init(standingAt position: Position) {
        self.init(from: position, to: position, heading: 0, taking: .zero)
    }

    /// Metres a second; 0 for a leg that takes no time.
    var speed: Double { duration > .zero ? length / (duration / .seconds(1)) : 0 }

    var isOver: Bool { elapsed >= duration }

    var position: Position {
        if isOver { return end }
        if elapsed <= .zero { return start }
        return start.destination(distance: length * (elapsed / duration), bearing: heading) ?? start
    }

    /// Walks on, and returns the time that was left when the end was reached.
    mutating func advance(by time: Duration) -> Duration {
        guard time > .zero else { return .zero }
        let used = min(time, duration - elapsed)
        elapsed += used
        return time - used
    }
}

extension Duration {
    /// `nil` for a negative number, NaN or more than 30 years: `Duration.seconds(_:)` traps on what it cannot hold.
    init?(finiteSeconds seconds: Double) {
        guard (0...1e9).contains(seconds) else { return nil }
        self = .seconds(seconds)
    }
}
