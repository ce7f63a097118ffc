internal import JSON

/// `number`, `string`, `boolean`, `object` and `array`: the first argument that is of the type. Also put around values
/// of unknown type where a type is expected.
final class Assertion: Node {
  let type: ExpressionType
  let key: String
  let traits: Traits
  private let first: any Node
  private let others: [any Node]

  /// - Parameter arguments: At least one.
  init(_ type: ExpressionType, _ arguments: [any Node], key: String) {
    self.type = type
    self.key = key
    traits = .of(arguments)
    first = arguments[0]
    others = Array(arguments.dropFirst())
  }

  var folding: Folding { .whenChildrenAreConstant }
  var children: [any Node] { [first] + others }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    var value = try first.evaluate(context)
    if type.admits(value) { return value }
    for other in others {
      value = try other.evaluate(context)
      if type.admits(value) { return value }
    }
    throw EvaluationError(key, .unexpectedType(type, value))
  }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    var value = try first.evaluate(context)
    if case .number(let number) = value { return number }
    for other in others {
      value = try other.evaluate(context)
      if case .number(let number) = value { return number }
    }
    throw EvaluationError(key, .unexpectedType(type, value))
  }

  static func parse(_ arguments: Arguments, _ context: ParsingContext) -> (any Node)? {
    guard arguments.count > 0 else { return context.error("Expected at least one argument.") }
    var next = 1
    let type: ExpressionType
    switch arguments.name {
    case "number": type = .number
    case "string": type = .string
    case "boolean": type = .boolean
    case "object": type = .object
    default:
      var item = ExpressionType.value
      var length: Int?
      if arguments.count > 1 {
        switch arguments[1].string {
        case "string": item = .string
        case "number": item = .number
        case "boolean": item = .boolean
        default:
          return context.error(
            "The item type argument of \"array\" must be one of string, number, boolean", at: 1)
        }
        next = 2
      }
      if arguments.count > 2 {
        if !arguments[2].isNull {
          guard let number = arguments[2].number, let whole = Int(exactly: number), whole >= 0
          else {
            return context.error(
              "The length argument to \"array\" must be a positive integer literal", at: 2)
          }
          length = whole
        }
        next = 3
      }
      type = .array(of: item, length: length)
    }
    var nodes: [any Node] = []
    for index in next..<arguments.elements.count {
      guard let node = context.parse(arguments[index], at: index, expecting: .value) else {
        return nil
      }
      nodes.append(node)
    }
    return Assertion(type, nodes, key: context.key)
  }
}
