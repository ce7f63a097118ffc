/// What only a map client knows: `zoom`, and the inputs of heatmaps, gradients and clusters, which have none here.
final class ClientValue: Node {
  enum Kind: Sendable {
    case zoom, heatmapDensity, elevation, lineProgress, accumulated
  }

  let key: String
  let kind: Kind

  init(_ kind: Kind, key: String) {
    self.kind = kind
    self.key = key
  }

  var type: ExpressionType { kind == .accumulated ? .value : .number }
  var traits: Traits { kind == .zoom ? .zoom : .client }
  var children: [any Node] { [] }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    switch kind {
    case .zoom: .number(context.globals.zoom ?? .nan)
    case .heatmapDensity, .elevation, .lineProgress: .number(0)
    case .accumulated: .null
    }
  }
}

/// `is-supported-script`: every script is, since nothing is drawn here.
final class ScriptSupport: BooleanNode {
  let key: String
  private let text: any Node

  init(_ text: any Node, key: String) {
    self.text = text
    self.key = key
  }

  var traits: Traits { text.traits.union(.client) }
  var children: [any Node] { [text] }

  func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    _ = try text.evaluate(context)
    return true
  }
}

/// `["error", message]`: fails whenever it is evaluated.
final class Failure: Node {
  let key: String
  private let message: any Node

  init(_ message: any Node, key: String) {
    self.message = message
    self.key = key
  }

  var type: ExpressionType { .error }
  var traits: Traits { message.traits }
  var folding: Folding { .never }
  var children: [any Node] { [message] }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    throw EvaluationError(key, .other(try message.evaluate(context).text))
  }
}
