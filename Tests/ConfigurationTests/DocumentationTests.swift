import Configuration
import DisplayRules
import FleetTestSupport
import Foundation
import JSON
import Testing
import YAML

/// Holds what the documentation shows against what the reader reads.
@Suite("Documentation")
struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func names(in folder: String, ending: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
        return names.filter { $0.hasSuffix(ending) }.sorted().map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
    }

    private static let examples = names(in: "examples", ending: ".yaml").filter { !$0.hasSuffix(".test.yaml") }
    private static let documents = names(in: "", ending: ".md") + names(in: "docs", ending: ".md")

    /// The code blocks of a language in a document, with the line of each.
    private static func blocks(_ language: String, in document: String) throws -> [(line: Int, text: String)] {
        let text = try text(document)
        return text.matches(of: #/(?ms)^```(\w+)\n(.*?)^```$/#).filter { $0.1 == language }.map {
            (text[..<$0.range.lowerBound].count(where: \.isNewline) + 2, String($0.2))
        }
    }

    @Test("There are examples to check")
    func examplesExist() throws {
        #expect(Self.examples.count >= 2)
        #expect(Self.documents.contains("README.md"))
        #expect(try !Self.blocks("yaml", in: "README.md").isEmpty)
        #expect(try Self.blocks("yaml", in: "docs/configuration.md").count > 3)
    }

    @Test("Every example is a configuration without a fault", arguments: examples)
    func example(path: String) throws { _ = try configuration(Self.text(path), surroundings(files: files)) }

    @Test("Every YAML block is a configuration without a fault", arguments: documents)
    func blocks(document: String) throws {
        for block in try Self.blocks("yaml", in: document) {
            let outcome = outcome(block.text, surroundings(files: files))
            #expect(outcome.diagnostics.isEmpty, "\(document):\(block.line): \(outcome.diagnostics)")
        }
    }

    @Test(
        "Every configuration that the documentation shows is as the JSON Schema says", arguments: documents + examples)
    func schema(path: String) throws {
        let schemas = try JSONSchemas(["configuration": ConfigurationSchema.json])
        let texts = path.hasSuffix(".md") ? try Self.blocks("yaml", in: path).map(\.text) : [try Self.text(path)]
        for text in texts {
            let value = YAMLDocument(text).root?.json { Issue.record("\($0)") }
            #expect(schemas.violations(of: try #require(value), against: "configuration") == [], "\(path)")
        }
    }

    @Test("Every JSON block is one JSON value, or one a line", arguments: documents)
    func json(document: String) throws {
        for block in try Self.blocks("json", in: document) {
            let parts = (try? JSONParser().parse(block.text)) == nil ? block.text.split(separator: "\n") : []
            for part in parts {
                #expect(throws: Never.self, "\(document):\(block.line)") { try JSONParser().parse(String(part)) }
            }
        }
    }

    /// What the documentation names as files.
    private let files = [
        "/etc/fleet-bridge/password": file("secret\n"), "/etc/fleet-bridge/ca.pem": file(""),
        "/etc/fleet-bridge/bridge.pem": file(""), "/etc/fleet-bridge/bridge.key": file(""),
    ]

    @Test("docs/configuration.md has a row for every setting of the schema, and for no other")
    func settings() throws {
        let document = try Self.text("docs/configuration.md")
        let rows = Set(document.matches(of: #/(?m)^\| `(\w+)` \|/#).map { String($0.1) })
        var keys: Set<String> = []
        func collect(_ schema: JSONValue?) {
            for member in schema?.object?["properties"]?.object?.members ?? [] {
                keys.insert(member.key)
                // The names of display properties are in docs/display-rules.md.
                if member.key != "set" { collect(member.value) }
                collect(member.value.object?["items"])
                collect(member.value.object?["additionalProperties"])
            }
        }
        collect(ConfigurationSchema.json)
        keys.subtract(["min", "max"])
        #expect(keys.count > 30)
        #expect(rows == keys, "\(rows.symmetricDifference(keys).sorted())")
    }

    @Test("docs/display-rules.md has a row for every display property")
    func properties() throws {
        let document = try Self.text("docs/display-rules.md")
        let rows = Set(document.matches(of: #/(?m)^\| `(\w+)` \|/#).map { String($0.1) })
        let names = Set(DisplayProperty.known.map(\.name))
        #expect(rows == names, "\(rows.symmetricDifference(names).sorted())")
    }
}
