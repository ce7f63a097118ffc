import Geometry
import Randomness

/// The devices of one source.
struct Fleet {
    let devices: [any SimulatedDevice]
    /// Of the plan that they know.
    let origin: Position

    /// The middle of the area in which they move, and the origin of its plan: the tutorial's.
    static let base: Position = {
        guard let base = Position(latitude: 57.0582502, longitude: 9.9504788) else { preconditionFailure("a constant") }
        return base
    }()

    /// The tutorial's building, and the numbers of each device from the seed.
    init(
        source: String, count: Int, motion: any FleetMotion, seed: UInt64, kind: SimulatedFormat.Kind = .vacuum,
        building: String = "Stigsborgvej"
    ) {
        origin = motion.origin ?? Self.base
        devices = (0..<count).map { number in
            motion.device(
                DeviceSeat(
                    source: source, number: number, count: count, kind: kind, building: building,
                    random: SeededRandom(seed: seed, stream: number)))
        }
    }
}
