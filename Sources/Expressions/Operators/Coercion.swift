internal import JSON

/// `to-boolean`, `to-number`, `to-string` and `to-color`, and the conversions to a colour, formatted text or image that
/// a property of that type asks for.
final class Coercion: Node {
  let type: ExpressionType
  let key: String
  let traits: Traits
  private let arguments: [any Node]
  /// The image of a constant name. Images are not folded, but need not be made each time either.
  let constantImage: Value?

  /// - Parameter arguments: At least one.
  init(_ type: ExpressionType, _ arguments: [any Node], key: String) {
    self.type = type
    self.key = key
    self.arguments = arguments
    traits = .of(arguments)
    if type == .resolvedImage, let literal = arguments[0] as? Literal {
      constantImage = Self.image(named: literal.value.text)
    } else {
      constantImage = nil
    }
  }

  var folding: Folding { .whenChildrenAreConstant }
  var children: [any Node] { arguments }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    switch type {
    case .boolean: return .bool(try boolean(context))
    case .number: return .number(try number(context))
    case .color: return .color(try color(context))
    case .formatted: return .formatted(FormattedText(try arguments[0].evaluate(context).text))
    case .resolvedImage:
      if let constantImage { return constantImage }
      return Self.image(named: try arguments[0].evaluate(context).text)
    default:
      let value = try arguments[0].evaluate(context)
      if case .string = value { return value }
      return .string(value.text)
    }
  }

  /// The name is not looked up here, only by `image`. No name is no image.
  private static func image(named name: String) -> Value {
    name.isEmpty ? .null : .image(ResolvedImage(name: name, isAvailable: false))
  }

  func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    switch try arguments[0].evaluate(context) {
    case .null: false
    case .bool(let value): value
    case .number(let number): number != 0 && !number.isNaN
    case .string(let text): !text.isEmpty
    default: true
    }
  }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    var value = Value.null
    for argument in arguments {
      value = try argument.evaluate(context)
      if let number = value.converted, !number.isNaN { return number }
    }
    throw EvaluationError(key, .notANumber(value))
  }

  private func color(_ context: EvaluationContext) throws(EvaluationError) -> Color {
    var failure = EvaluationError.Reason.notAColor(.null)
    for argument in arguments {
      let value = try argument.evaluate(context)
      failure = .notAColor(value)
      switch value {
      case .color(let color): return color
      case .string(let text):
        if let color = Color(css: text) { return color }
      case .array(let parts):
        guard parts.count == 3 || parts.count == 4 else {
          failure = .other(
            "Invalid rgba value \(value.jsonText): expected an array containing either three or four "
              + "numeric values.")
          continue
        }
        if let fault = RGBA.fault(in: parts) {
          failure = .other(fault)
          continue
        }
        let numbers = parts.map { if case .number(let number) = $0 { number } else { 0.0 } }
        return Color(
          premultipliedRed: numbers[0] / 255, green: numbers[1] / 255, blue: numbers[2] / 255,
          alpha: numbers.count == 4 ? numbers[3] : 1)
      default: break
      }
    }
    throw EvaluationError(key, failure)
  }

  static func parse(_ arguments: Arguments, _ context: ParsingContext) -> (any Node)? {
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
    var nodes: [any Node] = []
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
