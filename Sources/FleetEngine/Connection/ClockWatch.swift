internal import Timestamps

/// Notices when the machine's clock is set. Nothing is timed by it, but devices' times are judged by it, and the log is to say so.
struct ClockWatch {
    /// Less is how clocks are kept right all the time.
    private static let tolerance = Duration.seconds(2)

    private var last: Instant

    init(at now: Instant) { last = now }

    /// - Returns: By how much it was set since the last call; `nil`: not at all.
    mutating func step(at now: Instant) -> Duration? {
        defer { last = now }
        let step = now.wall.duration(since: last.wall) - (now.monotonic - last.monotonic)
        return step > Self.tolerance || step < .zero - Self.tolerance ? step : nil
    }
}
