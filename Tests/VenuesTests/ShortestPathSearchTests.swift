import Randomness
import Testing

@testable import Venues

/// Ways in a net of nodes.
struct ShortestPathSearchTests {
    private typealias Edge = (a: Int, b: Int, length: Double)

    /// By relaxing every edge until nothing changes.
    private func distances(_ edges: [Edge], from start: Int, nodes: Int) -> [Double] {
        var found = Array(repeating: Double.infinity, count: nodes)
        found[start] = 0
        for _ in 0..<nodes {
            for (a, b, length) in edges {
                found[b] = min(found[b], found[a] + length)
                found[a] = min(found[a], found[b] + length)
            }
        }
        return found
    }

    @Test("Nodes are left in the order of their distances, each once, and none beyond the limit", arguments: 1...20)
    func order(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let nodes = 30
        let edges: [Edge] = (0..<60).map { _ in
            (
                Int.random(in: 0..<nodes, using: &random), Int.random(in: 0..<nodes, using: &random),
                Double(Int.random(in: 1...9, using: &random))
            )
        }
        let limit = 12.0
        var search = ShortestPathSearch(within: limit)
        search.relax(0, 0)
        var left: [(node: Int, distance: Double)] = []
        while let (node, distance) = search.popNearest() {
            left.append((node, distance))
            for edge in edges where edge.a == node || edge.b == node {
                search.relax(edge.a == node ? edge.b : edge.a, distance + edge.length)
            }
        }
        let expected = distances(edges, from: 0, nodes: nodes)
        #expect(left.map(\.distance) == left.map(\.distance).sorted())
        #expect(Set(left.map(\.node)).count == left.count)
        for node in 0..<nodes {
            let found = left.first { $0.node == node }?.distance
            #expect(found == (expected[node] <= limit ? expected[node] : nil), "\(node)")
        }
    }

    @Test("What is too far with what is left of the way is not looked at")
    func rest() {
        var search = ShortestPathSearch(within: 10)
        let isTaken = [
            search.relax(1, 5, atLeast: 6), search.relax(1, 5, atLeast: 5), search.relax(1, 7), search.relax(1, 4),
        ]
        #expect(isTaken == [false, true, false, true])
        let (first, second) = (search.popNearest(), search.popNearest())
        #expect(first?.distance == 4 && second == nil)
        let isTakenAgain = search.relax(1, 1)
        #expect(!isTakenAgain)
    }
}
