internal import Glibc

/// Distances near one latitude, in metres: degrees are scaled by the ellipsoid's radii of curvature there (WGS 84).
/// Within 0.1 % up to a few hundred kilometres, except near the poles.
struct LocalRuler {
    private let metresPerLongitude, metresPerLatitude: Double

    init(latitude: Double) {
        let equatorialRadius = 6_378_137.0
        let flattening = 1 / 298.257_223_563
        let squaredEccentricity = flattening * (2 - flattening)
        let radians = Double.pi / 180
        let cosine = cos(latitude * radians)
        let squared = 1 / (1 - squaredEccentricity * (1 - cosine * cosine))
        metresPerLongitude = radians * equatorialRadius * squared.squareRoot() * cosine
        metresPerLatitude =
            radians * equatorialRadius * squared.squareRoot() * squared * (1 - squaredEccentricity)
    }

    /// From one position to another, the shorter way round the world.
    private func vector(from a: Coordinate, to b: Coordinate) -> PlanarPoint {
        let turn = (b.longitude - a.longitude).remainder(dividingBy: 360)
        return PlanarPoint(
            x: turn * metresPerLongitude, y: (b.latitude - a.latitude) * metresPerLatitude)
    }

    func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
        let vector = vector(from: a, to: b)
        return (vector.x * vector.x + vector.y * vector.y).squareRoot()
    }

    func distance(_ point: Coordinate, toSegment start: Coordinate, _ end: Coordinate) -> Double {
        let along = vector(from: start, to: end)
        let out = vector(from: start, to: point)
        let squaredLength = along.x * along.x + along.y * along.y
        let share =
            squaredLength > 0 ? min(max((out.x * along.x + out.y * along.y) / squaredLength, 0), 1) : 0
        let (x, y) = (out.x - along.x * share, out.y - along.y * share)
        return (x * x + y * y).squareRoot()
    }
}
