internal import JSON

/// Makes a tree of events.
struct Composer {
    private let reader: EventReader
    private let limits: YAMLDocument.Limits
    var errors: [YAMLError] = []
    // Texts as JSON values compare by bytes.
    private var anchors: [JSONValue: Anchor] = [:]
    private var nodes = 0

    private enum Anchor {
        /// Its node is being read.
        case open
        case closed(Subtree)
    }

    /// A node with its size, so that an alias costs what it repeats.
    private struct Subtree {
        var node: YAMLNode
        var count = 1
        var height = 0
    }

    init(_ reader: EventReader, limits: YAMLDocument.Limits) {
        self.reader = reader
        self.limits = limits
    }

    /// - Returns: `nil` where the stream has no document.
    mutating func document() throws(YAMLError) -> YAMLNode? {
        guard case .documentStart = try reader.next().kind else { return nil }
        let root = try subtree(try reader.next(), depth: 0).node
        _ = try reader.next()
        let next = try reader.next()
        if case .documentStart = next.kind {
            errors.append(YAMLError(next.place, "a second document begins; a configuration is one document"))
        }
        return root
    }

    private mutating func subtree(_ event: Event, depth: Int) throws(YAMLError) -> Subtree {
        switch event.kind {
        case .alias(let name): return try alias(name, at: event.place, depth: depth)
        case .scalar(let text, let isPlain, let properties):
            try count(1, at: event.place)
            let scalar = scalar(text, isPlain: isPlain, tag: properties.tag, at: event.place)
            return close(properties.anchor, Subtree(node: YAMLNode(.scalar(scalar), at: event.place)))
        case .sequenceStart(let properties):
            try open(properties, kind: "seq", at: event.place, depth: depth)
            return close(properties.anchor, try sequence(at: event.place, depth: depth))
        case .mappingStart(let properties):
            try open(properties, kind: "map", at: event.place, depth: depth)
            return close(properties.anchor, try mapping(at: event.place, depth: depth))
        default: throw YAMLError(event.place, "a value is missing")
        }
    }

    private mutating func sequence(at place: YAMLPlace, depth: Int) throws(YAMLError) -> Subtree {
        var result = Subtree(node: YAMLNode(.sequence([]), at: place))
        var elements: [YAMLNode] = []
        while true {
            let event = try reader.next()
            if case .sequenceEnd = event.kind { break }
            let element = try subtree(event, depth: depth + 1)
            result.count += element.count
            result.height = max(result.height, element.height + 1)
            elements.append(element.node)
        }
        result.node.content = .sequence(elements)
        return result
    }

    private mutating func mapping(at place: YAMLPlace, depth: Int) throws(YAMLError) -> Subtree {
        var result = Subtree(node: YAMLNode(.mapping([]), at: place))
        var entries: [YAMLEntry] = []
        var places: [JSONValue: YAMLPlace] = [:]
        while true {
            let event = try reader.next()
            if case .mappingEnd = event.kind { break }
            let key = try subtree(event, depth: depth + 1)
            let value = try subtree(try reader.next(), depth: depth + 1)
            result.count += key.count + value.count
            result.height = max(result.height, key.height + 1, value.height + 1)
            guard let text = key.node.scalar?.text else {
                errors.append(YAMLError(event.place, "a key is text, not a list or mapping"))
                continue
            }
            if let first = places[.string(text)] {
                errors.append(
                    YAMLError(event.place, "the key \"\(text)\" stands twice in one mapping, first at \(first)"))
                continue
            }
            places[.string(text)] = event.place
            entries.append(YAMLEntry(key: text, keyPlace: event.place, value: value.node))
        }
        result.node.content = .mapping(entries)
        return result
    }

    private mutating func alias(_ name: String, at place: YAMLPlace, depth: Int) throws(YAMLError) -> Subtree {
        switch anchors[.string(name)] {
        case .closed(let subtree):
            guard depth + subtree.height <= limits.depth else { throw tooDeep(place) }
            try count(subtree.count, at: place)
            return subtree
        case .open: errors.append(YAMLError(place, "*\(name) stands inside of what it names"))
        case nil: errors.append(YAMLError(place, "there is no &\(name) before *\(name)"))
        }
        return Subtree(node: YAMLNode(.scalar(YAMLScalar("", style: .plain)), at: place))
    }

    private mutating func open(
        _ properties: Event.Properties, kind: String, at place: YAMLPlace, depth: Int
    ) throws(YAMLError) {
        guard depth < limits.depth else { throw tooDeep(place) }
        try count(1, at: place)
        if let tag = properties.tag, tag != "!", tag != Self.standardTags + kind { refuse(tag, at: place) }
        if let anchor = properties.anchor { anchors[.string(anchor)] = .open }
    }

    private mutating func close(_ anchor: String?, _ subtree: Subtree) -> Subtree {
        if let anchor { anchors[.string(anchor)] = .closed(subtree) }
        return subtree
    }

    private mutating func count(_ more: Int, at place: YAMLPlace) throws(YAMLError) {
        nodes += more
        guard nodes <= limits.nodes else {
            throw YAMLError(place, "more than \(limits.nodes) values, repetitions by aliases counted")
        }
    }

    private func tooDeep(_ place: YAMLPlace) -> YAMLError {
        YAMLError(place, "more than \(limits.depth) levels inside each other")
    }
}

extension Composer {
    private static let standardTags = "tag:yaml.org,2002:"

    /// Applies a standard tag: `!!str 5` is text, `!!int "5"` a number.
    private mutating func scalar(_ text: String, isPlain: Bool, tag: String?, at place: YAMLPlace) -> YAMLScalar {
        let kind = tag.flatMap { $0.hasPrefix(Self.standardTags) ? $0.dropFirst(Self.standardTags.count) : nil }
        switch (tag, kind) {
        case (nil, _): return YAMLScalar(text, style: isPlain ? .plain : .quoted)
        case ("!", _) where isPlain:
            errors.append(YAMLError(place, "! begins a tag; the operator is written \"!\", in quotes"))
        case ("!", _), (_, "str"): return YAMLScalar(text, style: .quoted)
        case (_, "null"), (_, "bool"), (_, "int"), (_, "float"):
            if CoreValue(plain: text).has(kind: kind) { return YAMLScalar(text, style: .plain) }
            errors.append(YAMLError(place, "\"\(text)\" is not what its tag says: \(kind ?? "")"))
        case (let tag?, _): refuse(tag, at: place)
        }
        return YAMLScalar(text, style: .quoted)
    }

    private mutating func refuse(_ tag: String, at place: YAMLPlace) {
        errors.append(YAMLError(place, "the tag \(tag) is not known; text that begins with ! needs quotes"))
    }
}

extension CoreValue {
    fileprivate func has(kind: Substring?) -> Bool {
        switch self {
        case .null: kind == "null"
        case .bool: kind == "bool"
        case .integer, .unsigned: kind == "int" || kind == "float"
        case .number: kind == "float"
        case .tooLarge, .text: false
        }
    }
}
