public import JSON

/// A compiled expression. It never changes, and any number of threads may evaluate it.
public struct Expression: Sendable {
    private let tree: Tree
    /// Of the property that it is for.
    private let range: ClosedRange<Double>?

    private var root: Node { tree.root }

    /// Parses, checks types and folds constants.
    ///
    /// - Parameters:
    ///   - json: An operation as a JSON array, or a constant.
    ///   - specification: The property that the expression is for.
    /// - Throws: Every error that upstream would report, in its order.
    public static func compile(
        _ json: JSONValue, for specification: PropertySpecification = .any,
        in environment: CompileEnvironment = CompileEnvironment()
    ) throws(CompileErrors) -> Expression {
        func fault(_ message: String) -> CompileErrors {
            CompileErrors(errors: [CompileError(path: [], message: message)])
        }

        if case .object(let object) = json, StopFunction.isOne(object) {
            throw fault(StopFunction.refusal)
        }
        let session = CompileSession(environment: environment)
        let context = ParsingContext(
            session: session, log: ErrorLog(), path: [], place: [], expected: specification.type, scope: Scope())
        guard let root = context.parse(json, annotation: specification.convertsToString ? .coerce : nil)
        else {
            throw CompileErrors(errors: context.log.errors)
        }
        if root.traits.contains(.feature), !specification.allowsFeature {
            throw fault("data expressions not supported")
        }
        if root.traits.contains(.zoom), !specification.allowsZoom {
            throw fault("zoom expressions not supported")
        }
        switch ZoomCurve(in: root) {
        case .none:
            if root.traits.contains(.zoom) { throw fault(ZoomCurve.misplaced) }
        case .fault(let message): throw fault(message)
        case .curve(let node):
            if node is Interpolation, !specification.isInterpolated {
                throw fault("\"interpolate\" expressions cannot be used with this property")
            }
        }
        if let range = specification.range, case .number(let number)? = (root as? Literal)?.value,
            !range.contains(number)
        {
            throw fault(range.refusal(of: number))
        }
        return Expression(tree: Tree(root: root), range: specification.range)
    }

    /// The type of the values that it yields, as far as it is known without evaluating.
    public var type: ExpressionType { root.type }

    /// Whether it yields the same for every feature.
    public var isFeatureConstant: Bool { !root.traits.contains(.feature) }

    /// Whether it yields the same at every zoom.
    public var isZoomConstant: Bool { !root.traits.contains(.zoom) }

    /// The value, where that is known without evaluating.
    public var constantValue: Value? {
        (root as? Literal)?.value ?? (root as? Coercion)?.constantImage
    }

    /// What the expression yields for a feature.
    ///
    /// - Returns: May be null or NaN, for which ``Value/isMissing`` holds. Enumerations are not checked here.
    /// - Throws: When any part that has to be evaluated fails; the caller has the fallback.
    public func evaluate(_ feature: any ExpressionFeature) throws(EvaluationError) -> Value {
        try inRange(root.evaluate(feature, .none))
    }

    /// The same with what only a map client knows.
    public func evaluate(
        _ feature: any ExpressionFeature, globals: EvaluationGlobals
    ) throws(EvaluationError) -> Value {
        try inRange(
            EvaluationContext.with(globals: globals) {
                (context) throws(EvaluationError) in try root.evaluate(feature, context)
            })
    }

    private func inRange(_ value: Value) throws(EvaluationError) -> Value {
        if let range, case .number(let number) = value, !range.contains(number), !number.isNaN {
            throw EvaluationError("", .outOfRange(number, range))
        }
        return value
    }

    /// Whether a condition holds for a feature: ``evaluate(_:)`` for expressions of type boolean.
    public func holds(for feature: any ExpressionFeature) throws(EvaluationError) -> Bool {
        try root.boolean(feature, .none)
    }

    /// Sendable without proof, since nodes have subclasses: all members of all of them are constant.
    private struct Tree: @unchecked Sendable {
        let root: Node
    }
}

extension Expression {
    /// What the expression reads of a feature: while none of it changes, neither does the value.
    public var inputs: ExpressionInputs {
        var inputs = ExpressionInputs()
        inputs.collect(from: root)
        return inputs
    }

    /// The inputs of all `step`s over one property, ascending: where the output may jump as the property changes.
    public func stepBoundaries(over property: String) -> [Double] {
        var boundaries: Set<Double> = []
        func visit(_ node: Node) {
            if let step = node as? Step, step.input.property?.hasSameBytes(as: property) == true {
                boundaries.formUnion(step.boundaries)
            }
            node.children.forEach(visit)
        }
        visit(root)
        return boundaries.sorted()
    }
}

extension Node {
    /// The property that the node yields, as it is or asserted or converted to a number, before any fallback.
    fileprivate var property: String? {
        if let lookup = self as? PropertyLookup { return lookup.name.text }
        if self is Assertion || self is Coercion { return children[0].property }
        return (self as? Variable)?.bound.property
    }
}
