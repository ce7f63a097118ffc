internal import JSON

/// `let`: names for parts of an expression.
final class Let: Node {
    let bindings: [Node]
    let result: Node

    private init(bindings: [Node], result: Node, key: String) {
        self.bindings = bindings
        self.result = result
        super.init(result.type, key: key, children: bindings + [result])
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        try result.evaluate(feature, context)
    }

    override func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        try result.number(feature, context)
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        try result.boolean(feature, context)
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        let count = arguments.count
        guard count >= 3 else {
            return context.error("Expected at least 3 arguments, but found \(count) instead.")
        }
        var bindings: [(name: String, node: Node)] = []
        for index in stride(from: 1, to: count, by: 2) {
            guard case .string(let name) = arguments[index] else {
                return context.error(
                    "Expected string, but found \(arguments[index].ecmaTypeName) instead.", at: index)
            }
            guard name.utf8.allSatisfy(isNameByte) else {
                return context.error(
                    "Variable names must contain only alphanumeric characters or '_'.", at: index)
            }
            guard let node = context.parse(arguments[index + 1], at: index + 1) else { return nil }
            bindings.append((name, node))
        }
        let result = context.parse(
            arguments[count], at: count, expecting: context.expected,
            scope: context.scope.adding(bindings))
        return result.map { Let(bindings: bindings.map(\.node), result: $0, key: context.key) }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// `var`: its binding, evaluated each time.
final class Variable: Node {
    let bound: Node

    /// The traits are those of the `let`, which is the binding's parent.
    private init(_ bound: Node, key: String) {
        self.bound = bound
        super.init(bound.type, key: key, children: [], size: bound.size)
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        try bound.evaluate(feature, context)
    }

    override func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        try bound.number(feature, context)
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        try bound.boolean(feature, context)
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 1, case .string(let name) = arguments[1] else {
            return context.error("'var' expression requires exactly one string literal argument.")
        }
        guard let bound = context.scope[name] else {
            return context.error(
                "Unknown variable \"\(name)\". Make sure \"\(name)\" has been bound in an enclosing \"let\" "
                    + "expression before using it.", at: 1)
        }
        return Variable(bound, key: context.key)
    }
}
