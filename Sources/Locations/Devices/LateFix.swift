public import Geometry
public import Timestamps

/// Where a location was at a time before the newest one that is known.
public struct LateFix: Sendable, Equatable {
    public var location: Identifier
    public var position: Position
    /// The device's own.
    public var time: Timestamp
    /// Metres.
    public var altitude: Double?
    /// Degrees clockwise from true north, 0 ≤ heading < 360.
    public var heading: Double?
    /// Metres a second.
    public var speed: Double?
    /// Radius in metres.
    public var accuracy: Double?

    /// - Returns: `nil` for a report without a position on the earth.
    init?(_ report: borrowing Report, time: Timestamp?) {
        guard case .value(.geographic(let position)) = report.position, let time = report.fixTime ?? time else {
            return nil
        }
        (location, self.position, self.time) = (report.id, position, time)
        (altitude, heading) = (report.altitude.value, report.heading.value)
        (speed, accuracy) = (report.speed.value, report.accuracy.value)
    }
}
