internal import JSON

/// `within`: whether a point or line lies inside an area; one that touches the border does not.
final class Within: BooleanNode {
    private let polygons: [[[Coordinate]]]
    private let exact: [PlanarPolygon]

    private init(_ polygons: [[[Coordinate]]], key: String) {
        self.polygons = polygons
        exact = Self.project(polygons, MercatorGrid(nil))
        super.init(.boolean, key: key, children: [], traits: .feature)
    }

    override var folding: Folding { .never }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        guard let geometry = feature.geometry else { return false }
        let grid = MercatorGrid(context.tile)
        let area = context.tile == nil ? exact : Self.project(polygons, grid)
        switch geometry {
        case .point(let coordinate): return area.contain(points: [coordinate], grid)
        case .multiPoint(let coordinates): return area.contain(points: coordinates, grid)
        case .lineString(let line): return area.contain(lines: [line], grid)
        case .multiLineString(let lines): return area.contain(lines: lines, grid)
        case .polygon, .multiPolygon: return false
        }
    }

    private static func project(_ polygons: [[[Coordinate]]], _ grid: MercatorGrid) -> [PlanarPolygon] {
        polygons.map { PlanarPolygon(rings: $0.map { ring in ring.map { grid.point($0) } }) }
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 1 else {
            return context.error(
                "'within' expression requires exactly one argument, but found \(arguments.count) instead.")
        }
        let polygons = (GeoJSON.geometries(arguments[1]) ?? []).flatMap { geometry in
            switch geometry {
            case .polygon(let polygon): [polygon]
            case .multiPolygon(let polygons): polygons
            default: [[[Coordinate]]]()
            }
        }
        guard !polygons.isEmpty else {
            return context.error(
                "'within' expression requires valid geojson object that contains polygon geometry type.")
        }
        return Within(polygons, key: context.key)
    }
}

extension [PlanarPolygon] {
    private var bounds: PlanarBounds { PlanarBounds(lazy.flatMap { $0.rings.joined() }) }

    /// Whether each point lies in one of the polygons.
    fileprivate func contain(points: [Coordinate], _ grid: MercatorGrid) -> Bool {
        let bounds = bounds
        return points.allSatisfy { coordinate in
            let point = bounds.nearestCopy(of: grid.point(coordinate), worldSize: grid.worldSize)
            return contains { $0.side(of: point) == .inside }
        }
    }

    /// Whether each line lies in one of the polygons. A line around more than half the world stays where it is.
    fileprivate func contain(lines: [[Coordinate]], _ grid: MercatorGrid) -> Bool {
        var lines = lines.map { $0.map { grid.point($0) } }
        if PlanarBounds(lines.joined()).width <= grid.worldSize / 2 {
            let bounds = bounds
            lines = lines.map { $0.map { bounds.nearestCopy(of: $0, worldSize: grid.worldSize) } }
        }
        return lines.allSatisfy { line in contains { $0.contains(line: line) } }
    }
}

extension PlanarBounds {
    /// The point moved by one world to the east or west, where it is more than half a world away that way.
    fileprivate func nearestCopy(of point: PlanarPoint, worldSize: Double) -> PlanarPoint {
        guard point.x < minX || point.x > maxX else { return point }
        for edge in [minX, maxX] {
            if point.x - edge > worldSize / 2 { return PlanarPoint(x: point.x - worldSize, y: point.y) }
            if edge - point.x > worldSize / 2 { return PlanarPoint(x: point.x + worldSize, y: point.y) }
        }
        return point
    }
}
