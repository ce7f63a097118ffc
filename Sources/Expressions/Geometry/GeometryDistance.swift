/// A point, line or polygon as a part of a geometry.
enum GeometryPart: Sendable {
    case point(Coordinate)
    case line([Coordinate])
    case polygon([[Coordinate]])

    /// The polygon for the question what is inside, in degrees as if they were a plane.
    private static func planar(_ rings: [[Coordinate]]) -> PlanarPolygon {
        PlanarPolygon(rings: rings.map { $0.map(\.planar) })
    }

    /// All corners.
    private var vertices: [Coordinate] {
        switch self {
        case .point(let coordinate): [coordinate]
        case .line(let line): line
        case .polygon(let rings): Array(rings.joined())
        }
    }

    /// All straight pieces; a ring that is not closed is closed here.
    private var edges: [(Coordinate, Coordinate)] {
        switch self {
        case .point: []
        case .line(let line): Array(zip(line, line.dropFirst()))
        case .polygon(let rings):
            rings.flatMap { ring in
                Array(zip(ring, ring.dropFirst()))
                    + (ring.count > 1 ? [(ring[ring.count - 1], ring[0])] : [])
            }
        }
    }

    /// The shortest distance in metres: 0 where the parts touch, cross or lie in one another.
    func distance(to other: GeometryPart, _ ruler: LocalRuler) -> Double {
        if encloses(anyOf: other) || other.encloses(anyOf: self) { return 0 }
        let (ownEdges, otherEdges) = (edges, other.edges)
        var shortest = Double.infinity
        if ownEdges.isEmpty && otherEdges.isEmpty {
            for a in vertices {
                for b in other.vertices { shortest = min(shortest, ruler.distance(a, b)) }
            }
            return shortest
        }
        for a in ownEdges {
            let segment = Segment(a.0.planar, a.1.planar)
            for b in otherEdges where segment.crosses(Segment(b.0.planar, b.1.planar)) { return 0 }
        }
        for vertex in vertices {
            for edge in otherEdges {
                shortest = min(shortest, ruler.distance(vertex, toSegment: edge.0, edge.1))
            }
        }
        for vertex in other.vertices {
            for edge in ownEdges {
                shortest = min(shortest, ruler.distance(vertex, toSegment: edge.0, edge.1))
            }
        }
        return shortest
    }

    private func encloses(anyOf other: GeometryPart) -> Bool {
        guard case .polygon(let rings) = self else { return false }
        let polygon = Self.planar(rings)
        return other.vertices.contains { polygon.side(of: $0.planar) != .outside }
    }
}

extension Coordinate {
    fileprivate var planar: PlanarPoint { PlanarPoint(x: longitude, y: latitude) }
}

extension FeatureGeometry {
    var parts: [GeometryPart] {
        switch self {
        case .point(let coordinate): [.point(coordinate)]
        case .multiPoint(let coordinates): coordinates.map { .point($0) }
        case .lineString(let line): [.line(line)]
        case .multiLineString(let lines): lines.map { .line($0) }
        case .polygon(let rings): [.polygon(rings)]
        case .multiPolygon(let polygons): polygons.map { .polygon($0) }
        }
    }

    /// The first position; `nil` for a geometry without any.
    var first: Coordinate? {
        switch self {
        case .point(let coordinate): coordinate
        case .multiPoint(let coordinates), .lineString(let coordinates): coordinates.first
        case .multiLineString(let lists), .polygon(let lists): lists.first?.first
        case .multiPolygon(let polygons): polygons.first?.first?.first
        }
    }

    /// The same geometry with every position moved.
    func map(_ move: (Coordinate) -> Coordinate) -> FeatureGeometry {
        switch self {
        case .point(let coordinate): .point(move(coordinate))
        case .multiPoint(let coordinates): .multiPoint(coordinates.map(move))
        case .lineString(let line): .lineString(line.map(move))
        case .multiLineString(let lines): .multiLineString(lines.map { $0.map(move) })
        case .polygon(let rings): .polygon(rings.map { $0.map(move) })
        case .multiPolygon(let polygons): .multiPolygon(polygons.map { $0.map { $0.map(move) } })
        }
    }
}
