/// Looks for a way in a net of nodes, nearest ones first (Dijkstra's algorithm).
struct WaySearch {
    /// Metres to the nodes that were come to and not left yet. There are few of them: a device does not go far between
    /// two fixes.
    private var open: [Int: Double] = [:]
    private var left: Set<Int> = []
    private let limit: Double

    /// - Parameter limit: Metres that are worth looking at.
    init(within limit: Double) { self.limit = limit }

    /// A node can be come to in so many metres.
    mutating func reach(_ node: Int, _ distance: Double) {
        guard distance <= limit, !left.contains(node), distance < open[node] ?? .infinity else { return }
        open[node] = distance
    }

    /// The nearest node that was not left yet, which it is now.
    mutating func next() -> (node: Int, distance: Double)? {
        guard let nearest = open.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return nil }
        open[nearest.key] = nil
        left.insert(nearest.key)
        return (nearest.key, nearest.value)
    }
}
