public import JSON

/// What is known when an expression is compiled.
public struct CompileEnvironment: Sendable {
  /// Read by `global-state`, and bound then: a change means compiling again.
  public var globalState: JSONObject
  /// The numbers of the fields that the features have, by name.
  public var slots: [String: Int]
  /// Operators that may not be used here, each with the reason, which becomes the error's message.
  public var unavailableOperators: [String: String]

  public init(
    globalState: JSONObject = JSONObject(), slots: [String: Int] = [:],
    unavailableOperators: [String: String] = [:]
  ) {
    self.globalState = globalState
    self.slots = slots
    self.unavailableOperators = unavailableOperators
  }

  func propertyName(_ text: String) -> PropertyName {
    PropertyName(text, slot: slots[text])
  }
}
