internal import JSON

/// `image`: an image by name, looked up in the list of known ones.
final class Image: Node {
  let key: String
  private let name: any Node
  /// The two answers for a constant name.
  private let constant: (name: String, available: Value, missing: Value)?

  private init(_ name: any Node, key: String) {
    self.name = name
    self.key = key
    if let literal = name as? Literal, case .string(let text) = literal.value {
      constant = (
        text, Self.value(text, isAvailable: true), Self.value(text, isAvailable: false)
      )
    } else {
      constant = nil
    }
  }

  var type: ExpressionType { .resolvedImage }
  var traits: Traits { name.traits }
  var children: [any Node] { [name] }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    let images = context.globals.availableImages
    if let constant {
      return images?.contains(constant.name) ?? false ? constant.available : constant.missing
    }
    let name = try name.string(context)
    return Self.value(name, isAvailable: images?.contains(name) ?? false)
  }

  /// No name is no image.
  private static func value(_ name: String, isAvailable: Bool) -> Value {
    name.isEmpty ? .null : .image(ResolvedImage(name: name, isAvailable: isAvailable))
  }

  static func parse(_ arguments: Arguments, _ context: ParsingContext) -> (any Node)? {
    guard arguments.count == 1 else { return context.error("Expected two arguments.") }
    guard let name = context.parse(arguments[1], at: 1, expecting: .string) else {
      return context.error("No image name provided.")
    }
    return Image(name, key: context.key)
  }
}
