import CommandLineTool
import Wording

/// Everything about the devices of one source.
struct FleetPlan: Sendable {
    /// Whether devices have connections of their own.
    enum Connections: Sendable, Equatable {
        case own
        /// So many for all; `nil`: one for each 500 devices.
        case shared(Int?)

        static let devicesEach = 500

        /// How many connections so many devices have.
        func count(devices: Int) -> Int {
            switch self {
            case .own: devices
            case .shared(let count): min(devices, count ?? (devices + Self.devicesEach - 1) / Self.devicesEach)
            }
        }
    }

    var source: String
    var count: Int
    var motion: any FleetMotion = .random
    var kind: SimulatedFormat.Kind
    var building = "Stigsborgvej"
    var format: SimulatedFormat
    /// The name of the plan that they know.
    var map: String
    var interval: Duration
    var connections = Connections.own
    var faults = FaultSettings()
    var schedule: [CommandSchedule.Entry] = []

    /// What the format and the motion leave open.
    init(
        format: SimulatedFormat, motion: any FleetMotion, source: String? = nil, count: Int? = nil,
        map: String = "floor", interval: Duration = .milliseconds(500)
    ) {
        self.format = format
        self.motion = motion
        self.interval = interval
        let isNative = format.name == SimulatedFormat.native.name
        self.source = source ?? (isNative ? motion.source : nil) ?? format.source
        self.count = count ?? motion.usualCount
        kind = motion.kind ?? format.kind
        self.map = map
    }

    /// Leaves out what the format cannot have where all was asked for.
    ///
    /// - Throws: Where such a fault was asked for by its name.
    mutating func dropImpossibleFaults() throws(UsageError) {
        let fields = PayloadFields.of(format.name)
        for kind in FaultKind.allCases where kind.isOfPayload && !(fields?.allows(kind) ?? false) {
            guard faults.probabilities[kind] != nil else { continue }
            guard faults.isEverything else {
                throw UsageError("the fault \(kind.rawValue) is not possible with the format \(format.name)")
            }
            faults.probabilities[kind] = nil
        }
    }

    /// Readings a second; `nil` where that is not for the fleet to say.
    var rate: Double? { motion.hasOwnPace ? nil : Double(count) / (interval / .seconds(1)) }

    var summary: String { "\(count) \(format.name) device\(count == 1 ? "" : "s") of \(source)" }
}

extension ValueParser where Value == FleetPlan.Connections {
    /// `own`, `shared` or how many.
    static var connections: ValueParser {
        word { text throws(UsageError) in
            switch text {
            case "own": return .own
            case "shared": return .shared(nil)
            default:
                if let count = Int(text), (1...10_000).contains(count) { return .shared(count) }
                throw UsageError("'\(Escape.text(text))' is neither own nor shared nor a number from 1 to 10000")
            }
        }
    }
}
