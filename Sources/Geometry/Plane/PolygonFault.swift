/// What is wrong with a polygon. Rings are counted from 0, which is the outer one; points are indices.
public enum PolygonFault: Error, Hashable, Sendable {
    /// Fewer than three places.
    case tooFewPoints(ring: Int)
    /// All of a ring's points lie on one line.
    case noArea(ring: Int)
    /// Two edges, named by their first points, cross or touch.
    case touchesItself(ring: Int, edge: Int, other: Int)
    case holeOutside(ring: Int)
    case holesOverlap(ring: Int, other: Int)
    /// The holes are as large as the polygon.
    case nothingLeft
}

extension PolygonFault {
    /// Metres below which two places are one: far below what a survey can tell.
    static let tolerance = 1e-4

    /// Everything that is wrong with the rings of one polygon.
    ///
    /// - Parameter rings: Without the first point repeated.
    public static func all(in rings: [[PlanePoint]]) -> [PolygonFault] {
        var faults: [PolygonFault] = []
        for (number, ring) in rings.enumerated() {
            let kept = distinct(ring)
            if kept.count < 3 {
                faults.append(.tooFewPoints(ring: number))
            } else if let (edge, other) = touch(kept.map { ring[$0] }) {
                faults.append(.touchesItself(ring: number, edge: kept[edge], other: kept[other]))
            } else if abs(ringArea(ring)) < tolerance * tolerance {
                faults.append(.noArea(ring: number))
            }
        }
        guard faults.isEmpty, rings.count > 1 else { return faults }
        let areas = rings.map { PlaneArea(rings: [$0]) }
        for hole in 1..<rings.count {
            if isOutside(areas[hole], areas[0]) { faults.append(.holeOutside(ring: hole)) }
            for other in 1..<hole where overlap(areas[hole], areas[other]) {
                faults.append(.holesOverlap(ring: hole, other: other))
            }
        }
        let holes = rings.dropFirst().reduce(0) { $0 + abs(ringArea($1)) }
        if faults.isEmpty, abs(ringArea(rings[0])) - holes < tolerance * tolerance { faults.append(.nothingLeft) }
        return faults
    }

    /// The indices of points that are not where the one before is.
    private static func distinct(_ ring: [PlanePoint]) -> [Int] {
        var kept: [Int] = []
        for (index, point) in ring.enumerated() {
            if let last = kept.last, ring[last].distance(to: point) < tolerance { continue }
            kept.append(index)
        }
        while let last = kept.last, kept.count > 1, ring[last].distance(to: ring[kept[0]]) < tolerance {
            kept.removeLast()
        }
        return kept
    }

    /// Two edges of a ring that meet elsewhere than at a shared end.
    private static func touch(_ ring: [PlanePoint]) -> (Int, Int)? {
        let count = ring.count
        let edges = ring.indices.map { PlaneEdge(ring[$0], ring[$0 + 1 < count ? $0 + 1 : 0]) }
        // From left to right, so that only edges that are above each other are compared.
        let order = edges.indices.sorted { min(edges[$0].a.x, edges[$0].b.x) < min(edges[$1].a.x, edges[$1].b.x) }
        var active: [Int] = []
        for index in order {
            let edge = edges[index]
            let left = min(edge.a.x, edge.b.x) - tolerance
            active.removeAll { max(edges[$0].a.x, edges[$0].b.x) < left }
            let (low, high) = (min(edge.a.y, edge.b.y) - tolerance, max(edge.a.y, edge.b.y) + tolerance)
            for other in active {
                guard max(edges[other].a.y, edges[other].b.y) >= low, min(edges[other].a.y, edges[other].b.y) <= high
                else { continue }
                let (first, second) = (min(index, other), max(index, other))
                if meet(first, second, edges) { return (first, second) }
            }
            active.append(index)
        }
        return nil
    }

    private static func meet(_ first: Int, _ second: Int, _ edges: [PlaneEdge]) -> Bool {
        if second == first + 1 { return foldsBack(edges[first], edges[second]) }
        if first == 0, second == edges.count - 1 { return foldsBack(edges[second], edges[first]) }
        return edges[first].distance(to: edges[second]) < tolerance
    }

    /// Whether an edge goes back along the one before.
    private static func foldsBack(_ edge: PlaneEdge, _ next: PlaneEdge) -> Bool {
        edge.distance(to: next.b) < tolerance || next.distance(to: edge.a) < tolerance
    }

    /// Whether a hole leaves the ring that it is to be in; the two may touch.
    private static func isOutside(_ hole: PlaneArea, _ outer: PlaneArea) -> Bool {
        hole.edges.contains { edge in
            outer.signedDistance(from: edge.a) > tolerance || outer.signedDistance(from: edge.middle) > tolerance
        }
    }

    /// Whether two areas have more than a border in common.
    public static func overlap(_ a: PlaneArea, _ b: PlaneArea) -> Bool {
        func enters(_ a: PlaneArea, _ b: PlaneArea) -> Bool {
            a.edges.contains { edge in
                b.signedDistance(from: edge.a) < -tolerance || b.signedDistance(from: edge.middle) < -tolerance
            }
        }
        guard a.box.meets(b.box) else { return false }
        return enters(a, b) || enters(b, a) || a.edges.map(\.middle) == b.edges.map(\.middle)
    }
}
