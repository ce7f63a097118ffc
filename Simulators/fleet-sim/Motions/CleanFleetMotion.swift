import Geometry
import MotionModels
import Randomness

/// Vacuums that cover a room in lanes, each begun at another place, and charge where they began unless there is a dock.
struct CleanFleetMotion: FleetMotion {
    /// An L of 12 m by 8 m at the tutorial's building.
    static let room: [Position] = [(0, 0), (12, 0), (12, 4), (5, 4), (5, 8), (0, 8)].compactMap { east, north in
        Fleet.base.destination(distance: east, bearing: 90)?.destination(distance: north, bearing: 0)
    }

    var settings = CleaningMotion.Settings(room: room)
    var dock: Position?

    /// Whether the settings are such that there is something to clean.
    var isPossible: Bool { CleaningMotion(settings) != nil }

    func device(_ seat: DeviceSeat) -> any SimulatedDevice {
        var random = seat.random
        let battery = Battery.ofFleet(&random)
        let progress = Double(seat.number) / Double(max(1, seat.count))
        guard let motion = CleaningMotion(settings, progress: progress) else {
            preconditionFailure("a room that nobody looked at")
        }
        let home = dock ?? motion.state.position
        return SimulatedVacuum(
            identity: seat.identity(dock: home), vacuum: Vacuum(cleaning: motion, battery: battery, dock: home))
    }
}

extension Battery {
    /// Nearly empty to full, and lasts for a quarter of an hour.
    static func ofFleet(_ random: inout SeededRandom) -> Battery {
        Battery(charge: random.uniform(in: 25...100), drain: 0.1, gain: 0.5)
    }
}
