/// `all` and `any`: from the left, no further than needed.
final class Junction: BooleanNode {
  let key: String
  let traits: Traits
  private let conditions: [any Node]
  /// What ends the search: false for `all`, true for `any`.
  private let decisive: Bool

  init(_ conditions: [any Node], decisive: Bool, key: String) {
    self.conditions = conditions
    self.decisive = decisive
    self.key = key
    traits = .of(conditions)
  }

  var children: [any Node] { conditions }

  func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    for condition in conditions where try condition.boolean(context) == decisive { return decisive }
    return !decisive
  }
}

/// `!`
final class Negation: BooleanNode {
  let key: String
  private let condition: any Node

  init(_ condition: any Node, key: String) {
    self.condition = condition
    self.key = key
  }

  var traits: Traits { condition.traits }
  var children: [any Node] { [condition] }

  func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    !(try condition.boolean(context))
  }
}
