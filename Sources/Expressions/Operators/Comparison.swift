internal import JSON

/// `==`, `!=`, `<`, `<=`, `>` and `>=`.
enum Comparison {
    enum Operator: String, Sendable {
        case equal = "==", notEqual = "!="
        case less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="

        var isOrder: Bool { self != .equal && self != .notEqual }

        /// - Parameter difference: Negative, 0 or positive, like `strcmp`.
        func holds(for difference: Int) -> Bool {
            switch self {
            case .equal: difference == 0
            case .notEqual: difference != 0
            case .less: difference < 0
            case .lessOrEqual: difference <= 0
            case .greater: difference > 0
            case .greaterOrEqual: difference >= 0
            }
        }

        func accepts(_ type: ExpressionType) -> Bool {
            switch type {
            case .string, .number, .value: true
            case .boolean, .null: !isOrder
            default: false
            }
        }
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard let operation = Operator(rawValue: arguments.name),
            arguments.count == 2 || arguments.count == 3
        else {
            return context.error("Expected two or three arguments.")
        }
        func side(_ index: Int) -> Node? {
            guard let node = context.parse(arguments[index], at: index, expecting: .value) else {
                return nil
            }
            guard operation.accepts(node.type) else {
                return context.error(
                    "\"\(arguments.name)\" comparisons are not supported for type '\(node.type)'.", at: index)
            }
            return node
        }
        guard var left = side(1), var right = side(2) else { return nil }
        guard left.type == right.type || left.type == .value || right.type == .value else {
            return context.error("Cannot compare types '\(left.type)' and '\(right.type)'.")
        }
        if operation.isOrder {
            // The side whose type is not known has to be of the other's.
            if left.type == .value, right.type != .value {
                left = Assertion(right.type, [left], key: context.key)
            } else if right.type == .value, left.type != .value {
                right = Assertion(left.type, [right], key: context.key)
            }
        }
        guard arguments.count == 3 else {
            return operation.isOrder
                ? Ordering(operation, left, right, key: context.key)
                : Equality.node(left, right, isNegated: operation == .notEqual, key: context.key)
        }
        guard
            left.type == .string || right.type == .string || left.type == .value || right.type == .value
        else {
            return context.error("Cannot use collator to compare non-string types.")
        }
        guard let collator = context.parse(arguments[3], at: 3, expecting: .collator) else {
            return nil
        }
        return CollatedComparison(operation, left, right, collator: collator, key: context.key)
    }
}

/// `==` and `!=`: values of different types are never equal.
final class Equality: BooleanNode {
    private let left, right: Node
    private let isNegated: Bool

    private init(_ left: Node, _ right: Node, isNegated: Bool, key: String) {
        self.left = left
        self.right = right
        self.isNegated = isNegated
        super.init(.boolean, key: key, children: [left, right])
    }

    /// Where one side is a constant text, a faster node.
    static func node(_ left: Node, _ right: Node, isNegated: Bool, key: String) -> Node {
        for (constant, other) in [(right, left), (left, right)] {
            if case .string(let text)? = (constant as? Literal)?.value {
                return TextEquality(other, text, isNegated: isNegated, key: key, children: [left, right])
            }
        }
        return Equality(left, right, isNegated: isNegated, key: key)
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        let value = try left.evaluate(feature, context)
        return value.isStrictlyEqual(to: try right.evaluate(feature, context)) != isNegated
    }
}

/// `==` and `!=` with a constant text.
private final class TextEquality: BooleanNode {
    private let other: Node
    private let expected: ConstantText
    private let isNegated: Bool

    init(_ other: Node, _ text: String, isNegated: Bool, key: String, children: [Node]) {
        self.other = other
        expected = ConstantText(text)
        self.isNegated = isNegated
        super.init(.boolean, key: key, children: children)
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        guard case .string(let text) = try other.evaluate(feature, context) else { return isNegated }
        return expected.equals(text) != isNegated
    }
}

/// `<`, `<=`, `>` and `>=`: of two numbers or two texts.
final class Ordering: BooleanNode {
    private let operation: Comparison.Operator
    private let left, right: Node
    private let areNumbers: Bool

    init(_ operation: Comparison.Operator, _ left: Node, _ right: Node, key: String) {
        self.operation = operation
        self.left = left
        self.right = right
        areNumbers = left.type == .number && right.type == .number
        super.init(.boolean, key: key, children: [left, right])
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        if areNumbers {
            let number = try left.number(feature, context)
            return Self.compare(number, try right.number(feature, context), operation)
        }
        let (a, b) = (try left.evaluate(feature, context), try right.evaluate(feature, context))
        switch (a, b) {
        case (.number(let x), .number(let y)): return Self.compare(x, y, operation)
        case (.string(let x), .string(let y)):
            return switch operation {
            case .less: x.precedes(y)
            case .greater: y.precedes(x)
            case .lessOrEqual: !y.precedes(x)
            default: !x.precedes(y)
            }
        default: throw EvaluationError(key, .notComparable(operator: operation.rawValue, a, b))
        }
    }

    private static func compare(_ a: Double, _ b: Double, _ operation: Comparison.Operator) -> Bool {
        switch operation {
        case .less: a < b
        case .lessOrEqual: a <= b
        case .greater: a > b
        default: a >= b
        }
    }
}

/// A comparison of texts by a language's rules.
final class CollatedComparison: BooleanNode {
    private let operation: Comparison.Operator
    private let left, right, collator: Node
    private let isUntyped: Bool

    init(
        _ operation: Comparison.Operator, _ left: Node, _ right: Node, collator: Node,
        key: String
    ) {
        self.operation = operation
        self.left = left
        self.right = right
        self.collator = collator
        isUntyped = left.type == .value || right.type == .value
        super.init(.boolean, key: key, children: [left, right, collator])
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        let (a, b) = (try left.evaluate(feature, context), try right.evaluate(feature, context))
        if isUntyped {
            switch (a, b, operation.isOrder) {
            case (.string, .string, _), (.number, .number, true): break
            case (_, _, true):
                throw EvaluationError(key, .notComparable(operator: operation.rawValue, a, b))
            default: return a.isStrictlyEqual(to: b) == (operation == .equal)
            }
        }
        let value = try collator.evaluate(feature, context)
        guard case .collator(let rules) = value else {
            throw EvaluationError(key, .unexpectedType(.collator, value))
        }
        return operation.holds(for: rules.compare(a.text, b.text))
    }
}
