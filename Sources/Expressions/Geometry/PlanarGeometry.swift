/// A point of a plane.
struct PlanarPoint: Sendable, Hashable {
    var x, y: Double
}

/// A polygon of a plane: rings that are closed, the outer one first.
struct PlanarPolygon: Sendable {
    enum Side { case inside, boundary, outside }

    var rings: [[PlanarPoint]]

    /// Where a point lies, by the number of edges that a ray from it crosses.
    func side(of point: PlanarPoint) -> Side {
        var isInside = false
        for ring in rings {
            for (a, b) in zip(ring, ring.dropFirst()) {
                if Segment(a, b).contains(point) { return .boundary }
                if (a.y > point.y) != (b.y > point.y),
                    point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
                {
                    isInside.toggle()
                }
            }
        }
        return isInside ? .inside : .outside
    }

    /// Whether all of the line lies inside; touching the boundary is outside.
    func contains(line: [PlanarPoint]) -> Bool {
        guard line.allSatisfy({ side(of: $0) == .inside }) else { return false }
        for (a, b) in zip(line, line.dropFirst()) {
            let segment = Segment(a, b)
            for ring in rings
            where zip(ring, ring.dropFirst()).contains(where: { segment.crosses(Segment($0, $1)) }) {
                return false
            }
        }
        return true
    }
}

struct Segment {
    let start, end: PlanarPoint

    init(_ start: PlanarPoint, _ end: PlanarPoint) {
        self.start = start
        self.end = end
    }

    func contains(_ point: PlanarPoint) -> Bool {
        let (x1, y1) = (point.x - start.x, point.y - start.y)
        let (x2, y2) = (point.x - end.x, point.y - end.y)
        return x1 * y2 - x2 * y1 == 0 && x1 * x2 <= 0 && y1 * y2 <= 0
    }

    /// Whether each segment's ends lie on different sides of the other. Touching is not crossing.
    func crosses(_ other: Segment) -> Bool {
        separates(other.start, other.end) && other.separates(start, end)
    }

    private func separates(_ p: PlanarPoint, _ q: PlanarPoint) -> Bool {
        let (a, b) = (turn(to: p), turn(to: q))
        return (a > 0 && b < 0) || (a < 0 && b > 0)
    }

    /// Positive on one side of the segment's line, negative on the other.
    private func turn(to point: PlanarPoint) -> Double {
        (point.x - start.x) * (end.y - start.y) - (end.x - start.x) * (point.y - start.y)
    }
}

/// The extent of points.
struct PlanarBounds {
    private(set) var minX = Double.infinity
    private(set) var maxX = -Double.infinity

    init(_ points: some Sequence<PlanarPoint>) {
        for point in points {
            minX = min(minX, point.x)
            maxX = max(maxX, point.x)
        }
    }

    var width: Double { maxX - minX }
}
