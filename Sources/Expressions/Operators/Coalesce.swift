internal import JSON

/// `coalesce`: the first value that is not null, or the first image that is available.
final class Coalesce: Node {
  let type: ExpressionType
  let key: String
  let traits: Traits
  private let arguments: [any Node]

  private init(type: ExpressionType, _ arguments: [any Node], key: String) {
    self.type = type
    self.arguments = arguments
    self.key = key
    traits = .of(arguments)
  }

  var children: [any Node] { arguments }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    var firstMissingImage: String?
    for (index, argument) in arguments.enumerated() {
      let value = try argument.evaluate(context)
      switch value {
      case .null: continue
      case .image(let image) where !image.isAvailable:
        firstMissingImage = firstMissingImage ?? image.name
        // Where none is there, upstream answers with the name of the one that was wanted most.
        if index == arguments.count - 1, let firstMissingImage { return .string(firstMissingImage) }
      default: return value
      }
    }
    return .null
  }

  static func parse(_ arguments: Arguments, _ context: ParsingContext) -> (any Node)? {
    guard arguments.count > 0 else { return context.error("Expected at least one argument.") }
    var type = context.expected == .value ? nil : context.expected
    var nodes: [any Node] = []
    for index in 1..<arguments.elements.count {
      // An assertion inside would turn null into an error before the next argument gets its turn.
      guard
        let node = context.parse(arguments[index], at: index, expecting: type, annotation: .omit)
      else { return nil }
      type = type ?? node.type
      nodes.append(node)
    }
    // What was left out inside has to be put around the whole.
    let needsAnnotation =
      context.expected.map { expected in nodes.contains { !expected.accepts($0.type) } } ?? false
    return Coalesce(type: needsAnnotation ? .value : type ?? .value, nodes, key: context.key)
  }
}
