/// What an expression reads.
public struct ExpressionInputs: Sendable, Equatable {
    /// Properties by name, in the order of their first use.
    public internal(set) var properties: [String] = []
    /// Whether it may read any property: `["properties"]`, or a name that is computed.
    public internal(set) var readsAnyProperty = false
    public internal(set) var readsID = false
    public internal(set) var readsGeometry = false
    public internal(set) var readsState = false

    mutating func collect(from node: Node) {
        if let lookup = node as? PropertyLookup {
            let name = lookup.name.text
            if !properties.contains(where: { $0.hasSameBytes(as: name) }) { properties.append(name) }
        } else if node is ComputedPropertyLookup {
            readsAnyProperty = true
        } else if let lookup = node as? FeatureLookup {
            switch lookup.part {
            case .properties: readsAnyProperty = true
            case .id: readsID = true
            case .geometryType: readsGeometry = true
            case .state: readsState = true
            }
        }
        if node is Within || node is Distance { readsGeometry = true }
        for child in node.children { collect(from: child) }
    }
}
