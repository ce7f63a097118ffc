import Foundation

/// The project's files, as a test looks at them.
enum Project {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Paths of the files below a folder, sorted; nothing for a folder that is not there.
    static func files(below folder: String, ending: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)?.allObjects ?? []
        return names.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
    }

    /// The files with documentation.
    static var documents: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted() + files(below: "docs", ending: ".md")
    }
}
