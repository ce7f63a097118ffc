/// Lets the first of equal events through, then counts them and tells once a minute how many more there were: one bad device
/// must not fill a disk, and nothing is to be kept back without a word.
struct LogLimiter {
    static let interval = Duration.seconds(60)
    /// Different events that are told apart; beyond, they are only counted.
    static let maximumKeys = 1_000
    /// Bytes.
    private static let longestKey = 1_000

    private struct Known {
        let entry: LogEntry
        var nextReport: Duration
        var suppressed = 0
    }

    private var known: [String: Known] = [:]
    /// When the first of them may be forgotten, found out when there was no room.
    private var fullUntil = Duration.zero
    /// When counts are to be told; `nil`: nothing was kept back.
    private(set) var nextDeadline: Duration?

    /// - Parameter entry: Made only where it is told.
    /// - Returns: What is to be told now: the event, or that there are too many.
    mutating func admit(_ key: String, at now: Duration, _ entry: () -> LogEntry) -> LogEntry? {
        let key = key.cut(to: Self.longestKey)
        if let known = known[key] {
            if now < known.nextReport || known.suppressed > 0 {
                suppress(key, until: known.nextReport)
                return nil
            }
        } else if !hasRoom(at: now) {
            return admitBeyond(at: now)
        }
        let entry = entry()
        known[key] = Known(entry: entry, nextReport: now + Self.interval)
        return entry
    }

    /// The counts that are due, each with the first of its events.
    mutating func takeDue(at now: Duration) -> [LogEntry] {
        guard let deadline = nextDeadline, deadline <= now else { return [] }
        return take { $0.nextReport <= now }
    }

    /// All counts, before the end.
    mutating func takeAll() -> [LogEntry] { take { _ in true } }

    private mutating func take(where isDue: (Known) -> Bool) -> [LogEntry] {
        nextDeadline = nil
        var entries: [LogEntry] = []
        for (key, event) in known.sorted(by: { ($0.value.nextReport, $0.key) < ($1.value.nextReport, $1.key) })
        where event.suppressed > 0 {
            guard isDue(event) else {
                nextDeadline = min(nextDeadline ?? event.nextReport, event.nextReport)
                continue
            }
            var entry = event.entry
            entry.fields.append(("times", String(event.suppressed)))
            entries.append(entry)
            known[key] = Known(entry: event.entry, nextReport: event.nextReport + Self.interval)
        }
        return entries
    }

    private mutating func suppress(_ key: String, until deadline: Duration) {
        known[key]?.suppressed += 1
        nextDeadline = min(nextDeadline ?? deadline, deadline)
    }

    private mutating func hasRoom(at now: Duration) -> Bool {
        if known.count < Self.maximumKeys { return true }
        guard now >= fullUntil else { return false }
        known = known.filter { $0.value.nextReport > now || $0.value.suppressed > 0 }
        fullUntil = known.values.map(\.nextReport).min() ?? now
        return known.count < Self.maximumKeys
    }

    private mutating func admitBeyond(at now: Duration) -> LogEntry? {
        let key = ""
        if let beyond = known[key], now < beyond.nextReport || beyond.suppressed > 0 {
            suppress(key, until: beyond.nextReport)
            return nil
        }
        let entry = LogEntry(
            .warning, "more than \(Self.maximumKeys) different events within a minute; others are only counted")
        known[key] = Known(entry: entry, nextReport: now + Self.interval)
        suppress(key, until: now + Self.interval)  // the event itself is not told
        return entry
    }
}
