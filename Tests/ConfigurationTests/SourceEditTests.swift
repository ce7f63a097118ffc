import Configuration
import FleetEngine
import JSON
import Locations
import Testing

/// Sources that requests put into a configuration that was read from a file.
struct SourceEditTests {
    private static let file = """
        buildings: {Office: {floors: {Ground: 0}}}
        sources:
          robots: {topics: ["fleet/robots/{device}/telemetry"]}
          tags: {topics: ["fleet/tags/{device}/telemetry"], type: tag}

        """

    private func read(_ edits: [SourceEdit], file: String = file) -> ConfigurationReader.Outcome {
        var document = ConfigurationDocument(path: "bridge.yaml", bytes: Array(file.utf8))
        for edit in edits { document = document.edited(edit) }
        return ConfigurationReader(surroundings: surroundings()).read(document)
    }

    private func ids(_ outcome: ConfigurationReader.Outcome) -> [String]? {
        outcome.configuration?.engine.sources.map(\.id.text)
    }

    @Test("A source is read as if it stood in the file, by the same names")
    func put() throws {
        let settings: JSONValue = [
            "topics": ["fleet/agvs/{device}/telemetry"], "staleAfter": "1m", "maxRate": "unlimited", "hold": "off",
            "type": "agv", "building": "Office", "acceptNullIsland": true, "maxLocations": 7,
        ]
        let outcome = read([SourceEdit(id: "agvs", settings: settings)])
        #expect(outcome.diagnostics.isEmpty)
        #expect(ids(outcome) == ["robots", "tags", "agvs"])
        let source = try #require(outcome.configuration?.engine.sources.last)
        #expect(source.settings.staleAfter == .seconds(60) && source.settings.maxRate == nil)
        #expect(source.settings.type == "agv" && source.settings.maxLocations == 7)
        #expect(source.settings.buildingFloors["Office"] != nil)
    }

    @Test("Of each source the last change counts; one that is there keeps its place")
    func last() {
        func put(_ id: String, _ type: String) -> SourceEdit {
            SourceEdit(id: id, settings: ["topics": [.string("\(id)/{device}")], "type": .string(type)])
        }
        let outcome = read([put("robots", "a"), put("robots", "b"), put("x", "c"), SourceEdit(id: "x", settings: nil)])
        #expect(ids(outcome) == ["robots", "tags"])
        #expect(outcome.configuration?.engine.sources.first?.settings.type == "b")
        #expect(ids(read([SourceEdit(id: "robots", settings: nil)])) == ["tags"])
        #expect(ids(read([SourceEdit(id: "nobody", settings: nil)])) == ["robots", "tags"])
    }

    @Test("With no file, what is built in stands beside")
    func builtIn() {
        let edit = SourceEdit(id: "agvs", settings: ["topics": ["agvs/{device}"]])
        #expect(ids(read([edit], file: "")) == ["default", "agvs"])
    }

    @Test(
        "What is wrong is told as for a file, with the request in its place",
        arguments: [
            (
                "agvs", ["topics": ["x/{device}"], "holdd": "3s"],
                #"request: error: sources.agvs: unknown setting "holdd""#
            ),
            ("agvs", [:], #"request: error: sources.agvs: the setting "topics" is missing"#),
            ("agvs", ["topics": ["x/{device}"], "staleAfter": 3], "request: error: sources.agvs.staleAfter:"),
            ("status", ["topics": ["x/{device}"]], #"request: error: sources: the source id "status" is reserved"#),
            ("agvs", ["topics": ["fleet-bridge/#"]], "request: error: sources.agvs.topics:"),
            (
                "agvs", ["topics": ["fleet/tags/{device}/telemetry"]],
                #"of source "tags" at 4:19: each message goes to one filter"#
            ),
            ("agvs", ["topics": ["x/{device}"], "building": "Offic"], #"there is no building "Offic""#),
        ] as [(String, JSONValue, String)])
    func faults(id: String, settings: JSONValue, expected: String) {
        let outcome = read([SourceEdit(id: id, settings: settings)])
        #expect(outcome.diagnostics.contains { "\($0)".contains(expected) }, "\(outcome.diagnostics)")
    }

    @Test("The environment is not open to requests")
    func environment() {
        let outcome = read([SourceEdit(id: "agvs", settings: ["topics": ["x/{device}"], "type": "${HOME}"])])
        #expect(outcome.configuration?.engine.sources.last?.settings.type == "${HOME}")
    }
}
