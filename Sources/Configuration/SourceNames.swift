internal import JSON
internal import SettingsFile
internal import YAML

/// The ids of sources that other settings may name.
struct SourceNames {
    private let ids: [String]
    /// Templates make more of them, which are not known yet.
    private let isOpen: Bool

    /// - Parameter own: The program's own ones.
    init(_ sources: [SourceDraft], own: [OwnSource]) {
        ids = sources.map(\.id) + own.map(\.id.text)
        isOpen = sources.contains { $0.configuration.isTemplate }
    }

    /// What is wrong with a name, most likely a misspelt one; `nil` where a source has it, or may have.
    ///
    /// - Parameter own: Not suggested.
    func fault(of name: (value: String, node: YAMLNode), besides own: String? = nil) -> String? {
        if isOpen || ids.contains(where: { $0.hasSameBytes(as: name.value) }) { return nil }
        let others = ids.filter { id in own.map { !id.hasSameBytes(as: $0) } ?? true }
        return "there is no source \(name.node.quoted)\(hint(name.value, others))"
    }
}
