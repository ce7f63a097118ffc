public import JSON

/// What is known when an expression is compiled.
public struct CompileEnvironment: Sendable {
    /// Read by `global-state`, and bound then: a change means compiling again.
    public var globalState: JSONObject
    /// The images that `image` finds, where they are known already: constant names are looked up then.
    public var availableImages: ImageNames?
    /// The numbers of the fields that the features have, by name.
    public var slots: [String: Int]
    /// Operators that may not be used here, each with the reason, which becomes the error's message.
    public var unavailableOperators: [String: String]

    public init(
        globalState: JSONObject = JSONObject(), availableImages: ImageNames? = nil, slots: [String: Int] = [:],
        unavailableOperators: [String: String] = [:]
    ) {
        self.globalState = globalState
        self.availableImages = availableImages
        self.slots = slots
        self.unavailableOperators = unavailableOperators
    }

    func propertyName(_ text: String) -> PropertyName {
        PropertyName(text, slot: slots[text])
    }
}
