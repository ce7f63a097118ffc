import Randomness

/// How long to wait before the next attempt to connect: 1 s, doubling to 10 s, with jitter, so that a fleet does not come
/// back all at once.
struct Backoff {
    static let first = Duration.seconds(1), longest = Duration.seconds(10)

    private var next = first
    private var random: SeededRandom

    init(random: SeededRandom) {
        self.random = random
    }

    /// The time to wait now: between half and all of the current step.
    mutating func delay() -> Duration {
        defer { next = min(next * 2, Self.longest) }
        return next * random.uniform(in: 0.5...1)
    }

    mutating func reset() {
        next = Self.first
    }
}
