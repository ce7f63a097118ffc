/// A topic name cut into its levels.
public struct TopicLevels: Sendable {
    public let levels: [String]

    public init(_ topicName: String) {
        // By bytes: a level may begin with a mark that Swift would join to the slash before it.
        levels = topicName.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
    }
}

/// What the named levels of a template are in one topic.
public struct TopicNames: Sendable {
    private var values: [(name: String, value: String)] = []

    public init() {}

    public subscript(name: String) -> String? {
        get { values.first { $0.name == name }?.value }
        set {
            values.removeAll { $0.name == name }
            if let newValue { values.append((name, newValue)) }
        }
    }
}

extension TopicTemplate {
    /// What the named levels of a topic are; `nil` where the filter does not match it (MQTT 5.0, §4.7).
    public func match(_ topic: TopicLevels) -> TopicNames? {
        let hasRest = levels.last == .rest
        let fixed = hasRest ? levels.count - 1 : levels.count
        guard hasRest ? topic.levels.count >= fixed : topic.levels.count == fixed else { return nil }
        // §4.7.2: a wildcard at the start does not match $-topics.
        if topic.levels[0].utf8.first == UInt8(ascii: "$") {
            guard case .literal = levels[0] else { return nil }
        }
        return names(in: topic.levels[...])
    }

    /// The same, whatever levels stand before: sites put prefixes of their own in front. With `#` at the end, the first
    /// place that matches.
    public func matchEnd(of topic: TopicLevels) -> TopicNames? {
        let hasRest = levels.last == .rest
        let fixed = hasRest ? levels.count - 1 : levels.count
        let last = topic.levels.count - fixed
        guard last >= 0 else { return nil }
        for start in (hasRest ? 0 : last)...last {
            if let names = names(in: topic.levels[start...]) { return names }
        }
        return nil
    }

    /// Compares level by level; there are at least as many as the template has.
    private func names(in topic: ArraySlice<String>) -> TopicNames? {
        var values = TopicNames()
        for (level, text) in zip(levels, topic) {
            switch level {
            case .literal(let literal):
                guard text.utf8.elementsEqual(literal.utf8) else { return nil }
            case .named(let name): values[name] = text
            case .any: break
            case .rest: return values
            }
        }
        return values
    }

    /// Whether some topic matches both.
    public func overlaps(_ other: TopicTemplate) -> Bool {
        var index = 0
        while true {
            let a = index < levels.count ? levels[index] : nil
            let b = index < other.levels.count ? other.levels[index] : nil
            if a == .rest || b == .rest { return true }
            switch (a, b) {
            case (nil, nil): return true
            case (nil, _), (_, nil): return false
            case (.literal(let x), .literal(let y)):
                if !x.utf8.elementsEqual(y.utf8) { return false }
            case (.literal(let x), _), (_, .literal(let x)):
                if index == 0, x.utf8.first == UInt8(ascii: "$") { return false }
            default: break
            }
            index += 1
        }
    }

    /// Orders filters by how much they pin down, level by level from the left: literal over named or `+` over `#`.
    ///
    /// - Returns: Positive where this one is more specific, 0 where neither is.
    public func specificity(comparedWith other: TopicTemplate) -> Int {
        func rank(_ level: Level?) -> Int {
            switch level {
            case .literal: 3
            case .named: 2
            case .any: 2
            case .rest: 0
            case nil: 1
            }
        }
        for index in 0..<max(levels.count, other.levels.count) {
            let a = rank(index < levels.count ? levels[index] : nil)
            let b = rank(index < other.levels.count ? other.levels[index] : nil)
            if a != b { return a - b }
        }
        return 0
    }
}
