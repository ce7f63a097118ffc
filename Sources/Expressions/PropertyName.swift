/// The name of a property that an expression reads, with the place where a feature keeps it.
///
/// Expressions are compiled for one kind of feature. Where that kind has fields of its own, it numbers them
/// (``CompileEnvironment/slots``), so that a lookup while evaluating is a `switch`, not a comparison of texts.
public struct PropertyName: Sendable {
    public let text: String
    /// The feature's own number for the field; `nil` for names it has no field for.
    public let slot: Int?

    public init(_ text: String, slot: Int? = nil) {
        self.text = text
        self.slot = slot
    }
}
