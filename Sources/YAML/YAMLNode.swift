/// A node of a YAML document, with the place where it begins. Aliases are resolved: what they name stands here again,
/// with the place where it was written.
public struct YAMLNode: Sendable {
    public enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        /// In the order of the file, keys distinct by their bytes.
        case mapping([YAMLEntry])
    }

    public var content: Content
    public var place: YAMLPlace

    public init(_ content: Content, at place: YAMLPlace) {
        self.content = content
        self.place = place
    }
}

/// One line of a mapping.
public struct YAMLEntry: Sendable {
    public var key: String
    public var keyPlace: YAMLPlace
    public var value: YAMLNode

    public init(key: String, keyPlace: YAMLPlace, value: YAMLNode) {
        self.key = key
        self.keyPlace = keyPlace
        self.value = value
    }
}

/// Text as it stands in the file, without quotes and escapes.
public struct YAMLScalar: Sendable {
    public enum Style: Sendable {
        /// Without quotes: `3` is a number and `true` a truth value.
        case plain
        /// In quotes, or in block style: always text.
        case quoted
    }

    public var text: String
    public var style: Style
    /// What stood here before something else was put in its place, such as `${NAME}`; `nil` where nothing was.
    public var template: String?

    public init(_ text: String, style: Style, template: String? = nil) {
        self.text = text
        self.style = style
        self.template = template
    }
}

extension YAMLNode {
    public var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    public var sequence: [YAMLNode]? {
        if case .sequence(let nodes) = content { nodes } else { nil }
    }

    public var mapping: [YAMLEntry]? {
        if case .mapping(let entries) = content { entries } else { nil }
    }

    /// Whether it is `null`, `~` or nothing at all.
    public var isNull: Bool {
        if case .null = scalar?.coreValue { true } else { false }
    }
}
