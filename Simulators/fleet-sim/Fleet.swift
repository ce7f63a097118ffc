import Geometry
import MotionModels
import Randomness

/// The devices of one source.
struct Fleet {
    let devices: [any SimulatedDevice]
    /// Of the plan that they know.
    let origin: Position

    /// - Parameter origin: `nil` is the tutorial's.
    init(devices: [any SimulatedDevice], origin: Position?) {
        self.devices = devices
        self.origin = origin ?? Self.base
    }

    /// The middle of the area in which they move, and the origin of its plan: the tutorial's.
    static let base: Position = {
        guard let base = Position(latitude: 57.0582502, longitude: 9.9504788) else { preconditionFailure("a constant") }
        return base
    }()

    /// The tutorial's fleet: over four floors of one building.
    init(
        source: String, count: Int, motion: Motion, seed: UInt64, kind: SimulatedFormat.Kind = .vacuum
    ) {
        origin = Self.base
        devices = (0..<count).map { number in
            switch motion {
            case .random: Self.wanderer(kind, number, source: source, random: SeededRandom(seed: seed, stream: number))
            }
        }
    }

    /// A device that works at random places until its battery is low, and goes home to charge.
    private static func wanderer(
        _ kind: SimulatedFormat.Kind, _ number: Int, source: String, random: SeededRandom
    ) -> any SimulatedDevice {
        var random = random
        let battery = Battery(charge: random.uniform(in: 25...100), drain: 0.1, gain: 0.5)
        let motion = RandomMotion(settings, random: random)
        return SimulatedVacuum(
            identity: DeviceIdentity(
                source: source, id: "\(kind.stem)\(number)", name: "\(kind.name) \(number)", type: kind.type,
                building: "Stigsborgvej", floor: 10 * (number % 4), dock: motion.state.position),
            vacuum: Vacuum(cleaning: motion, battery: battery))
    }

    /// A centimetre within the half metre and the 30 m of the tutorial: positions are told to a centimetre.
    private static var settings: RandomMotion.Settings {
        RandomMotion.Settings(base: base, radius: 29.99, longestStep: 0.49)
    }
}
