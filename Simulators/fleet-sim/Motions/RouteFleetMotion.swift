import Geometry
import MotionModels

/// Devices that go along one line, spread over it unless they stop at its end.
struct RouteFleetMotion: FleetMotion {
    let path: String
    /// Metres a second.
    var speed = 1.0
    var end = RouteMotion.End.stop
    /// Of the file; empty before it was looked at.
    private var points: [Position] = []

    init(path: String) { self.path = path }

    var usualCount: Int { 1 }
    var origin: Position? { points.first }

    func prepared(warn: (String) -> Void) throws -> any FleetMotion {
        var prepared = self
        prepared.points = try RouteFile(path: path).points
        guard RouteMotion(along: prepared.points, speed: speed, end: end) != nil else {
            throw RouteFile.Fault(description: "\(path): all points of the line are the same place")
        }
        return prepared
    }

    func device(_ seat: DeviceSeat) -> any SimulatedDevice {
        let start = end == .stop ? 0 : Double(seat.number) / Double(max(1, seat.count))
        guard let motion = RouteMotion(along: points, speed: speed, end: end, start: start) else {
            preconditionFailure("a line that nobody looked at")
        }
        return SimulatedTraveller(identity: seat.outside(at: motion.state.position), motion: motion)
    }
}
