/// One moment as both clocks read it. Intervals and time-outs go by the monotonic one, so that a step of the wall clock
/// ages nothing; the wall clock labels what is published and judges what devices say of their own clocks.
public struct Instant: Sendable, Hashable {
    public var wall: Timestamp
    /// Since a fixed moment of no meaning; never goes back.
    public var monotonic: Duration

    public init(wall: Timestamp, monotonic: Duration) {
        self.wall = wall
        self.monotonic = monotonic
    }

    public func advanced(by duration: Duration) -> Instant {
        Instant(wall: wall.advanced(by: duration), monotonic: monotonic + duration)
    }
}
