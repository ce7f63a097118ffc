internal import JSON

extension ParsingContext {
    /// Parses an expression, fits it to the expected type and folds it to a literal where it is constant.
    ///
    /// - Returns: `nil` after it has reported at least one error.
    func parse(_ json: JSONValue, annotation: Annotation? = nil) -> Node? {
        session.partCount += 1
        guard path.count <= CompileSession.maximumDepth else {
            return error(
                "Expressions may stand inside each other at most \(CompileSession.maximumDepth) deep.")
        }
        guard session.partCount <= CompileSession.maximumSize else { return error("The expression is too large.") }

        switch json {
        case .array(let elements):
            guard let node = operation(elements) else { return nil }
            guard node.size <= CompileSession.maximumSize else { return error("The expression is too large.") }
            guard let fitted = fit(node, annotation) else { return nil }
            return folded(fitted)
        case .object: return error("Bare objects invalid. Use [\"literal\", {...}] instead.")
        default:
            let value = Value(json)
            return fit(Literal(value, type: value.type, key: key), annotation).flatMap { folded($0) }
        }
    }

    private func operation(_ elements: [JSONValue]) -> Node? {
        guard let first = elements.first else {
            return error(
                "Expected an array with at least one element. If you wanted a literal array, use [\"literal\", []]."
            )
        }
        guard case .string(let name) = first else {
            return error(
                "Expression name must be a string, but found \(first.ecmaTypeName) instead. "
                    + "If you wanted a literal array, use [\"literal\", [...]].", at: 0)
        }
        if let reason = environment.unavailableOperators[name], operators[name] != nil {
            return error(reason, at: 0)
        }
        guard let parse = operators[name] else {
            return error(
                "Unknown expression \"\(name)\". If you wanted a literal array, use [\"literal\", [...]].",
                at: 0,
                suggestion: Spelling.nearest(to: name, among: operators.keys))
        }
        return parse(Arguments(name: name, elements: elements), self)
    }

    /// Asserts what can be asserted, converts what upstream converts by itself, and checks the rest.
    private func fit(_ node: Node, _ annotation: Annotation?) -> Node? {
        guard let expected else { return node }
        let usual: Annotation
        switch (expected, node.type) {
        case (.string, .value), (.number, .value), (.boolean, .value), (.object, .value),
            (.array, .value):
            usual = .assert
        case (.color, .value), (.color, .string), (.formatted, .value), (.formatted, .string),
            (.resolvedImage, .value), (.resolvedImage, .string):
            usual = .coerce
        default: return check(node.type, fits: expected) ? node : nil
        }
        switch annotation ?? usual {
        case .assert: return Assertion(expected, [node], key: key)
        case .coerce: return Coercion(expected, [node], key: key)
        case .omit: return node
        }
    }

    /// Images are looked up in a list that is known only when evaluated, so they are never folded.
    private func folded(_ node: Node) -> Node? {
        guard !(node is Literal), node.type != .resolvedImage, node.isConstant else { return node }
        do throws(EvaluationError) {
            return Literal(try node.evaluate(JSONFeature(), .none), type: node.type, key: key)
        } catch {
            return self.error(error.message)
        }
    }
}

extension Node {
    /// Whether evaluating yields the same for every feature, at every time and place.
    fileprivate var isConstant: Bool {
        if let variable = self as? Variable { return variable.bound.isConstant }
        guard traits.isEmpty else { return false }
        return switch folding {
        case .never: false
        case .whenChildrenAreLiterals: children.allSatisfy { $0 is Literal }
        case .whenChildrenAreConstant: children.allSatisfy { $0.isConstant }
        }
    }
}

/// The elements of an operation: its name first.
struct Arguments {
    let name: String
    let elements: [JSONValue]

    /// Without the name.
    var count: Int { elements.count - 1 }

    /// - Parameter index: The first argument is 1.
    subscript(index: Int) -> JSONValue { elements[index] }
}

extension JSONValue {
    /// What ECMAScript's `typeof` says, for messages.
    var ecmaTypeName: String {
        switch self {
        case .null, .array, .object: "object"
        case .bool: "boolean"
        case .number, .bigInteger: "number"
        case .string: "string"
        }
    }
}
