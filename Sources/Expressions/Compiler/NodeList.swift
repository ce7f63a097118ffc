/// Nodes in order.
///
/// A tree, not an array: a class's constant members are used without counting references, an array's elements are not,
/// and that counting took half of the time of evaluating. Balanced, so that long lists need no deep stack.
struct NodeList {
    private let root: Branch

    init(_ nodes: [Node]) { root = Self.branch(nodes[...]) }

    private static func branch(_ nodes: ArraySlice<Node>) -> Branch {
        guard let first = nodes.first else { return Branch() }
        if nodes.count == 1 { return Leaf(first, index: nodes.startIndex) }
        let middle = nodes.startIndex + nodes.count / 2
        return Fork(branch(nodes[..<middle]), branch(nodes[middle...]))
    }

    /// The index of the first node for which the body holds; the others after it are not visited.
    ///
    /// - Returns: −1 for none: an optional would cost more than the search.
    func firstIndex(
        where body: (Node) throws(EvaluationError) -> Bool
    ) throws(EvaluationError) -> Int {
        try root.firstIndex(where: body)
    }

    func forEach(_ body: (Node) throws(EvaluationError) -> Void) throws(EvaluationError) {
        _ = try root.firstIndex { (node) throws(EvaluationError) in
            try body(node)
            return false
        }
    }
}

/// An empty list, and what both kinds of branches have in common.
private class Branch {
    func firstIndex(
        where body: (Node) throws(EvaluationError) -> Bool
    ) throws(EvaluationError) -> Int {
        -1
    }
}

private final class Leaf: Branch {
    private let node: Node
    private let index: Int

    init(_ node: Node, index: Int) {
        self.node = node
        self.index = index
    }

    override func firstIndex(
        where body: (Node) throws(EvaluationError) -> Bool
    ) throws(EvaluationError) -> Int {
        try body(node) ? index : -1
    }
}

private final class Fork: Branch {
    private let left, right: Branch

    init(_ left: Branch, _ right: Branch) {
        self.left = left
        self.right = right
    }

    override func firstIndex(
        where body: (Node) throws(EvaluationError) -> Bool
    ) throws(EvaluationError) -> Int {
        let found = try left.firstIndex(where: body)
        return found >= 0 ? found : try right.firstIndex(where: body)
    }
}
