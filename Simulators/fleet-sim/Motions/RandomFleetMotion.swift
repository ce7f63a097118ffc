import Geometry
import MotionModels

/// Devices that work at random places until their batteries are low, and go home to charge.
struct RandomFleetMotion: FleetMotion {
    /// A centimetre within the half metre and the 30 m of the tutorial: positions are told to a centimetre.
    var settings = RandomMotion.Settings(base: Fleet.base, radius: 29.99, longestStep: 0.49)

    func device(_ seat: DeviceSeat) -> any SimulatedDevice {
        var random = seat.random
        let battery = Battery.ofFleet(&random)
        let motion = RandomMotion(settings, random: random)
        return SimulatedVacuum(
            identity: seat.identity(dock: motion.state.position), vacuum: Vacuum(cleaning: motion, battery: battery))
    }
}

extension FleetMotion where Self == RandomFleetMotion {
    static var random: Self { RandomFleetMotion() }
}
