internal import Geometry

/// The mean speed over the last minute of a way. Of a step that began before, a part counts: its speed is taken as even.
struct SpeedAverage {
    private static let window = 60.0
    /// Steps that are kept at most, so that a device that reports at a high rate takes no more room: the window is cut in as
    /// many parts.
    private static let parts = 30.0

    /// The oldest first.
    private var steps: [(metres: Double, seconds: Double)] = []

    /// Metres a second; `nil` before the first step.
    var value: Double? {
        let seconds = steps.reduce(0) { $0 + $1.seconds }
        guard let oldest = steps.first, seconds > 0 else { return nil }
        let excess = max(0, seconds - Self.window)
        let metres = steps.reduce(0) { $0 + $1.metres } - oldest.metres * excess / oldest.seconds
        return (metres / (seconds - excess) * 100).rounded() / 100
    }

    mutating func add(metres: Double, seconds: Double) {
        if let last = steps.last, last.seconds + seconds <= Self.window / Self.parts {
            steps[steps.count - 1] = (last.metres + metres, last.seconds + seconds)
        } else {
            steps.append((metres, seconds))
        }
        var rest = steps.reduce(0) { $0 + $1.seconds }
        // The oldest goes when those after it fill the window without it.
        while let first = steps.first, rest - first.seconds >= Self.window {
            rest -= first.seconds
            steps.removeFirst()
        }
    }
}
