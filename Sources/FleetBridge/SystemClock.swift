internal import Glibc
internal import Timestamps

/// The machine's clocks, read here and nowhere else.
enum SystemClock {
    static func now() -> Instant {
        let wall = read(CLOCK_REALTIME)
        let monotonic = read(CLOCK_MONOTONIC)
        return Instant(
            wall: Timestamp(microseconds: Int64(wall.tv_sec) * 1_000_000 + Int64(wall.tv_nsec) / 1_000),
            monotonic: .seconds(monotonic.tv_sec) + .nanoseconds(monotonic.tv_nsec))
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
