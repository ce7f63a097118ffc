internal import Foundation

/// A point that is known on a plan and on the earth.
public struct ControlPoint: Sendable, Hashable {
    public var x: Double
    public var y: Double
    public var position: Position

    public init(x: Double, y: Double, position: Position) {
        (self.x, self.y, self.position) = (x, y, position)
    }
}

/// A map frame fitted to control points by least squares.
public struct MapFit: Sendable {
    /// What may be done to the plan.
    public enum Transform: String, Sendable, CaseIterable {
        /// Turn, scale and move: for plans that are true to scale. Takes two points; what more there are check each other.
        case similarity
        /// Stretch and mirror, too: for scans and images. Takes three points that are not on a line.
        case affine

        var pointsNeeded: Int { self == .similarity ? 2 : 3 }
    }

    public let frame: MapFrame
    /// Metres from each control point to where the frame puts it.
    public let residuals: [Double]
    /// Metres between the two control points that are farthest apart.
    public let extent: Double

    /// The root of the mean square of the residuals, in metres.
    public var rms: Double { (residuals.reduce(0) { $0 + $1 * $1 } / Double(residuals.count)).squareRoot() }
    public var largestResidual: Double { residuals.max() ?? 0 }
}

extension MapFit {
    /// A larger residual, as a part of the extent, is a contradiction: no survey is that bad.
    static let contradiction = 0.1
    /// A residual above this part of the extent, or above a metre, deserves a look; but none below 0.1 m does, which is
    /// what six decimals of a degree can say.
    static let suspicion = 0.02

    /// Whether the control points fit together so badly that somebody should look at them.
    public var isPoor: Bool { largestResidual > max(0.1, min(1, Self.suspicion * extent)) }

    /// Fits a frame.
    ///
    /// - Throws: Where the points do not determine one, or contradict each other.
    public init(_ points: [ControlPoint], _ transform: Transform) throws(MapFitError) {
        guard points.count >= transform.pointsNeeded else { throw .tooFew(needed: transform.pointsNeeded) }
        try Self.checkDistances(points)
        let plane = Self.plane(of: points)
        let pairs = points.map { Self.pair($0, on: plane) }
        if transform == .affine {
            if breadth(pairs.map { ($0.x, $0.y) }) < MapFitError.line { throw .onOneLine(.plan) }
            if breadth(pairs.map { ($0.east, $0.north) }) < MapFitError.line { throw .onOneLine(.earth) }
        }
        guard let found = Self.transform(pairs, transform) else { throw .onOneLine(.plan) }
        frame = MapFrame(plane: plane, transform: found)
        residuals = pairs.map { found.residual($0) }
        extent = Self.extent(pairs)
        if let fault = MapFitError.contradiction(points, pairs, residuals, extent, transform) { throw fault }
    }

    static func transform(_ pairs: [PlaneTransform.Pair], _ transform: Transform) -> PlaneTransform? {
        switch transform {
        case .similarity: PlaneTransform(similarityOf: pairs)
        case .affine: PlaneTransform(affineOf: pairs)
        }
    }

    /// The plane that touches in the middle of the points.
    static func plane(of points: [ControlPoint]) -> TangentPlane {
        let first = TangentPlane(at: points[0].position)
        var (east, north) = (0.0, 0.0)
        for point in points {
            let place = first.coordinates(of: point.position)
            (east, north) = (east + place.east, north + place.north)
        }
        let count = Double(points.count)
        guard let middle = first.position(east: east / count, north: north / count) else { return first }
        return TangentPlane(at: middle)
    }

    static func pair(_ point: ControlPoint, on plane: TangentPlane) -> PlaneTransform.Pair {
        let (east, north) = plane.coordinates(of: point.position)
        return (point.x, point.y, east, north)
    }

    static func extent(_ pairs: [PlaneTransform.Pair]) -> Double {
        var farthest = 0.0
        for (index, pair) in pairs.enumerated() {
            for other in pairs[..<index] {
                farthest = max(farthest, hypot(pair.east - other.east, pair.north - other.north))
            }
        }
        return farthest
    }

    private static func checkDistances(_ points: [ControlPoint]) throws(MapFitError) {
        for (index, point) in points.enumerated() {
            for (earlier, other) in points[..<index].enumerated() {
                if point.x == other.x, point.y == other.y { throw .samePlace(index, earlier, .plan) }
                let distance = point.position.distance(to: other.position)
                if distance < MapFitError.nearest { throw .samePlace(index, earlier, .earth) }
                guard distance <= MapFrame.reach else {
                    // The stranger of the two is the one that fewer points are near to.
                    let isEarlier = neighbours(of: other, points) < neighbours(of: point, points)
                    throw .tooFarApart(
                        isEarlier ? earlier : index, isEarlier ? index : earlier,
                        isSwapped: isNearWhenSwapped(point, other))
                }
            }
        }
    }

    private static func neighbours(of point: ControlPoint, _ points: [ControlPoint]) -> Int {
        points.count { $0.position.distance(to: point.position) <= MapFrame.reach }
    }

    /// Whether two points are neighbours once latitude and longitude of one of them are exchanged.
    private static func isNearWhenSwapped(_ a: ControlPoint, _ b: ControlPoint) -> Bool {
        [(a.swapped, b), (a, b.swapped)].contains { a, b in
            guard let a, let b else { return false }
            return a.position.distance(to: b.position) <= MapFrame.reach
        }
    }
}

extension ControlPoint {
    /// With latitude and longitude exchanged; `nil` where that is no position.
    var swapped: ControlPoint? {
        Position(latitude: position.longitude, longitude: position.latitude).map {
            ControlPoint(x: x, y: y, position: $0)
        }
    }
}
