internal import Foundation

/// The plane that touches the ellipsoid at a point, with metres east and north of it. Points come to the ellipsoid along
/// the vertical of the origin.
///
/// Lengths from the origin are shorter than the geodesic's by d³ / 6R²: 4 µm at 1 km, 4 mm at 10 km, 33 mm at 20 km, at
/// any latitude. Directions at the origin are true.
struct TangentPlane: Sendable, Hashable {
    let origin: Position
    private let sinLatitude: Double
    private let cosLatitude: Double
    /// The origin in the plane of its meridian: from the earth's axis, and from the equator.
    private let axial: Double
    private let polar: Double

    /// a² / b², which makes a sphere's equation of the ellipsoid's.
    private static let axes =
        (WGS84.semiMajorAxis / WGS84.semiMinorAxis) * (WGS84.semiMajorAxis / WGS84.semiMinorAxis)

    init(at origin: Position) {
        self.origin = origin
        (sinLatitude, cosLatitude) = (sin(origin.latitude.radians), cos(origin.latitude.radians))
        (axial, polar) = Self.meridianPoint(sinLatitude, cosLatitude)
    }

    private static func meridianPoint(_ sinLatitude: Double, _ cosLatitude: Double) -> (axial: Double, polar: Double) {
        let normal = WGS84.semiMajorAxis / (1 - (1 - 1 / axes) * sinLatitude * sinLatitude).squareRoot()
        return (normal * cosLatitude, normal / axes * sinLatitude)
    }

    /// The point of the ellipsoid above or below a point of the plane; `nil` beyond the earth's edge.
    func position(east: Double, north: Double) -> Position? {
        let x = axial - north * sinLatitude
        let z = polar + north * cosLatitude
        // How far along the vertical: the nearer root of a quadratic equation, written so that nothing cancels out.
        let square = cosLatitude * cosLatitude + Self.axes * sinLatitude * sinLatitude
        let half = x * cosLatitude + Self.axes * z * sinLatitude
        let rest = x * x + east * east + Self.axes * z * z - WGS84.semiMajorAxis * WGS84.semiMajorAxis
        let discriminant = half * half - square * rest
        guard discriminant >= 0 else { return nil }  // NaN, too
        let up = -rest / (half + discriminant.squareRoot())
        let (fromAxis, fromEquator) = (x + up * cosLatitude, z + up * sinLatitude)
        return Position(
            latitude: atan2(Self.axes * fromEquator, hypot(fromAxis, east)).degrees,
            longitude: wrapped(origin.longitude + atan2(east, fromAxis).degrees))
    }

    /// Metres east and north of the origin; meant for places near it.
    func coordinates(of position: Position) -> (east: Double, north: Double) {
        let (east, north, _) = point(of: position)
        return (east, north)
    }

    /// Metres east and north of the origin, and above the plane: what is far away is deep below it.
    func point(of position: Position) -> (east: Double, north: Double, up: Double) {
        let (sinLatitude, cosLatitude) = (sin(position.latitude.radians), cos(position.latitude.radians))
        let (axial, polar) = Self.meridianPoint(sinLatitude, cosLatitude)
        let longitude = wrapped(position.longitude - origin.longitude).radians
        let (x, east) = (axial * cos(longitude), axial * sin(longitude))
        let (outward, northward) = (x - self.axial, polar - self.polar)
        return (
            east, northward * self.cosLatitude - outward * self.sinLatitude,
            outward * self.cosLatitude + northward * self.sinLatitude
        )
    }
}
