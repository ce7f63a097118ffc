public import JSON
internal import SettingsFile
internal import YAML

/// A configuration before it is read: what stands in the file, and what requests have changed since.
public struct ConfigurationDocument: Sendable {
    /// Names the file in messages and is where relative file names start from.
    public var path: String
    public var bytes: [UInt8]
    public var isReadableByOthers = false
    /// In the order in which they are made; at most one of each source.
    public private(set) var edits: [SourceEdit] = []

    public init(path: String, bytes: [UInt8], isReadableByOthers: Bool = false) {
        (self.path, self.bytes, self.isReadableByOthers) = (path, bytes, isReadableByOthers)
    }

    /// The same with one more change.
    public func edited(_ edit: SourceEdit) -> ConfigurationDocument {
        var document = self
        document.edits.removeAll { $0.id.hasSameBytes(as: edit.id) }
        document.edits.append(edit)
        return document
    }
}

/// A change of one entry of `sources`.
public struct SourceEdit: Sendable, Equatable {
    public var id: String
    /// What stands below the id in a file; `nil`: there is no such source any more. Nothing from the environment is put into
    /// it: who asks for a source may not read that.
    public var settings: JSONValue?

    public init(id: String, settings: JSONValue?) {
        (self.id, self.settings) = (id, settings)
    }

    func apply(to sources: inout [SourceDraft], _ context: Context) {
        let index = sources.firstIndex { $0.id.hasSameBytes(as: id) }
        guard let settings else {
            if let index { sources.remove(at: index) }
            return
        }
        let node = YAMLNode(settings, at: .request)
        let draft = SourceDraft(YAMLEntry(key: id, keyPlace: .request, value: node), context)
        if let index { sources[index] = draft } else { sources.append(draft) }
    }
}

extension YAMLNode {
    /// JSON as if it stood in a file.
    fileprivate init(_ json: JSONValue, at place: YAMLPlace) {
        let content: Content =
            switch json {
            case .string(let text): .scalar(YAMLScalar(text, style: .quoted))
            case .null, .bool, .number, .bigInteger: .scalar(YAMLScalar(json.text, style: .plain))
            case .array(let elements): .sequence(elements.map { YAMLNode($0, at: place) })
            case .object(let object):
                .mapping(
                    object.members.map { YAMLEntry(key: $0.key, keyPlace: place, value: YAMLNode($0.value, at: place)) }
                )
            }
        self.init(content, at: place)
    }
}
