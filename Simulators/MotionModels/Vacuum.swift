public import Geometry

/// A robot vacuum: cleans until its battery is low, drives home to its dock, charges, rests, drives back to where it
/// stopped and goes on. The motion while cleaning is any model's.
public struct Vacuum<Cleaning: MotionModel>: Sendable {
    /// What the vacuum is doing, in Valetudo's words and `charging`.
    public enum Activity: String, Sendable {
        case cleaning, returning, charging, docked, moving
    }

    public struct Settings: Sendable, Hashable {
        /// Percent at which it turns home.
        public var lowCharge: Double
        /// Metres a second on the way to and from the dock.
        public var travelSpeed: Double
        /// How long it stays on the dock once it is full.
        public var rest: Duration

        public init(lowCharge: Double = 20, travelSpeed: Double = 0.4, rest: Duration = .seconds(15)) {
            self.lowCharge = lowCharge
            self.travelSpeed = travelSpeed
            self.rest = rest
        }
    }

    public let settings: Settings
    public private(set) var battery: Battery
    public private(set) var activity = Activity.cleaning
    private var cleaning: Cleaning
    private let dock: Position?
    private var leg: Leg?
    private var rested = Duration.zero
    private var heading: Double?
    /// Whether it was sent home and waits there.
    private var isHeld = false

    /// - Parameter dock: `nil` is where the cleaning starts.
    public init(cleaning: Cleaning, battery: Battery, dock: Position? = nil, settings: Settings = Settings()) {
        self.cleaning = cleaning
        self.battery = battery
        self.dock = dock ?? cleaning.state.position
        self.settings = settings
    }

    /// Percent, 0…100.
    public var charge: Double { battery.charge }

    public var motion: MotionState {
        if activity == .cleaning { return cleaning.state }
        let speed = leg.map { $0.isOver ? 0 : $0.speed } ?? 0
        return MotionState(
            position: leg?.position ?? dock, heading: heading, speed: speed,
            accuracy: RandomMotion.accuracy(speed: speed))
    }

    /// Lets time pass, through as many changes of activity as it takes.
    ///
    /// - Parameter time: Zero or more; a negative duration changes nothing.
    public mutating func advance(by time: Duration) {
        var rest = max(time, .zero)
        // Activities that are over at once follow each other without time passing; two in a row always stop.
        var idleRounds = 0
        while rest > .zero, idleRounds < 8 {
            let used = min(rest, timeLeft ?? rest)
            spend(used)
            rest -= used
            idleRounds = used > .zero ? 0 : idleRounds + 1
            if timeLeft == .zero { change() }
        }
    }

    /// Sends it home, where it charges and stays until ``resume()``.
    ///
    /// - Returns: `false` where it has no dock.
    @discardableResult
    public mutating func goHome() -> Bool {
        guard dock != nil else { return false }
        isHeld = true
        if activity == .cleaning || activity == .moving {
            let here = motion.position
            activity = .returning
            drive(from: here, to: dock)
        }
        return true
    }

    /// Lets it go on where it stopped, however full it is. Without a ``goHome()`` before, nothing changes.
    public mutating func resume() {
        guard isHeld else { return }
        isHeld = false
        let here = motion.position
        activity = .moving
        drive(from: here, to: cleaning.state.position)
    }

    /// Until the activity ends; `nil` if it never does.
    private var timeLeft: Duration? {
        switch activity {
        case .cleaning: dock == nil ? nil : battery.time(downTo: settings.lowCharge)
        case .returning, .moving: leg.map { $0.duration - $0.elapsed } ?? .zero
        case .charging: battery.timeToFull
        case .docked: isHeld ? nil : max(.zero, settings.rest - rested)
        }
    }

    private mutating func spend(_ time: Duration) {
        switch activity {
        case .cleaning:
            heading = cleaning.advance(by: time).heading ?? heading
            battery.work(for: time)
        case .returning, .moving:
            _ = leg?.advance(by: time)
            battery.work(for: time)
        case .charging: battery.fill(for: time)
        case .docked: rested += time
        }
    }

    private mutating func change() {
        switch activity {
        case .cleaning:
            activity = .returning
            drive(from: cleaning.state.position, to: dock)
        case .returning:
            activity = .charging
        case .charging:
            activity = .docked
            rested = .zero
        case .docked:
            activity = .moving
            drive(from: dock, to: cleaning.state.position)
        case .moving:
            activity = .cleaning
            leg = nil
        }
    }

    /// Without both ends there is no way, and the drive is over at once.
    private mutating func drive(from start: Position?, to end: Position?) {
        guard let start, let end else {
            leg = nil
            return
        }
        let leg = Leg(from: start, to: end, speed: settings.travelSpeed)
        if !leg.isOver { heading = leg.heading }
        self.leg = leg
    }
}
