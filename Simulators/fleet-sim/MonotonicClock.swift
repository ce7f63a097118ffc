import Glibc
import Timestamps

/// The two clocks of the process: time since it started, and the time of day.
struct MonotonicClock {
    private let start = ContinuousClock.now

    var now: Duration { ContinuousClock.now - start }

    static var wall: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
