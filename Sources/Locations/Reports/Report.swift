public import Geometry
public import JSON
public import Timestamps

/// What one message says of one device, before it is merged with what is known.
///
/// Every format ends here: units, zero directions and spellings are behind it.
public struct Report: Sendable, Equatable {
    /// Empty where the message does not say whose it is.
    public var id: Identifier
    /// Which of the format's streams of a device this belongs to; times are compared within one stream only.
    public var stream = 0

    /// `unknown`: the device says that it has no fix.
    public var position: Reading<ReportedPosition> = .absent
    public var floor: Reading<ReportedFloor> = .absent
    /// Degrees clockwise from true north (for plan coordinates: from the plan's y axis), 0 ≤ heading < 360.
    public var heading: Reading<Double> = .absent
    /// Whether a heading without a position is one on a plan: that where the device was last.
    public var isHeadingOnPlan = false
    /// Metres a second.
    public var speed: Reading<Double> = .absent
    /// Radius in metres (for plan coordinates: in the plan's unit).
    public var accuracy: Reading<Double> = .absent
    /// Metres.
    public var altitude: Reading<Double> = .absent
    /// Percent, 0 … 100.
    public var charge: Reading<Double> = .absent
    public var charging: Reading<Bool> = .absent
    public var name: Reading<String> = .absent
    public var type: Reading<String> = .absent
    public var building: Reading<String> = .absent
    /// What the device is doing, in its own word or the format's common one (`cleaning`, `docked` …).
    public var state: Reading<String> = .absent

    /// The device's clock, as said: not yet judged.
    public var time: Timestamp?
    /// The other reading of a local time in the hour that comes twice.
    public var laterTime: Timestamp?
    /// When the position was fixed, where the message says that apart from its own time.
    public var fixTime: Timestamp?
    /// Orders reports of one time.
    public var sequence: Int64?
    public var ordering = Ordering.time
    /// Whether the device says it is connected. Ordered by arrival alone.
    public var connection: Connection?
    /// Whether the device has said that it will be silent: until its next report, silence is no sign of anything.
    public var announcesSilence = false
    /// Everything else. `null` means unknown from now on.
    public var properties = JSONObject()

    /// Another id than the topic's, which counts.
    public var contradictingID: String?

    /// Fields that were said in a way that cannot be used, as stable slugs: `charge-not-a-number`.
    public var faults: [String] = []

    public init(id: Identifier) { self.id = id }
}

extension Report {
    public enum Connection: String, Sendable { case online, offline }

    /// What makes a report newer than the last one of its stream.
    public enum Ordering: Sendable, Equatable {
        /// A newer time, or a higher sequence at the same time.
        case time
        /// A newer time, or a higher sequence: a clock that was put back is no reason to be late.
        case timeOrSequence
        /// The device has started anew: whatever was before counts no more.
        case restart
    }

    /// Whether it says nothing beyond whose it is and when.
    public var isEmpty: Bool {
        position.isAbsent && floor.isAbsent && heading.isAbsent && speed.isAbsent && accuracy.isAbsent
            && altitude.isAbsent && charge.isAbsent && charging.isAbsent && name.isAbsent && type.isAbsent
            && building.isAbsent && state.isAbsent && connection == nil && properties.isEmpty
    }

    /// Whether it only says that the device is connected, asleep or not: such a report creates no location.
    public var isConnectionOnly: Bool {
        guard connection != nil else { return false }
        var rest = self
        rest.connection = nil
        if announcesSilence { rest.state = .absent }
        return rest.isEmpty
    }
}

/// Where a device says it is.
public enum ReportedPosition: Sendable, Equatable {
    case geographic(Position)
    /// In a plan's frame, mostly metres, y up; `map` names the frame.
    case plan(x: Double, y: Double, map: String?)
}

/// A floor as a device names it; a table makes an index of it.
public enum ReportedFloor: Sendable, Equatable {
    case number(Double)
    case text(String)
    /// An index already, in no need of a table: a map says it.
    case index(Int)
}
