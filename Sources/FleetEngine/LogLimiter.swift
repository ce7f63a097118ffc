/// Lets the first of equal events through, then counts them and lets one count a minute through: one bad device must not
/// fill a disk.
struct LogLimiter {
    static let interval = Duration.seconds(60)
    /// Different events that are told apart; beyond, they share one count.
    static let maximumKeys = 1_000

    private struct Entry {
        var nextReport: Duration
        var suppressed = 0
    }

    private var entries: [String: Entry] = [:]

    /// - Returns: `nil` to be silent; else how many equal events were kept back since the last one that was told.
    mutating func admit(_ key: String, at now: Duration) -> Int? {
        let known = entries[key] != nil
        if !known, entries.count >= Self.maximumKeys {
            entries = entries.filter { $0.value.nextReport > now }
        }
        let key = known || entries.count < Self.maximumKeys ? key : ""
        guard var entry = entries[key] else {
            entries[key] = Entry(nextReport: now + Self.interval)
            return 0
        }
        guard now >= entry.nextReport else {
            entries[key]?.suppressed += 1
            return nil
        }
        let suppressed = entry.suppressed
        entry = Entry(nextReport: now + Self.interval)
        entries[key] = entry
        return suppressed
    }
}
