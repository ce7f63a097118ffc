/// Nodes in order.
///
/// A tree of rows, not an array: a class's constant members are used without counting references, an array's elements
/// are not, and that counting took half of the time of evaluating. Balanced, so that long lists need no deep stack.
struct NodeList {
    private let root: Branch

    init(_ nodes: [Node]) { root = Self.branch(nodes[...]) }

    private static func branch(_ nodes: ArraySlice<Node>) -> Branch {
        if nodes.isEmpty { return Branch() }
        if nodes.count <= 4 { return Row(nodes) }
        // Rows are filled: the left side has a multiple of four.
        let middle = nodes.startIndex + (nodes.count + 7) / 8 * 4
        return Fork(branch(nodes[..<middle]), branch(nodes[middle...]))
    }

    /// The index of the first node that decides so; the others after it are not evaluated. −1 for none.
    func firstIndex(
        deciding wanted: Bool, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Int {
        try root.firstIndex(deciding: wanted, feature, context)
    }

    /// The index of the first node for which the body holds; the others after it are not visited. −1 for none.
    func firstIndex(where body: (Node) throws(EvaluationError) -> Bool) throws(EvaluationError) -> Int {
        try root.firstIndex(where: body)
    }

    /// Adds the texts of all of them.
    func write(
        to text: inout TextBuffer, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) {
        try root.write(to: &text, feature, context)
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
        deciding wanted: Bool, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Int {
        -1
    }

    func firstIndex(where body: (Node) throws(EvaluationError) -> Bool) throws(EvaluationError) -> Int {
        -1
    }

    func write(
        to text: inout TextBuffer, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) {}
}

/// One to four nodes.
private final class Row: Branch {
    private let a, b, c, d: Node
    private let count: Int
    private let start: Int

    init(_ nodes: ArraySlice<Node>) {
        start = nodes.startIndex
        count = nodes.count
        a = nodes[start]
        b = count > 1 ? nodes[start + 1] : nodes[start]
        c = count > 2 ? nodes[start + 2] : nodes[start]
        d = count > 3 ? nodes[start + 3] : nodes[start]
    }

    override func firstIndex(
        deciding wanted: Bool, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Int {
        if try a.boolean(feature, context) == wanted { return start }
        if count == 1 { return -1 }
        if try b.boolean(feature, context) == wanted { return start + 1 }
        if count == 2 { return -1 }
        if try c.boolean(feature, context) == wanted { return start + 2 }
        if count == 3 { return -1 }
        return try d.boolean(feature, context) == wanted ? start + 3 : -1
    }

    override func firstIndex(where body: (Node) throws(EvaluationError) -> Bool) throws(EvaluationError) -> Int {
        if try body(a) { return start }
        if count == 1 { return -1 }
        if try body(b) { return start + 1 }
        if count == 2 { return -1 }
        if try body(c) { return start + 2 }
        if count == 3 { return -1 }
        return try body(d) ? start + 3 : -1
    }

    override func write(
        to text: inout TextBuffer, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) {
        try a.write(to: &text, feature, context)
        if count > 1 { try b.write(to: &text, feature, context) }
        if count > 2 { try c.write(to: &text, feature, context) }
        if count > 3 { try d.write(to: &text, feature, context) }
    }
}

private final class Fork: Branch {
    private let left, right: Branch

    init(_ left: Branch, _ right: Branch) {
        self.left = left
        self.right = right
    }

    override func firstIndex(
        deciding wanted: Bool, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Int {
        let found = try left.firstIndex(deciding: wanted, feature, context)
        return found >= 0 ? found : try right.firstIndex(deciding: wanted, feature, context)
    }

    override func firstIndex(where body: (Node) throws(EvaluationError) -> Bool) throws(EvaluationError) -> Int {
        let found = try left.firstIndex(where: body)
        return found >= 0 ? found : try right.firstIndex(where: body)
    }

    override func write(
        to text: inout TextBuffer, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) {
        try left.write(to: &text, feature, context)
        try right.write(to: &text, feature, context)
    }
}
