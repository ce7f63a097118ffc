internal import JSON

/// A constant, also one that an expression was folded to.
final class Literal: Node {
    let value: Value

    init(_ value: Value, type: ExpressionType, key: String) {
        self.value = value
        super.init(type, key: key, children: [])
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value { value }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 1 else {
            return context.error(
                "'literal' expression requires exactly one argument, but found \(arguments.count) instead.")
        }
        let value = Value(arguments[1])
        var type = value.type
        // An empty array takes the item type that is wanted.
        if case .array(_, 0) = type, case .array(_, let length)? = context.expected,
            length == nil || length == 0
        {
            type = context.expected ?? type
        }
        return Literal(value, type: type, key: context.key)
    }
}

/// `["semiliteral", …]`: an array or object whose elements are expressions.
final class Semiliteral: Node {
    private let keys: [String]?
    private let elements: [Node]

    private init(elements: [Node], keys: [String]?, key: String) {
        self.elements = elements
        self.keys = keys
        let item = ExpressionType.common(to: elements.map(\.type))
        super.init(keys != nil ? .object : .array(of: item, length: elements.count), key: key, children: elements)
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for element in elements { values.append(try element.evaluate(feature, context)) }
        guard let keys else { return .array(values) }
        return .object(JSONObject(zip(keys, values).map { ($0, $1.json) }))
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 1 else {
            return context.error(
                "'semiliteral' expression requires exactly one argument, but found \(arguments.count) instead."
            )
        }
        let inside = context.child(1)
        switch arguments[1] {
        case .array(let elements):
            var item = ExpressionType.value
            if case .array(let expectedItem, _)? = context.expected { item = expectedItem }
            let nodes = elements.enumerated().map { inside.parse($1, at: $0, expecting: item) }
            guard nodes.allSatisfy({ $0 != nil }) else { return nil }
            return Semiliteral(elements: nodes.compactMap { $0 }, keys: nil, key: context.key)
        case .object(let object):
            let nodes = object.members.enumerated().map {
                inside.parse($1.value, at: $0, expecting: .value)
            }
            guard nodes.allSatisfy({ $0 != nil }) else { return nil }
            return Semiliteral(
                elements: nodes.compactMap { $0 }, keys: object.members.map(\.key), key: context.key)
        default:
            let value = Value(arguments[1])
            return Literal(value, type: value.type, key: context.key)
        }
    }
}
