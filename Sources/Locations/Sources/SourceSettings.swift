/// How one source's reports are judged, merged and published.
public struct SourceSettings: Sendable, Equatable {
    /// Used where neither the device nor its message says a type or building.
    public var type: String?
    public var building: String?
    /// The device's id where neither topic nor payload has one; without it, the source's id.
    public var device: String?

    /// Silence after which a location is stale; `nil`: never, the devices speak only when something changes.
    public var staleAfter: Duration?
    /// Age of the last position after which a location is lost; `nil`: never.
    public var lostAfter: Duration?
    /// How long a device may say that it moves while its position stays the same to the last digit, before it is lost;
    /// `nil`: for ever.
    public var stuckAfter: Duration?
    /// Time since the last arrival after which a location is removed; `nil`: never.
    public var removeAfter: Duration?
    /// How long a device must be offline before that is published.
    public var hold: Duration = .seconds(2)

    public var clock: Clock = .device
    /// IANA name of the zone of times that name none; `nil`: UTC.
    public var timeZone: String?
    /// How far ahead a device's clock may be.
    public var futureTolerance: Duration = .seconds(60)

    public var maxLocations = 100_000
    /// Bytes of a payload that are read at most.
    public var maxPayload = 64 * 1024
    /// The charge that means empty and full.
    public var chargeScale: ClosedRange<Double> = 0...100
    /// Indices by name; where neither this nor the building has a table, every integer is a floor.
    public var floors: FloorTable?
    /// The floors of buildings that have a table.
    public var buildingFloors: [Identifier: FloorTable] = [:]
    /// What the operator says of single devices, by id.
    public var devices: [Identifier: DeviceEntry] = [:]

    /// The maps that positions on a plan refer to.
    public var maps = MapTable()
    /// The map of positions that name none.
    public var map: Identifier?
    public var unknownMap = UnknownMap.reject

    /// The rooms and zones of the site; `nil`: there are none.
    public var areas: AreaSettings?

    /// Whether 0,0 degrees is a place and not a device without a fix.
    public var acceptNullIsland = false
    /// What tells in native telemetry and in mappings whether the device has a fix.
    public var validity: Validity?

    /// What positions are held against; `nil`: nothing, the devices are right.
    public var matching: PositionMatching?
    /// Metres a second above which a way from fix to fix cannot be; `nil`: everything can.
    public var maxSpeed: Double?
    public var derive: Derivation = []
    /// Metres from where it was published that a location must be before its movement alone is published; `nil`: any are.
    public var minDistance: Double?
    /// Shortest time between two published states that differ in more than status; `nil`: `maxRate` alone decides.
    public var minInterval: Duration?
    /// States a second and location; `nil`: unlimited.
    public var maxRate: Double? = 2
    /// How often a state is published in which only the time is new; `nil`: never.
    public var heartbeat: Duration? = .seconds(10)

    public init(staleAfter: Duration? = .seconds(30), removeAfter: Duration? = .seconds(7 * 86_400)) {
        self.staleAfter = staleAfter
        self.removeAfter = removeAfter
    }

    public enum Clock: String, Sendable, CaseIterable { case device, arrival }

    /// The shortest time between two states of a location where no status changes.
    public var publishInterval: Duration {
        max(maxRate.map { .seconds(1 / $0) } ?? .zero, minInterval ?? .zero)
    }

    /// Whether a fix is held against the one before.
    var comparesFixes: Bool { maxSpeed != nil || !derive.isEmpty || matching != nil }
}
