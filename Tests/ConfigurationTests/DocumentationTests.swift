import Configuration
import DisplayRules
import FleetTestSupport
import Foundation
import JSON
import TelemetryFormats
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

    /// The code blocks of a language in a document, with the line of each; without the simulator's files of fleets, which its
    /// own tests read.
    private static func blocks(_ language: String, in document: String) throws -> [(line: Int, text: String)] {
        let text = try text(document)
        return text.matches(of: #/(?ms)^```(\w+)\n(.*?)^```$/#).filter {
            $0.1 == language && !(language == "yaml" && $0.2.contains(#/(?m)^fleets:/#))
        }.map {
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
            let own = document == "docs/own-sources.md" ? [OwnSource("robots"), OwnSource("hall")] : []
            let outcome = outcome(block.text, surroundings(files: files), own: own)
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
        "venue.geojson": file((try? text("examples/venue.geojson")) ?? ""),
        "venue-yard.geojson": file((try? text("examples/venue-yard.geojson")) ?? ""),
    ]

    @Test("docs/configuration.md has a row for every setting of the schema, and for no other")
    func settings() throws {
        let document = try Self.text("docs/configuration.md")
        let rows = Set(document.matches(of: #/(?m)^\| `(\w+)` \|/#).map { String($0.1) })
        var keys: Set<String> = []
        func collect(_ schema: JSONValue?) {
            for member in schema?.object?["properties"]?.object?.members ?? [] {
                keys.insert(member.key)
                // The names of display properties are in docs/display-rules.md, those of mappings in docs/formats.md.
                if !["set", "mapping"].contains(member.key) { collect(member.value) }
                collect(member.value.object?["items"])
                let entry = member.value.object?["additionalProperties"]
                collect(entry)
                collect(entry?.object?["then"])
                collect(entry?.object?["else"])
            }
        }
        collect(ConfigurationSchema.json)
        keys.subtract(["min", "max"])
        #expect(keys.count > 30)
        #expect(rows == keys, "\(rows.symmetricDifference(keys).sorted())")
    }

    @Test("docs/formats.md has a row for every key of a mapping")
    func mappingKeys() throws {
        let document = try Self.text("docs/formats.md")
        let cells = document.matches(of: #/(?m)^\| (`[^|]+) \|/#)
        let rows = Set(cells.flatMap { $0.1.matches(of: #/`(\w+)`/#).map { String($0.1) } })
        var keys: Set<String> = []
        func collect(_ schema: JSONValue?) {
            guard let schema = schema?.object else { return }
            for member in schema["properties"]?.object?.members ?? [] {
                keys.insert(member.key)
                collect(member.value)
            }
            for key in ["items", "additionalProperties"] { collect(schema[key]) }
            for alternative in schema["anyOf"]?.array ?? [] { collect(alternative) }
        }
        let schema = ConfigurationSchema.json.object
        let source = schema?["properties"]?.object?["sources"]?.object?["additionalProperties"]?.object?["else"]?.object
        collect(source?["properties"]?.object?["mapping"])
        for (name, definition) in schema?["$defs"]?.object?.members.map({ ($0.key, $0.value) }) ?? [] {
            if name != "environment" { collect(definition) }
        }
        #expect(keys.count > 50)
        #expect(keys.isSubset(of: rows), "\(keys.subtracting(rows).sorted())")
    }

    @Test(
        "docs/formats.md has a row and a section for every format", arguments: FormatTable.all.map(\.name) + ["mapping"]
    )
    func formats(name: String) throws {
        let document = try Self.text("docs/formats.md")
        #expect(document.contains("\n| [`\(name)`](#"))
        #expect(name == "mapping" || document.contains("\n## \(name)\n"))
        #expect(try Self.text("docs/configuration.md").contains("`\(name)`"))
    }

    @Test(
        "A format that ships as a mapping is what docs/formats.md shows",
        arguments: FormatTable.all.filter { $0.mapping != nil }.map(\.name))
    func shipped(name: String) throws {
        let format = try #require(FormatTable.named(name))
        let blocks = try Self.blocks("yaml", in: "docs/formats.md").map(\.text)
        let block = try #require(blocks.first { $0.hasPrefix("sources:\n  \(name):\n    format: mapping\n") })
        let source = try #require(try configuration(block).engine.sources.first)
        let (written, shipped) = (try #require(source.format.mapping), try #require(format.mapping))
        for (index, (a, b)) in zip(written.messages, shipped.messages).enumerated() where a != b {
            var (x, y) = ("", "")
            dump(a, to: &x)
            dump(b, to: &y)
            let difference = zip(x.split(separator: "\n"), y.split(separator: "\n")).first { $0 != $1 }
            Issue.record("message \(index): \(difference.map { "\($0) / \($1)" } ?? "")")
        }
        #expect(written == shipped)
        #expect(source.topics.map(\.description) == format.topics)
        #expect(source.settings.staleAfter == format.staleAfter)
    }

    @Test("docs/display-rules.md has a row for every display property")
    func properties() throws {
        let document = try Self.text("docs/display-rules.md")
        let rows = Set(document.matches(of: #/(?m)^\| `(\w+)` \|/#).map { String($0.1) })
        let names = Set(DisplayProperty.known.map(\.name))
        #expect(rows == names, "\(rows.symmetricDifference(names).sorted())")
    }
}
