internal import JSON

/// `format`: text and images in sections of their own looks.
final class Format: Node {
    struct Section {
        let content: Node
        var scale, fonts, color, verticalAlign: Node?

        var nodes: [Node] { [content] + [scale, fonts, color, verticalAlign].compactMap { $0 } }
    }

    private let sections: [Section]

    private init(_ sections: [Section], key: String) {
        self.sections = sections
        super.init(.formatted, key: key, children: sections.flatMap(\.nodes))
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        var result: [FormattedText.Section] = []
        for section in sections { result.append(try evaluate(section, feature, context)) }
        return .formatted(FormattedText(sections: result))
    }

    private func evaluate(
        _ section: Section, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> FormattedText.Section {
        let content = try section.content.evaluate(feature, context)
        var result = FormattedText.Section(text: "")
        if case .image(let image) = content {
            result.image = image
        } else {
            result.text = content.text
            result.scale = try section.scale?.number(feature, context)
            if case .array(let fonts)? = try section.fonts?.evaluate(feature, context) {
                result.fonts = fonts.map(\.text)
            }
            if case .color(let color)? = try section.color?.evaluate(feature, context) { result.color = color }
        }
        result.verticalAlign = try section.verticalAlign?.string(feature, context)
        return result
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count > 0 else { return context.error("Expected at least one argument.") }
        switch arguments[1] {
        case .object, .null: return context.error("First argument must be an image or text section.")
        default: break
        }
        var sections: [Section] = []
        var mayHaveLooks = false
        for index in 1..<arguments.elements.count {
            if mayHaveLooks, case .object(let looks) = arguments[index] {
                mayHaveLooks = false
                guard sections[sections.count - 1].read(looks, at: index, context) else { return nil }
                continue
            }
            // Upstream gives all that is inside the path of the first argument.
            guard let content = context.parse(arguments[index], at: 1, steps: [.index(index)], expecting: .value) else {
                return nil
            }
            switch content.type {
            case .string, .value, .null, .resolvedImage: break
            default:
                return context.error("Formatted text type must be 'string', 'value', 'image' or 'null'.")
            }
            sections.append(Section(content: content))
            mayHaveLooks = true
        }
        return Format(sections, key: context.key)
    }
}

extension Format.Section {
    fileprivate mutating func read(_ looks: JSONObject, at index: Int, _ context: ParsingContext) -> Bool {
        var hasFault = false
        func option(_ name: String, _ type: ExpressionType) -> Node? {
            guard !hasFault, let json = looks[name], json.isTruthy else { return nil }
            let node = context.parse(json, at: 1, steps: [.index(index), .member(name)], expecting: type)
            hasFault = node == nil
            return node
        }
        scale = option("font-scale", .number)
        fonts = option("text-font", .array(of: .string, length: nil))
        color = option("text-color", .color)
        if !hasFault, case .string(let text)? = looks["vertical-align"], !text.isEmpty,
            !["bottom", "center", "top"].contains(text)
        {
            return context.error(
                "'vertical-align' must be one of: 'bottom', 'center', 'top' but found '\(text)' instead.")
                != nil
        }
        verticalAlign = option("vertical-align", .string)
        return !hasFault
    }
}

extension JSONValue {
    /// Whether ECMAScript takes it as true: options that are not leave the option out.
    var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .number(let number): number != 0
        case .string(let text): !text.isEmpty
        default: true
        }
    }
}
