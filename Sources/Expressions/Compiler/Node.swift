/// A part of a compiled expression. Nodes never change after they are made, so any thread may evaluate them.
protocol Node: AnyObject, Sendable {
  var type: ExpressionType { get }
  /// The index path of the part in the source, for errors: `[2][0]`.
  var key: String { get }
  var traits: Traits { get }
  var folding: Folding { get }
  /// The parts that are looked through when the whole is examined. A variable is not: its binding is.
  var children: [any Node] { get }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value
  /// For nodes of type number: the same without wrapping.
  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double
  /// For nodes of type boolean: the same without wrapping.
  func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool
}

extension Node {
  var folding: Folding { .whenChildrenAreLiterals }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    let value = try evaluate(context)
    if case .number(let number) = value { return number }
    throw EvaluationError(key, .unexpectedType(.number, value))
  }

  func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    let value = try evaluate(context)
    if case .bool(let bool) = value { return bool }
    throw EvaluationError(key, .unexpectedType(.boolean, value))
  }

  func string(_ context: EvaluationContext) throws(EvaluationError) -> String {
    let value = try evaluate(context)
    if case .string(let string) = value { return string }
    throw EvaluationError(key, .unexpectedType(.string, value))
  }
}

/// A node that computes a number.
protocol NumberNode: Node {}

extension NumberNode {
  var type: ExpressionType { .number }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    .number(try number(context))
  }
}

/// A node that decides.
protocol BooleanNode: Node {}

extension BooleanNode {
  var type: ExpressionType { .boolean }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    .bool(try boolean(context))
  }
}

/// What a part of an expression depends on.
struct Traits: OptionSet {
  let rawValue: UInt8

  static let feature = Traits(rawValue: 1)
  static let zoom = Traits(rawValue: 2)
  /// Something else that only a map client knows.
  static let client = Traits(rawValue: 4)

  static func of(_ nodes: [any Node]) -> Traits {
    nodes.reduce(into: []) { $0.formUnion($1.traits) }
  }
}

/// When a node may be replaced by its value.
enum Folding {
  case never
  case whenChildrenAreLiterals
  /// An annotation may have been put around a constant after that was parsed, so it looks deeper.
  case whenChildrenAreConstant
}
