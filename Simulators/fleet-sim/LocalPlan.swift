import Foundation
import Geometry

/// A plan in metres, right-handed: x to the east, y to the north of an origin.
struct LocalPlan: Sendable, Hashable {
    var name: String
    var origin: Position

    /// Exact in distance and bearing from the origin.
    func point(_ position: Position) -> (x: Double, y: Double) {
        let distance = origin.distance(to: position)
        let bearing = origin.bearing(to: position) * Double.pi / 180
        return (distance * sin(bearing), distance * cos(bearing))
    }

    /// A heading as an angle in degrees anticlockwise from x, −180 < angle ≤ 180.
    static func angle(heading: Double) -> Double {
        let angle = remainder(90 - heading, 360)
        return angle == -180 ? 180 : angle
    }
}
