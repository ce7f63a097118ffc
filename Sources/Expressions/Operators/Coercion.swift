internal import JSON

/// `to-boolean`, `to-number`, `to-string` and `to-color`, and the conversions to a colour, formatted text or image that
/// a property of that type asks for.
final class Coercion: Node {
    private let first: Node
    private let others: [Node]
    /// The image of a constant name. Images are not folded, but need not be made each time either.
    let constantImage: Value?

    /// - Parameter arguments: At least one.
    init(_ type: ExpressionType, _ arguments: [Node], key: String) {
        first = arguments[0]
        others = Array(arguments.dropFirst())
        if type == .resolvedImage, let literal = arguments[0] as? Literal {
            constantImage = Self.image(named: literal.value.text)
        } else {
            constantImage = nil
        }
        super.init(type, key: key, children: arguments)
    }

    override var folding: Folding { .whenChildrenAreConstant }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        switch type {
        case .boolean: return .bool(try boolean(feature, context))
        case .number: return .number(try number(feature, context))
        case .color: return .color(try color(feature, context))
        case .formatted: return .formatted(FormattedText(try first.evaluate(feature, context).text))
        case .resolvedImage:
            if let constantImage { return constantImage }
            return Self.image(named: try first.evaluate(feature, context).text)
        default:
            let value = try first.evaluate(feature, context)
            if case .string = value { return value }
            return .string(value.text)
        }
    }

    override func write(to text: inout TextBuffer, _ feature: any ExpressionFeature, _ context: EvaluationContext)
        throws(EvaluationError)
    {
        if type == .string {
            try first.write(to: &text, feature, context)  // the same text without a string in between
        } else {
            text.append(try evaluate(feature, context))
        }
    }

    /// The name is not looked up here, only by `image`. No name is no image.
    private static func image(named name: String) -> Value {
        name.isEmpty ? .null : .image(ResolvedImage(name: name, isAvailable: false))
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        switch try first.evaluate(feature, context) {
        case .null: false
        case .bool(let value): value
        case .number(let number): number != 0 && !number.isNaN
        case .string(let text): !text.isEmpty
        default: true
        }
    }

    override func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        var value = try first.evaluate(feature, context)
        if let number = value.converted, !number.isNaN { return number }
        for other in others {
            value = try other.evaluate(feature, context)
            if let number = value.converted, !number.isNaN { return number }
        }
        throw EvaluationError(key, .notANumber(value))
    }

    private func color(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Color {
        var failure: EvaluationError.Reason
        switch try first.evaluate(feature, context).convertedToColor {
        case .success(let color): return color
        case .failure(let reason): failure = reason
        }
        for other in others {
            switch try other.evaluate(feature, context).convertedToColor {
            case .success(let color): return color
            case .failure(let reason): failure = reason
            }
        }
        throw EvaluationError(key, failure)
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count > 0 else { return context.error("Expected at least one argument.") }
        let type: ExpressionType
        switch arguments.name {
        case "to-boolean": type = .boolean
        case "to-number": type = .number
        case "to-color": type = .color
        default: type = .string
        }
        guard arguments.count == 1 || type == .number || type == .color else {
            return context.error("Expected one argument.")
        }
        var nodes: [Node] = []
        for index in 1..<arguments.elements.count {
            guard let node = context.parse(arguments[index], at: index, expecting: .value) else {
                return nil
            }
            nodes.append(node)
        }
        return Coercion(type, nodes, key: context.key)
    }
}

extension Value {
    /// ECMAScript's `Number(value)`: null is 0, an array of one element is that element's text.
    fileprivate var converted: Double? {
        switch self {
        case .null: 0
        case .bool(let value): value ? 1 : 0
        case .number(let number): number
        case .string(let text): NumberText.number(of: text)
        case .formatted, .image: NumberText.number(of: text)
        case .array(let elements):
            switch elements.count {
            case 0: 0
            case 1: elements[0].convertedInArray
            default: nil
            }
        case .object, .color, .collator: nil
        }
    }

    fileprivate var convertedToColor: Result<Color, EvaluationError.Reason> {
        switch self {
        case .color(let color): return .success(color)
        case .string(let text): return Color(css: text).map { .success($0) } ?? .failure(.notAColor(self))
        case .array(let parts):
            guard parts.count == 3 || parts.count == 4 else {
                return .failure(
                    .other(
                        "Invalid rgba value \(jsonText): expected an array containing either three or four numeric "
                            + "values."))
            }
            if let fault = RGBA.fault(in: parts) { return .failure(.other(fault)) }
            let numbers = parts.map { if case .number(let number) = $0 { number } else { 0.0 } }
            return .success(
                Color(
                    premultipliedRed: numbers[0] / 255, green: numbers[1] / 255, blue: numbers[2] / 255,
                    alpha: numbers.count == 4 ? numbers[3] : 1))
        default: return .failure(.notAColor(self))
        }
    }

    private var convertedInArray: Double? {
        if case .bool = self { nil } else { converted }  // as text it is "true"
    }
}

/// The ranges of `rgb` and `rgba`.
enum RGBA {
    /// What is wrong with three or four parts, in upstream's words; `nil` for nothing.
    static func fault(in parts: [Value]) -> String? {
        func isIn(_ value: Value, _ limit: Double) -> Bool {
            if case .number(let number) = value { number >= 0 && number <= limit } else { false }
        }
        let hasNumericAlpha = parts.count == 4 && parts[3].type == .number
        guard parts[..<3].allSatisfy({ isIn($0, 255) }) else {
            return "Invalid rgba value [\(list(hasNumericAlpha ? parts : Array(parts[..<3])))]: "
                + "'r', 'g', and 'b' must be between 0 and 255."
        }
        guard parts.count == 3 || isIn(parts[3], 1) else {
            return "Invalid rgba value [\(list(parts))]: 'a' must be between 0 and 1."
        }
        return nil
    }

    private static func list(_ parts: [Value]) -> String { parts.map(\.text).joined(separator: ", ") }
}
