public import JSON

extension YAMLNode {
    /// The node as JSON.
    ///
    /// - Parameter report: Called for every number that JSON cannot hold; `null` stands in its place.
    public func json(_ report: (YAMLError) -> Void) -> JSONValue {
        switch content {
        case .sequence(let nodes): return .array(nodes.map { $0.json(report) })
        case .mapping(let entries): return .object(JSONObject(entries.map { ($0.key, $0.value.json(report)) }))
        case .scalar(let scalar):
            switch scalar.coreValue {
            case .null: return .null
            case .bool(let value): return .bool(value)
            case .integer(let value):
                return value.magnitude <= 1 << 53 ? .number(Double(value)) : .bigInteger(String(value))
            case .unsigned(let value): return .bigInteger(String(value))
            case .number(let value) where value.isFinite: return .number(value)
            case .number, .tooLarge:
                report(YAMLError(place, "\(scalar.text) is no number here: finite, whole ones of at most 64 bits"))
                return .null
            case .text(let text): return .string(text)
            }
        }
    }

    /// The node that indices into lists lead to, or the last one on the way that exists: where to point when something
    /// is wrong with a part of ``json(_:)``.
    public func descendant(at path: some Sequence<Int>) -> YAMLNode {
        var node = self
        for index in path {
            guard let nodes = node.sequence, nodes.indices.contains(index) else { break }
            node = nodes[index]
        }
        return node
    }
}
