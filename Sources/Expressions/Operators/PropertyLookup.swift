internal import JSON

/// `["get", name]` and `["has", name]`: the feature's own property.
final class PropertyLookup: Node {
  let type: ExpressionType
  let key: String
  /// `nil` where the name is computed.
  let constantName: PropertyName?
  private let name: any Node
  private let environment: CompileEnvironment
  private let asksForPresence: Bool

  init(name: any Node, asksForPresence: Bool, _ context: ParsingContext) {
    key = context.key
    environment = context.environment
    self.name = name
    self.asksForPresence = asksForPresence
    type = asksForPresence ? .boolean : .value
    if let literal = name as? Literal, case .string(let text) = literal.value {
      constantName = environment.propertyName(text)
    } else {
      constantName = nil
    }
  }

  var traits: Traits { name.traits.union(.feature) }
  var children: [any Node] { [name] }

  private func found(_ context: EvaluationContext) throws(EvaluationError) -> Value? {
    if let constantName { return context.feature.property(constantName) }
    return context.feature.property(environment.propertyName(try name.string(context)))
  }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    let value = try found(context)
    return asksForPresence ? .bool(value != nil) : value ?? .null
  }

  func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    let value = try found(context)
    if asksForPresence { return value != nil }
    if case .bool(let bool)? = value { return bool }
    throw EvaluationError(key, .unexpectedType(.boolean, value ?? .null))
  }
}

/// `["get", name, object]` and `["has", name, object]`.
final class MemberLookup: Node {
  let type: ExpressionType
  let key: String
  let traits: Traits
  private let name, object: any Node
  private let asksForPresence: Bool

  init(name: any Node, object: any Node, asksForPresence: Bool, key: String) {
    self.key = key
    self.name = name
    self.object = object
    self.asksForPresence = asksForPresence
    type = asksForPresence ? .boolean : .value
    traits = .of([name, object])
  }

  var children: [any Node] { [name, object] }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    let name = try name.string(context)
    let value = try object.evaluate(context)
    guard case .object(let members) = value else {
      throw EvaluationError(key, .unexpectedType(.object, value))
    }
    let member = members[name]
    return asksForPresence ? .bool(member != nil) : member.map { Value($0) } ?? .null
  }
}

/// `properties`, `id`, `geometry-type` and `feature-state`.
final class FeatureLookup: Node {
  enum Part: Sendable {
    case properties, id, geometryType
    case state(name: any Node)
  }

  let type: ExpressionType
  let key: String
  let part: Part

  init(_ part: Part, key: String) {
    self.part = part
    self.key = key
    type =
      switch part {
      case .properties: .object
      case .geometryType: .string
      case .id, .state: .value
      }
  }

  var traits: Traits { .feature }

  var children: [any Node] {
    if case .state(let name) = part { [name] } else { [] }
  }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    switch part {
    case .properties: return .object(context.feature.properties)
    case .id: return context.feature.id
    case .geometryType:
      guard let geometry = context.feature.geometry else { return .null }
      return .string(context.globals.tile == nil ? geometry.type : geometry.simpleType)
    case .state(let name): return context.feature.state(try name.string(context)) ?? .null
    }
  }
}

/// `["global-state", name]`: bound when compiled, but still not folded, as upstream reports its types.
final class GlobalStateLookup: Node {
  let key: String
  private let value: Value

  private init(_ value: Value, key: String) {
    self.value = value
    self.key = key
  }

  var type: ExpressionType { .value }
  var traits: Traits { [] }
  var folding: Folding { .never }
  var children: [any Node] { [] }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value { value }

  static func parse(_ arguments: Arguments, _ context: ParsingContext) -> (any Node)? {
    guard arguments.count == 1 else {
      return context.error("Expected 1 argument, but found \(arguments.count) instead.")
    }
    switch arguments[1] {
    case .null: return context.error("Global state property must be defined.")
    case .string(let name):
      return GlobalStateLookup(
        context.environment.globalState[name].map { Value($0) } ?? .null, key: context.key)
    default:
      return context.error(
        "Global state property must be string, but found \(arguments[1].ecmaTypeName) instead.")
    }
  }
}
