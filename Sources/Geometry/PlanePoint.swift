/// A point of a plane, in metres.
public struct PlanePoint: Sendable, Hashable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    public func distance(to other: PlanePoint) -> Double {
        let (dx, dy) = (other.x - x, other.y - y)
        return (dx * dx + dy * dy).squareRoot()
    }
}

/// A straight line between two points of a plane.
public struct PlaneEdge: Sendable, Hashable {
    public var a: PlanePoint
    public var b: PlanePoint

    public init(_ a: PlanePoint, _ b: PlanePoint) { (self.a, self.b) = (a, b) }

    public var length: Double { a.distance(to: b) }

    /// The point of the edge that is nearest to another.
    public func nearest(to point: PlanePoint) -> PlanePoint {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let square = dx * dx + dy * dy
        guard square > 0 else { return a }
        let part = min(1, max(0, ((point.x - a.x) * dx + (point.y - a.y) * dy) / square))
        return PlanePoint(x: a.x + part * dx, y: a.y + part * dy)
    }

    public func distance(to point: PlanePoint) -> Double { nearest(to: point).distance(to: point) }

    /// Metres between the nearest points of two edges: 0 where they cross.
    func distance(to other: PlaneEdge) -> Double {
        if crosses(other) { return 0 }
        return min(distance(to: other.a), distance(to: other.b), other.distance(to: a), other.distance(to: b))
    }

    private func crosses(_ other: PlaneEdge) -> Bool {
        func side(_ edge: PlaneEdge, _ point: PlanePoint) -> Double {
            (edge.b.x - edge.a.x) * (point.y - edge.a.y) - (edge.b.y - edge.a.y) * (point.x - edge.a.x)
        }
        let (a1, b1) = (side(other, a), side(other, b))
        let (a2, b2) = (side(self, other.a), side(self, other.b))
        return a1 * b1 < 0 && a2 * b2 < 0
    }
}

/// A rectangle along the axes of a plane.
public struct PlaneBox: Sendable, Hashable {
    public private(set) var least: PlanePoint
    public private(set) var greatest: PlanePoint

    public init(_ point: PlanePoint) { (least, greatest) = (point, point) }

    public mutating func include(_ point: PlanePoint) {
        least = PlanePoint(x: min(least.x, point.x), y: min(least.y, point.y))
        greatest = PlanePoint(x: max(greatest.x, point.x), y: max(greatest.y, point.y))
    }

    public mutating func include(_ other: PlaneBox) {
        include(other.least)
        include(other.greatest)
    }

    func contains(_ point: PlanePoint) -> Bool {
        point.x >= least.x && point.x <= greatest.x && point.y >= least.y && point.y <= greatest.y
    }

    var width: Double { greatest.x - least.x }
    var height: Double { greatest.y - least.y }
}
