internal import Geometry
internal import Timestamps

/// Notices a device that says it moves while its position stays the same to the last digit: its positioning hangs, and what
/// it sends as its position is where it was. One that stands is none: it says no speed.
///
/// A class, since hardly any device has one.
final class StuckWatch {
    /// Metres a second that noise of a speedometer does not reach.
    private static let slowest = 0.1

    private var position: Position?
    /// When it came there, by the device's clock.
    private(set) var arrived: Timestamp?
    /// Monotonic time of the first fix in a row that said so; `nil` where the last one did not.
    private(set) var since: Duration?

    /// A live report with a fix has come.
    ///
    /// - Parameters:
    ///   - fixed: When, by the device's clock.
    ///   - speed: As the report says it, metres a second.
    func note(_ position: Position, fixed: Timestamp, speed: Double?, at now: Duration) {
        if position != self.position { arrived = fixed }
        if position == self.position, let speed, speed >= Self.slowest {
            since = since ?? now
        } else {
            since = nil
        }
        self.position = position
    }

    /// It was stuck there before the bridge was started.
    func restore(_ position: Position, arrived: Timestamp, since: Duration) {
        (self.position, self.arrived, self.since) = (position, arrived, since)
    }
}
