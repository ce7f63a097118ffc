/// Polygons with holes in a plane. Their borders belong to them.
///
/// The polygons are separate, and holes inside of theirs: where ``PolygonFault`` finds nothing, that is so.
public struct PlaneArea: Sendable, Hashable {
    /// How far outside a point counts as on the border: a thousandth of a millimetre, more than rounding yields.
    public static let borderWidth = 1e-6

    /// Of all rings, each a closed one.
    public let edges: [PlaneEdge]
    public let box: PlaneBox
    /// Square metres.
    public let size: Double

    /// - Parameter rings: Outer rings and holes in any order and direction, each with at least three points and without its
    ///   first one repeated; at least one ring.
    public init(rings: [[PlanePoint]]) {
        var edges: [PlaneEdge] = []
        var box = PlaneBox(rings[0][0])
        for ring in rings {
            for (index, point) in ring.enumerated() {
                box.include(point)
                edges.append(PlaneEdge(point, ring[index + 1 < ring.count ? index + 1 : 0]))
            }
        }
        (self.edges, self.box) = (edges, box)
        size = Self.size(of: rings)
    }

    /// By even and odd: a ring inside of an odd number of others is a hole.
    private static func size(of rings: [[PlanePoint]]) -> Double {
        let areas = rings.map { PlaneRing($0) }
        var sum = 0.0
        for (index, ring) in areas.enumerated() {
            let outer = areas.indices.count { $0 != index && areas[$0].size > ring.size && areas[$0].surrounds(ring) }
            sum += outer % 2 == 0 ? ring.size : -ring.size
        }
        return sum
    }

    /// Whether a point is in the area or on its border.
    public func contains(_ point: PlanePoint) -> Bool {
        guard point.x >= box.least.x - Self.borderWidth, point.x <= box.greatest.x + Self.borderWidth,
            point.y >= box.least.y - Self.borderWidth, point.y <= box.greatest.y + Self.borderWidth
        else { return false }
        return Self.isOdd(edges, point) || isOnBorder(point)
    }

    /// Whether a point is in the area and not on its border.
    public func surrounds(_ point: PlanePoint) -> Bool {
        box.contains(point) && Self.isOdd(edges, point) && !isOnBorder(point)
    }

    /// Whether the nearest points of the borders of two areas are that near to each other.
    public func isWithin(_ distance: Double, of other: PlaneArea) -> Bool {
        guard box.widened(by: distance).meets(other.box) else { return false }
        return edges.contains { edge in
            edge.box.widened(by: distance).meets(other.box)
                && other.edges.contains { $0.distance(to: edge) <= distance }
        }
    }

    /// Whether the border runs through another area, farther inside of it than that.
    public func reaches(into other: PlaneArea, by depth: Double) -> Bool {
        guard box.meets(other.box) else { return false }
        return edges.contains { edge in
            edge.box.meets(other.box)
                && edge.cut(by: other.edges, tolerance: Self.borderWidth).contains {
                    other.signedDistance(from: $0.middle) < -depth
                }
        }
    }

    /// Without the points that rounding puts beside the border.
    func roughlyContains(_ point: PlanePoint) -> Bool { box.contains(point) && Self.isOdd(edges, point) }

    func isOnBorder(_ point: PlanePoint) -> Bool { distanceToBorder(from: point) <= Self.borderWidth }

    /// Metres to the nearest point of the border, a hole's included.
    public func distanceToBorder(from point: PlanePoint) -> Double {
        edges.reduce(.infinity) { min($0, $1.distance(to: point)) }
    }

    /// Metres outside of the area: 0 on its border, negative inside.
    public func signedDistance(from point: PlanePoint) -> Double {
        let distance = distanceToBorder(from: point)
        return Self.isOdd(edges, point) ? -distance : distance
    }

    /// A point well inside, for a label: the middle of the widest stretch half-way up, or at other heights where that is
    /// wider.
    public var labelPoint: PlanePoint {
        var best = (point: edges[0].a, width: 0.0)
        for part in [0.5, 0.4, 0.6, 0.25, 0.75, 0.1, 0.9] {
            let y = box.least.y + part * box.height
            let crossings = edges.compactMap { edge -> Double? in
                guard (edge.a.y > y) != (edge.b.y > y) else { return nil }
                return edge.a.x + (y - edge.a.y) / (edge.b.y - edge.a.y) * (edge.b.x - edge.a.x)
            }.sorted()
            for index in stride(from: 0, to: crossings.count - 1, by: 2) {
                let width = crossings[index + 1] - crossings[index]
                // Another height must be clearly better.
                if width > best.width * 1.5 {
                    best = (PlanePoint(x: (crossings[index] + crossings[index + 1]) / 2, y: y), width)
                }
            }
        }
        return best.point
    }

    /// Whether a line to the right of the point meets the edges an odd number of times.
    fileprivate static func isOdd(_ edges: [PlaneEdge], _ point: PlanePoint) -> Bool {
        var isOdd = false
        for edge in edges where (edge.a.y > point.y) != (edge.b.y > point.y) {
            let x = edge.a.x + (point.y - edge.a.y) / (edge.b.y - edge.a.y) * (edge.b.x - edge.a.x)
            if x > point.x { isOdd.toggle() }
        }
        return isOdd
    }
}

/// One ring of an area.
private struct PlaneRing {
    let size: Double
    private let box: PlaneBox
    private let edges: [PlaneEdge]

    init(_ ring: [PlanePoint]) {
        edges = ring.indices.map { PlaneEdge(ring[$0], ring[$0 + 1 < ring.count ? $0 + 1 : 0]) }
        box = edges.reduce(into: edges[0].box) { $0.include($1.box) }
        size = abs(ringArea(ring))
    }

    /// Rings may touch at points: the middle of an edge is more telling than its ends.
    func surrounds(_ other: PlaneRing) -> Bool {
        let middle = other.edges[0].middle
        return box.contains(middle) && PlaneArea.isOdd(edges, middle)
    }
}

/// Square metres within a ring; negative where it runs clockwise.
func ringArea(_ ring: [PlanePoint]) -> Double {
    var twice = 0.0
    for (index, point) in ring.enumerated() {
        let next = ring[index + 1 < ring.count ? index + 1 : 0]
        twice += point.x * next.y - next.x * point.y
    }
    return twice / 2
}
