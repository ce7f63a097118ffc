/// Commands that a file gives for times of the run.
struct CommandSchedule: Sendable {
    struct Entry: Sendable, Hashable {
        /// Since the start of the run.
        var time: Duration
        /// `nil`: once.
        var period: Duration?
        /// Ids; `nil`: all of the source.
        var devices: [String]?
        var command: DeviceCommand
    }

    private var waiting: [Entry]

    init(_ entries: [Entry]) { waiting = entries }

    /// When ``take(at:)`` has something to give.
    var due: Duration? { waiting.map(\.time).min() }

    /// What is due, in the order of the times, and of the file where they are equal. Of periods that were slept through, one.
    mutating func take(at now: Duration) -> [Entry] {
        var result: [(time: Duration, entry: Entry)] = []
        var rest: [Entry] = []
        for entry in waiting {
            guard entry.time <= now else {
                rest.append(entry)
                continue
            }
            result.append((entry.time, entry))
            guard let period = entry.period, period > .zero else { continue }
            var next = entry
            let missed = ((now - entry.time) / period).rounded(.down)
            next.time += period * (missed + 1)
            if next.time <= now { next.time += period }
            rest.append(next)
        }
        waiting = rest
        return result.sorted { $0.time < $1.time }.map(\.entry)
    }
}
