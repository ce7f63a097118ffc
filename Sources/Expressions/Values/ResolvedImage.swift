internal import JSON

/// An image by name, with the answer to whether it is there.
public struct ResolvedImage: Sendable, Hashable {
    public var name: String
    /// Whether the name is one of the known images; also false where no list is known.
    public var isAvailable: Bool

    var json: JSONValue {
        .object(JSONObject([("name", .string(name)), ("available", .bool(isAvailable))]))
    }

    public static func == (a: Self, b: Self) -> Bool {
        a.isAvailable == b.isAvailable && a.name.hasSameBytes(as: b.name)
    }

    public func hash(into hasher: inout Hasher) { name.hashBytes(into: &hasher) }
}

/// The images that a client has.
public struct ImageNames: Sendable {
    /// `nil`: whatever is asked for.
    private var names: Set<TextKey>?

    public init(_ names: some Sequence<String>) { self.names = Set(names.map { TextKey($0) }) }

    private init() {}

    /// Every name is the name of an image.
    public static let all = ImageNames()

    public func contains(_ name: String) -> Bool { names?.contains(TextKey(name)) ?? true }
}

/// A text as a key that compares by bytes.
struct TextKey: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (a: Self, b: Self) -> Bool { a.text.hasSameBytes(as: b.text) }

    func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
