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

    /// The edges of a line through points.
    public static func edges(along points: [PlanePoint]) -> [PlaneEdge] {
        zip(points, points.dropFirst()).map { PlaneEdge($0, $1) }
    }

    public var length: Double { a.distance(to: b) }

    /// The point with so much of the edge before it, from 0 to 1; beyond, it lies on its line.
    public func point(at part: Double) -> PlanePoint {
        PlanePoint(x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y))
    }

    public var middle: PlanePoint { PlanePoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2) }

    public var box: PlaneBox {
        var box = PlaneBox(a)
        box.include(b)
        return box
    }

    /// The edge in pieces, cut where others cross or touch it.
    ///
    /// - Parameter tolerance: Metres within which an end of another edge touches it, and within which a cut is none: it is
    ///   an end.
    public func cut(by others: some Sequence<PlaneEdge>, tolerance: Double) -> [PlaneEdge] {
        var parts: [Double] = []
        for other in others {
            for end in [other.a, other.b] where distance(to: end) <= tolerance { parts.append(part(of: end)) }
            if let part = part(crossedBy: other) { parts.append(part) }
        }
        var pieces: [PlaneEdge] = []
        var start = a
        for part in parts.sorted() {
            let point = point(at: part)
            guard point.distance(to: start) > tolerance, point.distance(to: b) > tolerance else { continue }
            pieces.append(PlaneEdge(start, point))
            start = point
        }
        return pieces + [PlaneEdge(start, b)]
    }

    /// The point of the edge that is nearest to another.
    public func nearest(to point: PlanePoint) -> PlanePoint {
        self.point(at: part(of: point))
    }

    /// How much of the edge lies before the point that is nearest to another, from 0 to 1.
    private func part(of point: PlanePoint) -> Double {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let square = dx * dx + dy * dy
        guard square > 0 else { return 0 }
        return min(1, max(0, ((point.x - a.x) * dx + (point.y - a.y) * dy) / square))
    }

    public func distance(to point: PlanePoint) -> Double { nearest(to: point).distance(to: point) }

    /// Metres between the nearest points of two edges: 0 where they cross.
    public func distance(to other: PlaneEdge) -> Double {
        if part(crossedBy: other) != nil { return 0 }
        return min(distance(to: other.a), distance(to: other.b), other.distance(to: a), other.distance(to: b))
    }

    /// How much of the edge lies before the point where another crosses it; `nil` where none does.
    private func part(crossedBy other: PlaneEdge) -> Double? {
        func side(_ edge: PlaneEdge, _ point: PlanePoint) -> Double {
            (edge.b.x - edge.a.x) * (point.y - edge.a.y) - (edge.b.y - edge.a.y) * (point.x - edge.a.x)
        }
        let (a1, b1) = (side(other, a), side(other, b))
        let (a2, b2) = (side(self, other.a), side(self, other.b))
        return a1 * b1 < 0 && a2 * b2 < 0 ? a1 / (a1 - b1) : nil
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

    /// With so many metres more on each side.
    func widened(by metres: Double) -> PlaneBox {
        var box = PlaneBox(PlanePoint(x: least.x - metres, y: least.y - metres))
        box.include(PlanePoint(x: greatest.x + metres, y: greatest.y + metres))
        return box
    }

    public func meets(_ other: PlaneBox) -> Bool {
        least.x <= other.greatest.x && other.least.x <= greatest.x && least.y <= other.greatest.y
            && other.least.y <= greatest.y
    }

    func contains(_ point: PlanePoint) -> Bool {
        point.x >= least.x && point.x <= greatest.x && point.y >= least.y && point.y <= greatest.y
    }

    var width: Double { greatest.x - least.x }
    var height: Double { greatest.y - least.y }
}
