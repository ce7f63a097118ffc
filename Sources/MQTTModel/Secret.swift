/// A password or key. Printing it, also inside of something larger, shows `***`.
public struct Secret: Sendable, Equatable {
    public let revealed: String

    public init(_ text: String) { revealed = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "***" }
    public var debugDescription: String { "***" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
