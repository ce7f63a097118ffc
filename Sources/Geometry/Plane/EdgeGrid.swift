/// Finds the edges near a point or an edge, among many.
public struct EdgeGrid: Sendable {
    public let edges: [PlaneEdge]
    private let cells: PlaneCells
    /// By cell: the edges that meet it.
    private let entries: [[Int32]]

    public init(_ edges: [PlaneEdge]) {
        self.edges = edges
        cells = PlaneCells(around: edges.map(\.box))
        var entries: [[Int32]] = Array(repeating: [], count: cells.count)
        for (number, edge) in edges.enumerated() { cells.forEachCell(on: edge) { entries[$0].append(Int32(number)) } }
        self.entries = entries
    }

    /// The edges that come as near to a point as that, in their order, each with its place there.
    ///
    /// - Parameter distance: Metres.
    public func edges(within distance: Double, of point: PlanePoint) -> [(index: Int, nearest: PlanePoint)] {
        candidates(around: PlaneBox(point).widened(by: distance)).compactMap { index in
            let nearest = edges[index].nearest(to: point)
            return nearest.distance(to: point) <= distance ? (index, nearest) : nil
        }
    }

    /// The edges that may come as near to another edge as that, in their order.
    ///
    /// - Parameter distance: Metres.
    public func edges(mayBeWithin distance: Double, of edge: PlaneEdge) -> [Int] {
        candidates(around: edge.box.widened(by: distance))
    }

    private func candidates(around box: PlaneBox) -> [Int] {
        var found = Set<Int32>()
        cells.forEachCell(in: box) { found.formUnion(entries[$0]) }
        return found.map(Int.init).sorted()
    }
}
