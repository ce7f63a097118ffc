import Geometry
import Timestamps

/// What a GPX file consists of, in its order.
enum GPXItem {
    case trackStart
    case segmentStart
    case trackPoint(PointText)
    case segmentEnd
    case trackEnd(name: String?)
    case routeStart
    case routePoint(PointText)
    case routeEnd(name: String?)
    case waypoint(PointText)
}

/// A point as it is written: what could be read of it, and what is wrong with the rest.
struct PointText {
    var place: TextPlace
    var position: Result<Position, PointFault>
    var time: Result<Timestamp, PointFault> = .failure(PointFault(.noTime))
    var elevation: Double?
    var course: Double?
    var speed: Double?
    var accuracy: Double?
    var name: String?
}

/// Why a point is not taken.
struct PointFault: Error, Hashable {
    var reason: RejectedPoints.Reason
    /// The text at fault.
    var text: String?

    init(_ reason: RejectedPoints.Reason, _ text: String? = nil) {
        self.reason = reason
        self.text = text
    }
}

/// Track points that are not taken, for one reason.
public struct RejectedPoints: Sendable, Hashable {
    /// Raw values are printed and counted by, so they never change.
    public enum Reason: String, Sendable, CaseIterable {
        case noNumber = "lat/lon missing or not a decimal number"
        case outOfRange = "lat/lon out of range"
        case nullIsland = "lat/lon exactly 0,0"
        case noTime = "no time of its own"
        case unreadableTime = "time unreadable"
        /// Before GPS had a time: a receiver without a clock.
        case tooEarly = "time before 1980-01-06"
        case duplicate = "exact duplicate"
        case incomplete = "incomplete at end of file"
        case disorder = "out of order beyond the index"
    }

    public var reason: Reason
    public var count: Int
    /// Of the first of them.
    public var place: TextPlace
    /// What is written there, shortened; `nil` where nothing is.
    public var text: String?
}
