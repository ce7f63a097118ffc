/// `all` and `any`: from the left, no further than needed.
final class Junction: BooleanNode {
    private let first, second: Node
    private let others: NodeList
    private let hasOthers: Bool
    /// What ends the search: false for `all`, true for `any`.
    private let decisive: Bool

    /// - Parameter conditions: At least two.
    private init(_ conditions: [Node], decisive: Bool, key: String) {
        first = conditions[0]
        second = conditions[1]
        others = NodeList(Array(conditions.dropFirst(2)))
        hasOthers = conditions.count > 2
        self.decisive = decisive
        super.init(.boolean, key: key, children: conditions)
    }

    /// Of any number of conditions.
    static func node(_ conditions: [Node], decisive: Bool, key: String) -> Node {
        switch conditions.count {
        case 0: Literal(.bool(!decisive), type: .boolean, key: key)
        case 1 where conditions[0].type == .boolean: conditions[0]
        case 1:
            Junction(
                [conditions[0], Literal(.bool(!decisive), type: .boolean, key: key)], decisive: decisive, key: key)
        default: Junction(conditions, decisive: decisive, key: key)
        }
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        if try first.boolean(feature, context) == decisive { return decisive }
        if try second.boolean(feature, context) == decisive { return decisive }
        guard hasOthers else { return !decisive }
        let found = try others.firstIndex(deciding: decisive, feature, context)
        return found < 0 ? !decisive : decisive
    }
}

/// `!`
final class Negation: BooleanNode {
    private let condition: Node

    init(_ condition: Node, key: String) {
        self.condition = condition
        super.init(.boolean, key: key, children: [condition])
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        !(try condition.boolean(feature, context))
    }
}
