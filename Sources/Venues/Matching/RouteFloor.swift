internal import Geometry

/// The routes of one floor: lines that meet where they cross or touch.
struct RouteFloor: MatchingFloor {
    /// Metres within which an end of a line touches another.
    static let tolerance = 0.01
    /// A position is on a line that rounding has put so many metres beside it.
    private static let lineWidth = 1e-6
    /// Metres within which an end that touches nothing was most likely meant to.
    static let suspiciousGap = 0.5

    /// The lines in pieces that meet at their ends alone. A piece is a region.
    private let pieces: EdgeGrid
    /// By piece: the nodes at its ends.
    private let ends: [(a: Int, b: Int)]
    /// By node: the pieces that end there.
    private let piecesAtNode: [[Int]]

    init(_ lines: [[PlanePoint]]) {
        let edges = EdgeGrid(lines.flatMap(PlaneEdge.edges(along:)))
        let pieces = edges.edges.indices.flatMap { index in
            let others = edges.edges(mayBeWithin: Self.tolerance, of: edges.edges[index]).filter { $0 != index }
            return edges.edges[index].cut(by: others.map { edges.edges[$0] }, tolerance: Self.tolerance)
        }
        self.pieces = EdgeGrid(pieces)
        var (ends, piecesAtNode): ([(Int, Int)], [[Int]]) = ([], [])
        var nodes = NodeTable(tolerance: Self.tolerance)
        for (index, piece) in pieces.enumerated() {
            let (a, b) = (nodes.node(at: piece.a), nodes.node(at: piece.b))
            while piecesAtNode.count <= max(a, b) { piecesAtNode.append([]) }
            piecesAtNode[a].append(index)
            piecesAtNode[b].append(index)
            ends.append((a, b))
        }
        (self.ends, self.piecesAtNode) = (ends, piecesAtNode)
    }

    func spots(within distance: Double, of point: PlanePoint) -> [Spot] {
        pieces.edges(within: max(distance, Self.lineWidth), of: point).map { index, nearest in
            Spot(region: index, point: nearest, distance: nearest.distance(to: point))
        }.sorted { ($0.distance, $0.region) < ($1.distance, $1.region) }
    }

    func isReachable(from start: Spot, to end: Spot, within distance: Double) -> Bool {
        if start.region == end.region { return start.point.distance(to: end.point) <= distance }
        let (from, to) = (pieces.edges[start.region], pieces.edges[end.region])
        var search = ShortestPathSearch(within: distance)
        search.relax(ends[start.region].a, start.point.distance(to: from.a))
        search.relax(ends[start.region].b, start.point.distance(to: from.b))
        while let (node, way) = search.popNearest() {
            let last = [(ends[end.region].a, to.a), (ends[end.region].b, to.b)]
            if last.contains(where: { $0.0 == node && way + $0.1.distance(to: end.point) <= distance }) { return true }
            for piece in piecesAtNode[node] {
                let other = ends[piece].a == node ? ends[piece].b : ends[piece].a
                search.relax(other, way + pieces.edges[piece].length)
            }
        }
        return false
    }
}

/// Gives points that are the same, but for rounding, the same number.
private struct NodeTable {
    private struct Cell: Hashable {
        var x: Int
        var y: Int
    }

    let tolerance: Double
    private var points: [PlanePoint] = []
    private var cells: [Cell: [Int]] = [:]

    init(tolerance: Double) { self.tolerance = tolerance }

    mutating func node(at point: PlanePoint) -> Int {
        let cell = Cell(x: Int((point.x / tolerance).rounded(.down)), y: Int((point.y / tolerance).rounded(.down)))
        for x in (cell.x - 1)...(cell.x + 1) {
            for y in (cell.y - 1)...(cell.y + 1) {
                let near = cells[Cell(x: x, y: y)]?.first { points[$0].distance(to: point) <= tolerance }
                if let near { return near }
            }
        }
        points.append(point)
        cells[cell, default: []].append(points.count - 1)
        return points.count - 1
    }
}
