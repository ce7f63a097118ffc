internal import JSON

/// `number`, `string`, `boolean`, `object` and `array`: the first argument that is of the type. Also put around values
/// of unknown type where a type is expected.
final class Assertion: Node {
    private let first: Node
    private let others: NodeList
    private let check: Check

    /// The type without what `array` adds, so that asking costs no reference counting.
    private enum Check {
        case number, string, boolean, other
    }

    /// - Parameter arguments: At least one.
    init(_ type: ExpressionType, _ arguments: [Node], key: String) {
        first = arguments[0]
        others = NodeList(Array(arguments.dropFirst()))
        check =
            switch type {
            case .number: .number
            case .string: .string
            case .boolean: .boolean
            default: .other
            }
        super.init(type, key: key, children: arguments)
    }

    override var folding: Folding { .whenChildrenAreConstant }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        let value = try first.evaluate(feature, context)
        if admits(value) { return value }
        return try next(after: value, feature, context)
    }

    override func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        let value = try first.evaluate(feature, context)
        if case .number(let number) = value { return number }
        if case .number(let number) = try next(after: value, feature, context) { return number }
        throw EvaluationError(key, .unexpectedType(type, value))
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        let value = try first.evaluate(feature, context)
        if case .bool(let bool) = value { return bool }
        if case .bool(let bool) = try next(after: value, feature, context) { return bool }
        throw EvaluationError(key, .unexpectedType(type, value))
    }

    private func admits(_ value: Value) -> Bool {
        switch check {
        case .number: if case .number = value { true } else { false }
        case .string: if case .string = value { true } else { false }
        case .boolean: if case .bool = value { true } else { false }
        case .other: type.admits(value)
        }
    }

    /// The first of the other arguments that is of the type.
    private func next(
        after value: Value, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        var value = value
        let found = try others.firstIndex { (node) throws(EvaluationError) in
            value = try node.evaluate(feature, context)
            return admits(value)
        }
        if found >= 0 { return value }
        throw EvaluationError(key, .unexpectedType(type, value))
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count > 0 else { return context.error("Expected at least one argument.") }
        var next = 1
        let type: ExpressionType
        switch arguments.name {
        case "number": type = .number
        case "string": type = .string
        case "boolean": type = .boolean
        case "object": type = .object
        default:
            var item = ExpressionType.value
            var length: Int?
            if arguments.count > 1 {
                switch arguments[1].string {
                case "string": item = .string
                case "number": item = .number
                case "boolean": item = .boolean
                default:
                    return context.error(
                        "The item type argument of \"array\" must be one of string, number, boolean", at: 1)
                }
                next = 2
            }
            if arguments.count > 2 {
                if !arguments[2].isNull {
                    guard let number = arguments[2].number, let whole = Int(exactly: number), whole >= 0
                    else {
                        return context.error(
                            "The length argument to \"array\" must be a positive integer literal", at: 2)
                    }
                    length = whole
                }
                next = 3
            }
            type = .array(of: item, length: length)
        }
        var nodes: [Node] = []
        for index in next..<arguments.elements.count {
            guard let node = context.parse(arguments[index], at: index, expecting: .value) else {
                return nil
            }
            nodes.append(node)
        }
        return Assertion(type, nodes, key: context.key)
    }
}
