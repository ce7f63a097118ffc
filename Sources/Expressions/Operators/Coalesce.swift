internal import JSON

/// `coalesce`: the first value that is not null, or the first image that is available.
final class Coalesce: Node {
    private let first: Node
    private let others: NodeList

    /// - Parameter arguments: At least one.
    private init(type: ExpressionType, _ arguments: [Node], key: String) {
        first = arguments[0]
        others = NodeList(Array(arguments.dropFirst()))
        super.init(type, key: key, children: arguments)
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        let value = try first.evaluate(feature, context)
        if case .null = value { return try next(missingImage: nil, feature, context) }
        if case .image(let image) = value, !image.isAvailable {
            // Where the last is an image that is not there, upstream answers with the name that was wanted most.
            if children.count == 1 { return .string(image.name) }
            return try next(missingImage: image.name, feature, context)
        }
        return value
    }

    private func next(
        missingImage: String?, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        var missingImage = missingImage
        var result = Value.null
        _ = try others.firstIndex { (argument) throws(EvaluationError) in
            result = try argument.evaluate(feature, context)
            switch result {
            case .null: return false
            case .image(let image) where !image.isAvailable:
                missingImage = missingImage ?? image.name
                result = argument === children.last ? missingImage.map { .string($0) } ?? .null : .null
                return false
            default: return true
            }
        }
        return result
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count > 0 else { return context.error("Expected at least one argument.") }
        var type = context.expected == .value ? nil : context.expected
        var nodes: [Node] = []
        for index in 1..<arguments.elements.count {
            // An assertion inside would turn null into an error before the next argument gets its turn.
            guard
                let node = context.parse(arguments[index], at: index, expecting: type, annotation: .omit)
            else { return nil }
            type = type ?? node.type
            nodes.append(node)
        }
        // What was left out inside has to be put around the whole.
        let needsAnnotation =
            context.expected.map { expected in nodes.contains { !expected.accepts($0.type) } } ?? false
        return Coalesce(type: needsAnnotation ? .value : type ?? .value, nodes, key: context.key)
    }
}
