import Geometry
import MotionModels
import Randomness

/// The devices of one source.
struct Fleet {
    let devices: [any SimulatedDevice]

    /// The tutorial's fleet: vacuums over four floors of one building.
    init(source: String, count: Int, motion: Motion, seed: UInt64) {
        devices = (0..<count).map { number in
            switch motion {
            case .random: Self.vacuum(number, source: source, random: SeededRandom(seed: seed, stream: number))
            }
        }
    }

    private static func vacuum(_ number: Int, source: String, random: SeededRandom) -> any SimulatedDevice {
        var random = random
        let battery = Battery(charge: random.uniform(in: 25...100), drain: 0.1, gain: 0.5)
        let motion = RandomMotion(vacuumMotion, random: random)
        return SimulatedVacuum(
            identity: DeviceIdentity(
                source: source, id: "vacuum\(number)", name: "Vacuum \(number)", type: "robot-vacuum",
                building: "Stigsborgvej", floor: 10 * (number % 4)),
            vacuum: Vacuum(cleaning: motion, battery: battery))
    }

    /// A centimetre within the half metre and the 30 m of the tutorial: positions are told to a centimetre.
    private static var vacuumMotion: RandomMotion.Settings {
        guard let base = Position(latitude: 57.0582502, longitude: 9.9504788) else { preconditionFailure("a constant") }
        return RandomMotion.Settings(base: base, radius: 29.99, longestStep: 0.49)
    }
}
