import Foundation
import Testing

@Suite("Documentation")
struct DocumentTests {
    /// The text without code, in which brackets mean something else.
    private static func prose(_ text: String) -> String {
        text.replacing(#/(?ms)^```.*?^```$/#, with: "").replacing(#/`[^`\n]*`/#, with: "`")
    }

    /// The anchors of a document's headings, made as GitHub makes them.
    private static func anchors(_ text: String) -> Set<String> {
        let headings = text.replacing(#/(?ms)^```.*?^```$/#, with: "").matches(of: #/(?m)^#+ (.+)$/#)
        return Set(
            headings.map { heading in
                heading.1.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
                    .replacing(" ", with: "-")
            })
    }

    @Test("Every link leads to a file, and to a heading in it", arguments: Project.documents)
    func links(document: String) throws {
        let folder = document.split(separator: "/").dropLast().joined(separator: "/")
        let text = try Project.text(document)
        for link in Self.prose(text).matches(of: #/\]\(([^)\s]+)\)/#).map({ String($0.1) }) {
            if link.hasPrefix("https://") { continue }
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let target = parts[0].isEmpty ? document : folder.isEmpty ? parts[0] : "\(folder)/\(parts[0])"
            let path = Project.root.appending(path: target).standardizedFileURL.path
            #expect(FileManager.default.fileExists(atPath: path), "\(document): \(link)")
            guard parts.count == 2, target.hasSuffix(".md") else { continue }
            let anchors = Self.anchors(try String(contentsOfFile: path, encoding: .utf8))
            #expect(anchors.contains(parts[1]), "\(document): \(link)")
        }
    }

    @Test("Every reason that a message can end with is explained in docs/topics.md")
    func reasons() throws {
        let document = try Project.text("docs/topics.md")
        var slugs: Set<String> = []
        for folder in ["Sources/FleetEngine", "Sources/Locations", "Sources/TelemetryFormats", "Sources/JSON"] {
            for file in Project.files(below: folder, ending: ".swift") {
                let text = try Project.text(file)
                let patterns = [
                    #/rawValue: "([a-z-]+)"/#, #/reason: "([a-z-]+)"/#, #/\.ignored\("([a-z-]+)"/#,
                    #/\.ignored\(\[[^\]]*\], "([a-z-]+)"/#, #/fault\("([a-z-]+)"/#, #/faults\["([a-z-]+)"/#,
                    #/reasons\.add\("([a-z-]+)"/#,
                    #/(?:case|,)\s+\w+ = "([a-z]+-[a-z0-9-]+)"/#, #/"(ts-[a-z0-9-]+)"/#,
                ]
                for pattern in patterns { slugs.formUnion(text.matches(of: pattern).map { String($0.1) }) }
            }
        }
        #expect(slugs.count > 30, "\(slugs)")
        for slug in slugs.sorted() { #expect(document.contains("`\(slug)`"), "\(slug)") }
    }
}
