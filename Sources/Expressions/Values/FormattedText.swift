internal import JSON

/// Text in sections of their own looks, from `format`.
public struct FormattedText: Sendable, Hashable {
    public struct Section: Sendable, Hashable {
        public var text: String
        public var image: ResolvedImage?
        /// 1 is the label's own size.
        public var scale: Double?
        public var fonts: [String]?
        public var color: Color?
        /// `bottom`, `center` or `top`.
        public var verticalAlign: String?
    }

    public var sections: [Section]

    /// One section without looks.
    public init(_ text: String) { sections = [Section(text: text)] }

    init(sections: [Section]) { self.sections = sections }

    /// The text alone.
    public var text: String { sections.map(\.text).joined() }

    var json: JSONValue {
        .object(JSONObject([("sections", .array(sections.map(\.json)))]))
    }
}

extension FormattedText.Section {
    fileprivate var json: JSONValue {
        .object(
            JSONObject([
                ("text", .string(text)),
                ("image", image?.json ?? .null),
                ("scale", scale.map { Value.number($0).json } ?? .null),
                ("fontStack", fonts.map { .string($0.joined(separator: ",")) } ?? .null),
                ("textColor", color?.json ?? .null),
                ("verticalAlign", verticalAlign.map { .string($0) } ?? .null),
            ]))
    }
}
