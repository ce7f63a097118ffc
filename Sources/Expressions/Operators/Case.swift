internal import JSON

/// `case`: the output of the first condition that holds.
final class Case: Node {
  let type: ExpressionType
  let key: String
  let traits: Traits
  private let branches: [(condition: any Node, output: any Node)]
  private let otherwise: any Node

  private init(
    type: ExpressionType, branches: [(condition: any Node, output: any Node)], otherwise: any Node,
    key: String
  ) {
    self.type = type
    self.branches = branches
    self.otherwise = otherwise
    self.key = key
    traits = .of(branches.flatMap { [$0.condition, $0.output] } + [otherwise])
  }

  var children: [any Node] { branches.flatMap { [$0.condition, $0.output] } + [otherwise] }

  private func chosen(_ context: EvaluationContext) throws(EvaluationError) -> any Node {
    for branch in branches where try branch.condition.boolean(context) { return branch.output }
    return otherwise
  }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    try chosen(context).evaluate(context)
  }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    try chosen(context).number(context)
  }

  func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    try chosen(context).boolean(context)
  }

  static func parse(_ arguments: Arguments, _ context: ParsingContext) -> (any Node)? {
    let count = arguments.count
    guard count >= 3 else {
      return context.error("Expected at least 3 arguments, but found only \(count).")
    }
    guard count % 2 == 1 else { return context.error("Expected an odd number of arguments.") }
    var type = context.expected == .value ? nil : context.expected
    var branches: [(condition: any Node, output: any Node)] = []
    for index in stride(from: 1, to: count, by: 2) {
      guard let condition = context.parse(arguments[index], at: index, expecting: .boolean),
        let output = context.parse(arguments[index + 1], at: index + 1, expecting: type)
      else { return nil }
      branches.append((condition, output))
      type = type ?? output.type
    }
    guard let otherwise = context.parse(arguments[count], at: count, expecting: type) else {
      return nil
    }
    return Case(
      type: type ?? otherwise.type, branches: branches, otherwise: otherwise, key: context.key)
  }
}
