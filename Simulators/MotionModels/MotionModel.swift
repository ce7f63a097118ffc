public import Geometry

/// How one device moves. A value without a clock: the caller says how much time has passed.
public protocol MotionModel: Sendable {
    /// Where the device is now.
    var state: MotionState { get }

    /// Lets time pass. However it is cut into pieces, the device arrives at the same place.
    ///
    /// - Parameter time: Zero or more; a negative duration changes nothing.
    mutating func advance(by time: Duration) -> MotionState
}

/// What a device's sensors say about its motion.
public struct MotionState: Sendable, Hashable {
    /// `nil` while the device does not know where it is.
    public var position: Position?
    /// The direction of the last movement, degrees clockwise from true north; `nil` before the first.
    public var heading: Double?
    /// Metres a second.
    public var speed: Double
    /// The radius in metres that the true position is within; `nil` without a position.
    public var accuracy: Double?

    public init(position: Position?, heading: Double?, speed: Double, accuracy: Double?) {
        self.position = position
        self.heading = heading
        self.speed = speed
        self.accuracy = accuracy
    }
}
