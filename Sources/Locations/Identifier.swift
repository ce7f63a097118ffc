internal import JSON

/// The id of a source, location or building. Compared by bytes: "é" as one scalar or as two names two devices.
public struct Identifier: Sendable {
    /// Bytes of an id from outside at most, so that its topics stay what MQTT allows, also percent-encoded.
    public static let maximumLength = 1_000

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
