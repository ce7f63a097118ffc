internal import Foundation

/// Polygons with holes on the earth, as GeoJSON has them: the edges are straight in degrees, and go the short way round.
public struct GeographicArea: Sendable, Hashable {
    /// The rings of one polygon: the outer one first, then the holes; without the first point repeated.
    public typealias Polygon = [[Position]]

    public let polygons: [Polygon]

    /// - Parameter polygons: At least one, each with at least one ring of three points or more.
    public init(_ polygons: [Polygon]) { self.polygons = polygons }

    public var positions: some Sequence<Position> { polygons.joined().joined() }
}

extension PlaneArea {
    /// The area in a building's plane.
    ///
    /// An edge that is straight in degrees is bent there, by 2 mm in 100 m at 85° N. Long ones are divided, so that the border
    /// is within 5 mm of where it is.
    ///
    /// - Returns: `nil` where a point is beyond the frame's reach.
    public init?(_ area: GeographicArea, in frame: MapFrame) {
        var rings: [[PlanePoint]] = []
        for ring in area.polygons.joined() {
            guard let points = ring.points(in: frame) else { return nil }
            rings.append(points)
        }
        self.init(rings: rings)
    }
}

extension [Position] {
    /// A closed line in a plane.
    fileprivate func points(in frame: MapFrame) -> [PlanePoint]? {
        var points: [PlanePoint] = []
        for (index, position) in enumerated() {
            let next = self[index + 1 < count ? index + 1 : 0]
            for place in [position] + position.between(next) {
                guard let point = frame.point(of: place) else { return nil }
                points.append(point)
            }
        }
        return points
    }
}

extension Position {
    /// Places on the straight line in degrees to another one, so many that the geodesic is nowhere far from them.
    fileprivate func between(_ other: Position) -> [Position] {
        let (dLatitude, dLongitude) = (other.latitude - latitude, wrapped(other.longitude - longitude))
        let steepest = Swift.max(abs(latitude), abs(other.latitude))
        let east = dLongitude.radians * WGS84.semiMajorAxis * cos(latitude.radians)
        let north = dLatitude.radians * WGS84.semiMajorAxis
        // What a parallel is off from the geodesic, and a bit for slanting edges.
        let bend =
            (east * east + 2 * abs(east * north)) * tan(Swift.min(steepest, 89.9).radians)
            / (8 * WGS84.semiMajorAxis)
        guard bend > 0.003 else { return [] }
        let parts = Swift.min(10_000, Int((bend / 0.003).squareRoot().rounded(.up)))
        return (1..<Swift.max(parts, 2)).compactMap { step in
            let part = Double(step) / Double(Swift.max(parts, 2))
            return Position(
                latitude: latitude + part * dLatitude, longitude: wrapped(longitude + part * dLongitude))
        }
    }
}
