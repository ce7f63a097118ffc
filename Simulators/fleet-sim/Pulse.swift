/// When a device's readings are due: at a steady rhythm, of which none is left out.
struct Pulse {
    /// From the next reading on.
    var interval: Duration
    /// Later than this, the time lost is given up and the rhythm starts anew: the process was stopped, or the machine slept.
    static let patience = Duration.seconds(5)

    private(set) var due: Duration

    init(interval: Duration, first: Duration) {
        self.interval = interval
        due = first
    }

    /// Takes a reading, if one is due.
    ///
    /// - Returns: How many were left out after it; `nil` where none is due.
    mutating func take(now: Duration) -> Int? {
        guard now >= due else { return nil }
        let missed = now - due > Self.patience ? Int((now - due) / interval) : 0
        goOn(now: now, after: interval)
        return missed
    }

    /// Puts off the next reading.
    mutating func goOn(now: Duration, after wait: Duration) {
        due = now - due > Self.patience ? now + wait : due + wait
    }
}
