internal import Locations

/// Looks for a way in a net of nodes, nearest ones first (Dijkstra's algorithm).
struct ShortestPathSearch {
    /// Metres to the nodes that were come to and not left yet.
    private var nearest: [Int: Double] = [:]
    /// By metres; entries that are not the nearest way to their node any more are skipped.
    private var entries = PriorityQueue<Double, Int>()
    private var left: Set<Int> = []
    private let limit: Double

    /// - Parameter limit: Metres that are worth looking at.
    init(within limit: Double) { self.limit = limit }

    /// A node can be come to in so many metres.
    ///
    /// - Parameter rest: Metres from there on, at least.
    /// - Returns: Whether that is nearer than was known, and worth looking at.
    @discardableResult
    mutating func relax(_ node: Int, _ distance: Double, atLeast rest: Double = 0) -> Bool {
        guard distance + rest <= limit, !left.contains(node), distance < nearest[node] ?? .infinity else {
            return false
        }
        nearest[node] = distance
        entries.add(node, at: distance)
        return true
    }

    /// The nearest node that was not left yet, which it is now.
    mutating func popNearest() -> (node: Int, distance: Double)? {
        while let (distance, node) = entries.popFirst() {
            guard nearest[node] == distance, left.insert(node).inserted else { continue }
            return (node, distance)
        }
        return nil
    }
}
