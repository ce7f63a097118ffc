/// When a device's readings are due: at a fixed rhythm, of which none is left out.
struct Pulse {
    let interval: Duration
    /// Later than this, the time lost is given up and the rhythm starts anew: the process was stopped, or the machine slept.
    static let patience = Duration.seconds(5)

    private(set) var due: Duration

    init(interval: Duration, first: Duration) {
        self.interval = interval
        due = first
    }

    /// Whether a reading is due; one call takes one reading.
    mutating func take(now: Duration) -> Bool {
        guard now >= due else { return false }
        goOn(now: now, after: interval)
        return true
    }

    /// Puts off the next reading.
    mutating func goOn(now: Duration, after wait: Duration) {
        due = now - due > Self.patience ? now + wait : due + wait
    }
}
