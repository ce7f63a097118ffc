/// `concat`
final class Concatenation: Node {
  let key: String
  let traits: Traits
  private let parts: [any Node]

  init(_ parts: [any Node], key: String) {
    self.parts = parts
    self.key = key
    traits = .of(parts)
  }

  var type: ExpressionType { .string }
  var children: [any Node] { parts }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    var text = ""
    for part in parts {
      let value = try part.evaluate(context)
      if case .string(let string) = value { text += string } else { text += value.text }
    }
    return .string(text)
  }
}

/// `upcase` and `downcase`: Unicode's full mappings, of no language in particular.
final class CaseMapping: Node {
  let key: String
  private let text: any Node
  private let isUpper: Bool

  init(_ text: any Node, isUpper: Bool, key: String) {
    self.text = text
    self.isUpper = isUpper
    self.key = key
  }

  var type: ExpressionType { .string }
  var traits: Traits { text.traits }
  var children: [any Node] { [text] }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    let text = try text.string(context)
    return .string(text.mapped(toUpper: isUpper))
  }
}

/// `split`: without a separator into characters.
final class Split: Node {
  let key: String
  let traits: Traits
  private let text, separator: any Node

  init(_ text: any Node, separator: any Node, key: String) {
    self.text = text
    self.separator = separator
    self.key = key
    traits = .of([text, separator])
  }

  var type: ExpressionType { .array(of: .string, length: nil) }
  var children: [any Node] { [text, separator] }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    let text = try text.string(context)
    let separator = Array(try separator.string(context).utf8)
    if separator.isEmpty { return .array(text.unicodeScalars.map { .string(String($0)) }) }
    let bytes = Array(text.utf8)
    var pieces: [Value] = []
    var start = 0
    while let found = bytes.firstIndex(of: separator, from: start) {
      pieces.append(.string(String(decoding: bytes[start..<found], as: UTF8.self)))
      start = found + separator.count
    }
    pieces.append(.string(String(decoding: bytes[start...], as: UTF8.self)))
    return .array(pieces)
  }
}

/// `join`
final class Join: Node {
  let key: String
  let traits: Traits
  private let list, separator: any Node

  init(_ list: any Node, separator: any Node, key: String) {
    self.list = list
    self.separator = separator
    self.key = key
    traits = .of([list, separator])
  }

  var type: ExpressionType { .string }
  var children: [any Node] { [list, separator] }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    let value = try list.evaluate(context)
    guard case .array(let elements) = value else {
      throw EvaluationError(key, .unexpectedType(.array(of: .string, length: nil), value))
    }
    return .string(elements.map(\.text).joined(separator: try separator.string(context)))
  }
}

extension Array where Element == UInt8 {
  /// Where the bytes stand first, from an index on.
  func firstIndex(of bytes: [UInt8], from start: Int) -> Int? {
    guard start + bytes.count <= count else { return nil }
    return (start...(count - bytes.count)).first {
      self[$0..<$0 + bytes.count].elementsEqual(bytes)
    }
  }
}

/// `typeof`
final class TypeName: Node {
  let key: String
  private let value: any Node

  init(_ value: any Node, key: String) {
    self.value = value
    self.key = key
  }

  var type: ExpressionType { .string }
  var traits: Traits { value.traits }
  var children: [any Node] { [value] }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    .string(try value.evaluate(context).type.description)
  }
}
