/// A part of a compiled expression. All members of all subclasses are constant, so any thread may evaluate it.
class Node {
    final let type: ExpressionType
    /// The index path of the part in the source, for errors: `[2][0]`.
    final let key: String
    /// What is looked through when the whole is examined. A variable is not a parent of its binding: the `let` is.
    final let children: [Node]
    final let traits: Traits
    /// How many parts are evaluated at most, variables counted as often as they are used.
    final let size: Int

    /// - Parameters:
    ///   - traits: Those that the node has beside its children's.
    ///   - size: Parts beside the children.
    init(_ type: ExpressionType, key: String, children: [Node], traits: Traits = [], size: Int = 1) {
        self.type = type
        self.size = children.reduce(size) { $0 + $1.size }
        self.key = key
        self.children = children
        self.traits = children.reduce(into: traits) { $0.formUnion($1.traits) }
    }

    var folding: Folding { .whenChildrenAreLiterals }

    /// What the part yields. Subclasses override this, or what it is made of in ``NumberNode`` and ``BooleanNode``.
    func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        throw EvaluationError(key, .other("Nothing to evaluate."))
    }

    /// For nodes of type number: the same without wrapping.
    func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        let value = try evaluate(feature, context)
        if case .number(let number) = value { return number }
        throw EvaluationError(key, .unexpectedType(.number, value))
    }

    /// For nodes of type boolean: the same without wrapping.
    func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        let value = try evaluate(feature, context)
        if case .bool(let bool) = value { return bool }
        throw EvaluationError(key, .unexpectedType(.boolean, value))
    }

    /// For nodes of type string.
    final func string(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> String {
        let value = try evaluate(feature, context)
        if case .string(let string) = value { return string }
        throw EvaluationError(key, .unexpectedType(.string, value))
    }

    /// Adds the text of what the part yields, as `concat` does.
    func write(to text: inout TextBuffer, _ feature: any ExpressionFeature, _ context: EvaluationContext)
        throws(EvaluationError)
    {
        text.append(try evaluate(feature, context))
    }
}

/// A node that computes a number.
class NumberNode: Node {
    final override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        .number(try number(feature, context))
    }

    final override func write(to text: inout TextBuffer, _ feature: any ExpressionFeature, _ context: EvaluationContext)
        throws(EvaluationError)
    {
        text.append(try number(feature, context))
    }

    override func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        throw EvaluationError(key, .other("Nothing to evaluate."))
    }
}

/// A node that decides.
class BooleanNode: Node {
    final override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        .bool(try boolean(feature, context))
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        throw EvaluationError(key, .other("Nothing to evaluate."))
    }
}

/// What a part of an expression depends on.
struct Traits: OptionSet {
    let rawValue: UInt8

    static let feature = Traits(rawValue: 1)
    static let zoom = Traits(rawValue: 2)
    /// Something else that only a map client knows.
    static let client = Traits(rawValue: 4)
}

/// When a node may be replaced by its value.
enum Folding {
    case never
    case whenChildrenAreLiterals
    /// An annotation may have been put around a constant after that was parsed, so it looks deeper.
    case whenChildrenAreConstant
}
