internal import JSON

/// `image`: an image by name, looked up in the list of known ones.
final class Image: Node {
    private let name: Node
    private let known: ImageNames?
    private let constant: Constant

    private enum Constant {
        case none
        /// The name is constant: both answers, made once.
        case either(name: String, available: Value, missing: Value)
        /// The list was known too.
        case answer(Value)
    }

    private init(_ name: Node, _ context: ParsingContext) {
        self.name = name
        known = context.environment.availableImages
        if case .string(let text)? = (name as? Literal)?.value {
            let available = Self.value(text, isAvailable: true)
            let missing = Self.value(text, isAvailable: false)
            if let known {
                constant = .answer(known.contains(text) ? available : missing)
            } else {
                constant = .either(name: text, available: available, missing: missing)
            }
        } else {
            constant = .none
        }
        super.init(.resolvedImage, key: context.key, children: [name])
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        switch constant {
        case .answer(let value): return value
        case .either(let name, let available, let missing): return context.hasImage(name) ? available : missing
        case .none:
            let name = try name.string(feature, context)
            return Self.value(name, isAvailable: known?.contains(name) ?? context.hasImage(name))
        }
    }

    /// No name is no image.
    private static func value(_ name: String, isAvailable: Bool) -> Value {
        name.isEmpty ? .null : .image(ResolvedImage(name: name, isAvailable: isAvailable))
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 1 else { return context.error("Expected two arguments.") }
        guard let name = context.parse(arguments[1], at: 1, expecting: .string) else {
            return context.error("No image name provided.")
        }
        return Image(name, context)
    }
}
