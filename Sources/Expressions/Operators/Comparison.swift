internal import JSON

/// `==`, `!=`, `<`, `<=`, `>` and `>=`.
enum Comparison {
  enum Operator: String, Sendable {
    case equal = "==", notEqual = "!="
    case less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="

    var isOrder: Bool { self != .equal && self != .notEqual }

    /// - Parameter difference: Negative, 0 or positive, like `strcmp`.
    func holds(for difference: Int) -> Bool {
      switch self {
      case .equal: difference == 0
      case .notEqual: difference != 0
      case .less: difference < 0
      case .lessOrEqual: difference <= 0
      case .greater: difference > 0
      case .greaterOrEqual: difference >= 0
      }
    }

    func accepts(_ type: ExpressionType) -> Bool {
      switch type {
      case .string, .number, .value: true
      case .boolean, .null: !isOrder
      default: false
      }
    }
  }

  static func parse(_ arguments: Arguments, _ context: ParsingContext) -> (any Node)? {
    guard let operation = Operator(rawValue: arguments.name),
      arguments.count == 2 || arguments.count == 3
    else {
      return context.error("Expected two or three arguments.")
    }
    func side(_ index: Int) -> (any Node)? {
      guard let node = context.parse(arguments[index], at: index, expecting: .value) else {
        return nil
      }
      guard operation.accepts(node.type) else {
        return context.error(
          "\"\(arguments.name)\" comparisons are not supported for type '\(node.type)'.", at: index)
      }
      return node
    }
    guard var left = side(1), var right = side(2) else { return nil }
    guard left.type == right.type || left.type == .value || right.type == .value else {
      return context.error("Cannot compare types '\(left.type)' and '\(right.type)'.")
    }
    if operation.isOrder {
      // The side whose type is not known has to be of the other's.
      if left.type == .value, right.type != .value {
        left = Assertion(right.type, [left], key: context.key)
      } else if right.type == .value, left.type != .value {
        right = Assertion(left.type, [right], key: context.key)
      }
    }
    guard arguments.count == 3 else {
      return operation.isOrder
        ? Ordering(operation, left, right, key: context.key)
        : Equality(left, right, isNegated: operation == .notEqual, key: context.key)
    }
    guard
      left.type == .string || right.type == .string || left.type == .value || right.type == .value
    else {
      return context.error("Cannot use collator to compare non-string types.")
    }
    guard let collator = context.parse(arguments[3], at: 3, expecting: .collator) else {
      return nil
    }
    return CollatedComparison(operation, left, right, collator: collator, key: context.key)
  }
}

/// `==` and `!=`: values of different types are never equal.
final class Equality: BooleanNode {
  let key: String
  let traits: Traits
  private let left, right: any Node
  private let isNegated: Bool
  /// The value of a side that is constant, with the other side.
  private let constant: (value: Value, other: any Node)?

  init(_ left: any Node, _ right: any Node, isNegated: Bool, key: String) {
    self.left = left
    self.right = right
    self.isNegated = isNegated
    self.key = key
    traits = .of([left, right])
    if let literal = right as? Literal {
      constant = (literal.value, left)
    } else if let literal = left as? Literal {
      constant = (literal.value, right)
    } else {
      constant = nil
    }
  }

  var children: [any Node] { [left, right] }

  func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    if let constant {
      return constant.value.isStrictlyEqual(to: try constant.other.evaluate(context)) != isNegated
    }
    let value = try left.evaluate(context)
    return value.isStrictlyEqual(to: try right.evaluate(context)) != isNegated
  }
}

/// `<`, `<=`, `>` and `>=`: of two numbers or two texts.
final class Ordering: BooleanNode {
  let key: String
  let traits: Traits
  private let operation: Comparison.Operator
  private let left, right: any Node
  private let areNumbers: Bool

  init(_ operation: Comparison.Operator, _ left: any Node, _ right: any Node, key: String) {
    self.operation = operation
    self.left = left
    self.right = right
    self.key = key
    traits = .of([left, right])
    areNumbers = left.type == .number && right.type == .number
  }

  var children: [any Node] { [left, right] }

  func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    if areNumbers {
      let number = try left.number(context)
      return Self.compare(number, try right.number(context), operation)
    }
    let (a, b) = (try left.evaluate(context), try right.evaluate(context))
    switch (a, b) {
    case (.number(let x), .number(let y)): return Self.compare(x, y, operation)
    case (.string(let x), .string(let y)):
      return switch operation {
      case .less: x.precedes(y)
      case .greater: y.precedes(x)
      case .lessOrEqual: !y.precedes(x)
      default: !x.precedes(y)
      }
    default: throw EvaluationError(key, .notComparable(operator: operation.rawValue, a, b))
    }
  }

  private static func compare(_ a: Double, _ b: Double, _ operation: Comparison.Operator) -> Bool {
    switch operation {
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    default: a >= b
    }
  }
}

/// A comparison of texts by a language's rules.
final class CollatedComparison: BooleanNode {
  let key: String
  let traits: Traits
  private let operation: Comparison.Operator
  private let left, right, collator: any Node
  private let isUntyped: Bool

  init(
    _ operation: Comparison.Operator, _ left: any Node, _ right: any Node, collator: any Node,
    key: String
  ) {
    self.operation = operation
    self.left = left
    self.right = right
    self.collator = collator
    self.key = key
    traits = .of([left, right, collator])
    isUntyped = left.type == .value || right.type == .value
  }

  var children: [any Node] { [left, right, collator] }

  func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    let (a, b) = (try left.evaluate(context), try right.evaluate(context))
    if isUntyped {
      switch (a, b, operation.isOrder) {
      case (.string, .string, _), (.number, .number, true): break
      case (_, _, true):
        throw EvaluationError(key, .notComparable(operator: operation.rawValue, a, b))
      default: return a.isStrictlyEqual(to: b) == (operation == .equal)
      }
    }
    let value = try collator.evaluate(context)
    guard case .collator(let rules) = value else {
      throw EvaluationError(key, .unexpectedType(.collator, value))
    }
    return operation.holds(for: rules.compare(a.text, b.text))
  }
}
