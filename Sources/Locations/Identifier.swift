internal import JSON

/// The id of a source, location or building. Compared by bytes: "é" as one scalar or as two names two devices.
public struct Identifier: Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }
}

extension Identifier: Hashable {
    public static func == (a: Identifier, b: Identifier) -> Bool { a.text.hasSameBytes(as: b.text) }
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension Identifier: Comparable {
    public static func < (a: Identifier, b: Identifier) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

extension Identifier: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { text = value }
    public var description: String { text }
}
