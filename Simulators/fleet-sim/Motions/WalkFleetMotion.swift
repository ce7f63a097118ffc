import Geometry
import MotionModels

/// The tutorial's people: they walk around the building's first floor.
struct WalkFleetMotion: FleetMotion {
    /// Where they start from.
    static let base: Position = {
        guard let base = Position(latitude: 57.058037, longitude: 9.950572) else { preconditionFailure("a constant") }
        return base
    }()

    var settings = WalkMotion.Settings(base: base)

    var usualCount: Int { 100 }
    var kind: SimulatedFormat.Kind? { .person }
    var source: String? { "people" }

    func device(_ seat: DeviceSeat) -> any SimulatedDevice {
        SimulatedTraveller(identity: seat.identity(), motion: WalkMotion(settings, random: seat.random))
    }
}

extension FleetMotion where Self == WalkFleetMotion {
    static var walk: Self { WalkFleetMotion() }
}
