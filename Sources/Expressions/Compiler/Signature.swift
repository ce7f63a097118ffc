/// One way to call an operator whose arguments have fixed types.
struct Signature: Sendable {
    enum Parameters: Sendable {
        case fixed([ExpressionType])
        case repeated(ExpressionType)
    }

    let parameters: Parameters
    let make: @Sendable (_ arguments: [Node], _ context: ParsingContext) -> Node

    init(
        _ types: ExpressionType..., make: @escaping @Sendable ([Node], ParsingContext) -> Node
    ) {
        parameters = .fixed(types)
        self.make = make
    }

    init(
        repeating type: ExpressionType,
        make: @escaping @Sendable ([Node], ParsingContext) -> Node
    ) {
        parameters = .repeated(type)
        self.make = make
    }

    func takes(_ count: Int) -> Bool {
        if case .fixed(let types) = parameters { types.count == count } else { true }
    }

    /// - Parameter index: From 1.
    func type(at index: Int) -> ExpressionType {
        switch parameters {
        case .fixed(let types): types[index - 1]
        case .repeated(let type): type
        }
    }
}

extension Signature: CustomStringConvertible {
    var description: String {
        switch parameters {
        case .fixed(let types): "(\(types.map(\.description).joined(separator: ", ")))"
        case .repeated(let type): "(\(type)...)"
        }
    }
}

/// An operator that is known by its signatures; the first that fits is taken.
func operation(_ signatures: Signature...) -> OperatorParser {
    { arguments, context in
        let candidates = signatures.filter { $0.takes(arguments.count) }
        var errors: [CompileError] = []
        for signature in candidates {
            let attempt = context.attempt()
            var nodes: [Node] = []
            for index in 1..<arguments.elements.count {
                guard
                    let node = attempt.parse(
                        arguments[index], at: index, expecting: signature.type(at: index))
                else { break }
                nodes.append(node)
            }
            if nodes.count == arguments.count { return signature.make(nodes, context) }
            errors = attempt.log.errors
        }
        if candidates.count == 1 {
            context.log.errors += errors
            return nil
        }
        // For the message, the arguments as they are.
        var found: [String] = []
        for index in 1..<arguments.elements.count {
            guard let node = context.parse(arguments[index], at: index) else { return nil }
            found.append(node.type.description)
        }
        let expected = (candidates.isEmpty ? signatures : candidates).map(\.description).joined(
            separator: " | ")
        return context.error(
            "Expected arguments of type \(expected), but found (\(found.joined(separator: ", "))) instead."
        )
    }
}
