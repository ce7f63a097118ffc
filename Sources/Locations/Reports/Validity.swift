public import JSON

/// The member of a message that tells whether a value of it may be trusted: devices repeat their last position when they have
/// lost their fix. Without the member, the value counts.
public struct Validity: Sendable, Equatable {
    public var pointer: JSONPointer
    /// The member's values with which it counts; `nil`: all but the bad ones.
    public var good: [JSONValue]?
    /// The member's values with which it does not count.
    public var bad: [JSONValue]

    public init(_ pointer: JSONPointer, good: [JSONValue]? = nil, bad: [JSONValue] = []) {
        self.pointer = pointer
        self.good = good
        self.bad = bad
    }
}
