/// Looks for a way in a net of nodes, nearest ones first (Dijkstra's algorithm).
struct ShortestPathSearch {
    /// Metres to the nodes that were come to and not left yet.
    private var nearest: [Int: Double] = [:]
    /// A heap by metres; entries that are not the nearest way to their node any more are skipped.
    private var entries: [(distance: Double, node: Int)] = []
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
        add((distance, node))
        return true
    }

    /// The nearest node that was not left yet, which it is now.
    mutating func popNearest() -> (node: Int, distance: Double)? {
        while let (distance, node) = takeFirst() {
            guard nearest[node] == distance, left.insert(node).inserted else { continue }
            return (node, distance)
        }
        return nil
    }

    // MARK: The heap

    private mutating func add(_ entry: (distance: Double, node: Int)) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0, entries[child] < entries[(child - 1) / 2] {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func takeFirst() -> (distance: Double, node: Int)? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return first }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count && entries[child] < entries[least]
            {
                least = child
            }
            guard least != parent else { return first }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
