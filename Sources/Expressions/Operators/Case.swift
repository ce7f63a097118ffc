internal import JSON

/// `case`: the output of the first condition that holds.
final class Case: Choice {
    private let conditions: NodeList
    private let otherwise: Int

    private init(
        type: ExpressionType, branches: [(condition: Node, output: Node)], otherwise: Node, key: String
    ) {
        conditions = NodeList(branches.map(\.condition))
        self.otherwise = branches.count
        super.init(
            type, outputs: branches.map(\.output) + [otherwise], key: key,
            children: branches.flatMap { [$0.condition, $0.output] } + [otherwise])
    }

    override func chosen(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Int {
        let found = try conditions.firstIndex(deciding: true, feature, context)
        return found < 0 ? otherwise : found
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        let count = arguments.count
        guard count >= 3 else {
            return context.error("Expected at least 3 arguments, but found only \(count).")
        }
        guard count % 2 == 1 else { return context.error("Expected an odd number of arguments.") }
        var type = context.expected == .value ? nil : context.expected
        var branches: [(condition: Node, output: Node)] = []
        for index in stride(from: 1, to: count, by: 2) {
            guard let condition = context.parse(arguments[index], at: index, expecting: .boolean),
                let output = context.parse(arguments[index + 1], at: index + 1, expecting: type)
            else { return nil }
            branches.append((condition, output))
            type = type ?? output.type
        }
        guard let otherwise = context.parse(arguments[count], at: count, expecting: type) else {
            return nil
        }
        return Case(
            type: type ?? otherwise.type, branches: branches, otherwise: otherwise, key: context.key)
    }
}
