internal import SettingsFile
internal import YAML

/// Where the ways of locations are logged, and for how long they are kept.
public struct GPXLogSettings: Sendable, Equatable {
    /// As it is opened.
    public var directory = ""
    /// Ids; `nil`: all sources.
    public var sources: [String]?
    /// Bytes of one file, from which on the day goes on in another.
    public var maxFileSize = 64 << 20
    /// Bytes of all files, beyond which the oldest days are deleted; `nil`: any.
    public var maxSize: Int?
    /// How old a day gets; `nil`: any age.
    public var maxAge: Duration? = .seconds(30 * 86_400)

    public init() {}
}

/// `gpxLog` before it is known which sources there are.
struct GPXLogDraft {
    var settings = GPXLogSettings()
    var sources: [(value: String, node: YAMLNode)]?
    var directoryPlace = YAMLPlace(line: 1, column: 1)

    static var mapping: Mapping<GPXLogDraft> {
        Mapping(fields: [
            Field(
                "directory", .text.then { text, _, context in context.path(ofFile: text) },
                "The folder of the files; made where it is not there.", required: true
            ) { draft, path, node in
                (draft.settings.directory, draft.directoryPlace) = (path, node.place)
            },
            Field("sources", .list(of: .text), "The ids of the sources whose locations are logged.") { draft, ids, _ in
                draft.sources = ids
            },
            Field(
                "maxFileSize", .size(in: (64 << 10)...(16 << 30)), \.settings.maxFileSize,
                "Bytes of one file at most; the day goes on in another."),
            Field(
                "maxSize", .sizeOrOff(in: (1 << 20)...(1 << 50)), \.settings.maxSize,
                "Bytes of all files at most; the oldest days are deleted."),
            Field(
                "maxAge", .durationOrOff(in: .seconds(86_400) ... .longest), \.settings.maxAge,
                "How old a day gets before its files are deleted."),
        ])
    }

    func finished(_ names: SourceNames, _ context: Context) -> GPXLogSettings {
        var settings = settings
        settings.sources = sources?.map(\.value)
        for source in sources ?? [] {
            if let fault = names.fault(of: source) { context.entering("sources").error(source.node, fault) }
        }
        if !settings.directory.isEmpty, let fault = context.surroundings.folderFault(settings.directory) {
            context.entering("directory").warning(
                at: directoryPlace, "nothing can be written to \(settings.directory): \(fault.message)")
        }
        return settings
    }
}

extension ValueKind where Value == Int? {
    /// Bytes, or `nil` for `off`.
    static func sizeOrOff(in range: ClosedRange<Int>) -> ValueKind {
        let size = ValueKind<Int>.size(in: range)
        return ValueKind(schema: ["anyOf": [["const": "off"], size.schema]]) { node, context in
            if node.scalar?.coreValue == .text("off") { return .some(nil) }
            return size.read(node, context)
        }
    }
}
