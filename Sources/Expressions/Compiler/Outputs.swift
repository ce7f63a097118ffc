/// The outputs of an operator that chooses one of them.
struct Outputs {
    private let nodes: [Node]
    /// Their values, where all are constant: most are, and then no node need be called.
    private let values: [Value]

    init(_ nodes: [Node]) {
        self.nodes = nodes
        let literals = nodes.compactMap { ($0 as? Literal)?.value }
        values = literals.count == nodes.count ? literals : []
    }

    func evaluate(
        _ index: Int, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        if index < values.count { return values[index] }
        return try nodes[index].evaluate(feature, context)
    }

    func number(
        _ index: Int, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        if index < values.count, case .number(let number) = values[index] { return number }
        return try nodes[index].number(feature, context)
    }

    func boolean(
        _ index: Int, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        if index < values.count, case .bool(let bool) = values[index] { return bool }
        return try nodes[index].boolean(feature, context)
    }
}

/// An operator that chooses one of its outputs.
class Choice: Node {
    /// The chance to say which: an index into the outputs.
    func chosen(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Int {
        0
    }

    private let outputs: Outputs

    /// - Parameter children: All parts, the outputs among them.
    init(_ type: ExpressionType, outputs: [Node], key: String, children: [Node]) {
        self.outputs = Outputs(outputs)
        super.init(type, key: key, children: children)
    }

    final override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        try outputs.evaluate(try chosen(feature, context), feature, context)
    }

    final override func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        try outputs.number(try chosen(feature, context), feature, context)
    }

    final override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        try outputs.boolean(try chosen(feature, context), feature, context)
    }
}
