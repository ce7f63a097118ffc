import Geometry
import MotionModels

/// Who a device is: what never changes.
struct DeviceIdentity: Sendable, Hashable {
    var source: String
    var id: String
    var name: String
    var type: String
    /// Empty for a device outside of any.
    var building: String
    /// The index of the floor: 0, 10, 20 …
    var floor: Int
    /// Where it starts, and charges.
    var dock: Position?
}

/// What a device knows about itself at one moment, whatever format it is told in.
struct Reading: Sendable, Hashable {
    var motion: MotionState
    /// Percent; `nil` for a device without a battery.
    var charge: Double?
    /// What it is doing, in one word.
    var state: String?

    var isCharging: Bool { state == "charging" }
}

/// One device, without clock or network.
protocol SimulatedDevice: Sendable {
    var identity: DeviceIdentity { get }

    /// Lets time pass, and tells how things are then.
    mutating func advance(by time: Duration) -> Reading

    /// When it has something to tell the next time.
    var pace: Pace { get }

    /// Whether it has a dock to go to. A place where it begins is not one yet.
    var canGoHome: Bool { get }

    /// Goes to its dock, if it has one, and stays there until ``resume()``.
    mutating func goHome()

    /// Goes on with what it did before ``goHome()``.
    mutating func resume()
}

/// When a device tells how things are.
enum Pace: Equatable {
    /// At the fleet's interval.
    case interval
    /// So long after the last reading, or after its first connection. Nothing of it is left out: where the connection has no
    /// room, it waits.
    case own(Duration)
    /// Never again: it leaves.
    case over
}

extension SimulatedDevice {
    var pace: Pace { .interval }
    var canGoHome: Bool { false }
    mutating func goHome() {}
    mutating func resume() {}
}

struct SimulatedVacuum<Cleaning: MotionModel>: SimulatedDevice {
    let identity: DeviceIdentity
    var vacuum: Vacuum<Cleaning>

    mutating func advance(by time: Duration) -> Reading {
        vacuum.advance(by: time)
        return Reading(motion: vacuum.motion, charge: vacuum.charge, state: vacuum.activity.rawValue)
    }
    var canGoHome: Bool { true }
    mutating func goHome() { vacuum.goHome() }
    mutating func resume() { vacuum.resume() }
}
