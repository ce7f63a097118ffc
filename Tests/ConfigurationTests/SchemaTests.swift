import Configuration
import FleetTestSupport
import Foundation
import JSON
import Testing

@Suite("The JSON Schema")
struct SchemaTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("The shipped file says what the reader reads; UPDATE_SCHEMA=1 in the environment writes it anew")
    func shipped() throws {
        let file = Self.root.appending(path: "docs/fleet-bridge.schema.json")
        if ProcessInfo.processInfo.environment["UPDATE_SCHEMA"] == "1" {
            try Data(ConfigurationSchema.text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == ConfigurationSchema.text)
    }

    @Test("It is JSON")
    func json() throws {
        #expect(try JSONParser().parse(ConfigurationSchema.text) == ConfigurationSchema.json)
    }

    @Test(
        "It refuses what the reader refuses",
        arguments: [
            (["sourcs": [:]], "/sourcs"), (["broker": ["keepAlive": 15]], "/broker/keepAlive"),
            (["sources": ["a": ["topics": ["a/{device}"], "staleAfter": "soon"]]], "/sources/a/staleAfter"),
            (["sources": ["a": [:]]], "/sources/a"),
            (
                ["sources": ["a": ["kind": "roomAvailability", "observes": ["b"], "building": "B", "topics": ["b"]]]],
                "/sources/a/topics"
            ), (["sources": ["a": ["kind": "rooms", "topics": ["a/{device}"]]]], "/sources/a/kind"),
            (["displayRules": [["set": ["iconColour": "red"]]]], "/displayRules/0/set/iconColour"),
        ] as [(JSONValue, String)])
    func refusals(configuration: JSONValue, place: String) throws {
        let schemas = try JSONSchemas(["configuration": ConfigurationSchema.json])
        let violations = schemas.violations(of: configuration, against: "configuration")
        #expect(violations.map(\.pointer) == [place])
        #expect(!outcome(configuration.text).diagnostics.isEmpty)
    }

    @Test("The reader knows every key of the schema")
    func keys() {
        let properties = ConfigurationSchema.json.keys("properties")
        #expect(properties.contains("sources"))
        for key in properties { #expect(!isUnknown("\(key): 1"), "\(key)") }
        for section in ["broker", "outputBroker", "topics", "snapshots"] {
            let keys = ConfigurationSchema.json.keys("properties", section, "properties")
            #expect(!keys.isEmpty)
            for key in keys { #expect(!isUnknown("\(section): {\(key): 1}"), "\(section).\(key)") }
        }
        let source = ConfigurationSchema.json.keys(
            "properties", "sources", "additionalProperties", "else", "properties")
        #expect(source.count > 15)
        for key in source { #expect(!isUnknown("sources: {a: {\(key): 1}}"), "\(key)") }
        let rooms = ConfigurationSchema.json.keys("properties", "sources", "additionalProperties", "then", "properties")
        #expect(rooms.count > 5)
        for key in rooms where key != "kind" {
            #expect(!isUnknown("sources: {a: {kind: roomAvailability, \(key): 1}}"), "\(key)")
        }
        for section in ["maps", "buildings"] {
            let keys = ConfigurationSchema.json.keys("properties", section, "additionalProperties", "properties")
            #expect(!keys.isEmpty)
            for key in keys { #expect(!isUnknown("\(section): {a: {\(key): 1}}"), "\(section).\(key)") }
        }
        let rule = ConfigurationSchema.json.keys("properties", "displayRules", "items", "properties")
        #expect(rule.contains("when"))
        for key in rule { #expect(!isUnknown("displayRules: [{\(key): 1}]"), "\(key)") }
    }

    private func isUnknown(_ text: String) -> Bool {
        outcome(text).diagnostics.contains { $0.message.contains("unknown setting") }
    }
}

extension JSONValue {
    /// The keys of the object at a path.
    fileprivate func keys(_ path: String...) -> [String] {
        var value: JSONValue? = self
        for key in path { value = value?.object?[key] }
        return value?.object?.members.map(\.key) ?? []
    }
}
