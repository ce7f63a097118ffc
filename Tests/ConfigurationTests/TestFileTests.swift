import Configuration
import Foundation
import Testing

@Suite("Tests of a configuration")
struct TestFileTests {
    private static let rules = """
        sources: {vacuums: {topics: ["fleet/vacuums/{device}/telemetry"], staleAfter: 10s}}
        displayRules:
          - {name: main, set: {icon: marker, iconColor: [step, [get, charge], red, 30, yellow]}}
        """

    private func run(_ text: String, configuration: String = rules) -> TestFile.Report {
        TestFile(
            surroundings: surroundings(files: ["a/fleet.test.yaml": file(text), "a/fleet.yaml": file(configuration)])
        )
        .run("a/fleet.test.yaml")
    }

    private func failures(_ text: String) throws -> [TestFailure] {
        let report = run(text)
        #expect(report.diagnostics.isEmpty, "\(report.diagnostics)")
        return try #require(report.results.first).failures
    }

    @Test("A location's state may be expected in parts, colours in any spelling")
    func location() throws {
        let report = run(
            """
            tests:
              - name: yellow
                location: {source: vacuums, charge: 30}
                expect: {charge: 30, display: {iconColor: yellow, icon: marker, label: ~}}
              - location: {charge: 29, floor: 10}
                expect: {floor: 10, display: {iconColor: "rgb(255, 0, 0)"}}
            """)
        #expect(report.exitCode == 0)
        #expect(report.results.map(\.name) == ["yellow", "test 2"])
        #expect(report.results.flatMap(\.failures).isEmpty)
    }

    @Test("A difference has its place, both values, and the rule behind it")
    func difference() throws {
        let report = run(
            """
            tests:
              - location: {charge: 30}
                expect:
                  display: {icon: marker,
                    iconColor: red}
            """)
        #expect(report.exitCode == 1)
        let failure = try #require(report.results.first?.failures.first)
        #expect((failure.line, failure.column) == (5, 20))
        #expect(failure.subject == "display.iconColor")
        #expect((failure.expected, failure.actual) == ("\"red\"", "\"#ffff00\""))
        #expect(failure.reason == "by \"main\" (main, a/fleet.yaml:3) with charge = 30")
    }

    @Test(
        "What differs is found",
        arguments: [
            ("{charge: 31}", "charge", "31", "30"), ("{charge: ~}", "charge", "nothing", "30"),
            ("{floor: 10}", "floor", "10", "nothing"), ("{display: {label: a}}", "display.label", "\"a\"", "nothing"),
            ("{position: {lat: 57}}", "position", "{\"lat\":57}", "null"), ("{name: 3}", "name", "3", "\"location\""),
            ("{properties: {tags: [1, 2]}}", "properties.tags", "[1,2]", "[1]"),
            ("{properties: {tags: [2]}}", "properties.tags.0", "2", "1"),
            ("{display: {icon: red}}", "display.icon", "\"red\"", "\"marker\""),
        ])
    func differences(expect: String, subject: String, expected: String, actual: String) throws {
        let failures = try failures(
            "tests: [{location: {charge: 30, properties: {tags: [1]}}, expect: \(expect)}]")
        #expect(failures.map(\.subject) == [subject])
        #expect(failures.map(\.expected) == [expected])
        #expect(failures.map(\.actual) == [actual])
    }

    @Test("Messages come with their times, and each may have its own expectation")
    func messages() throws {
        let failures = try failures(
            """
            tests:
              - start: 2026-11-29T12:00:00Z
                messages:
                  - topic: fleet/vacuums/v1/telemetry
                    payload: {lat: 57, lon: 9, charge: 20}
                    expect: {applied: true, states: {vacuums/v1: {time: "2026-11-29T12:00:00.000Z", status: live}}}
                  - {after: 1s, topic: fleet/vacuums/v1/telemetry, payload: {lon: 9}, expect: {rejected: missing-position}}
                  - {topic: fleet/vacuums/v1/telemetry, payload: {lat: 99, lon: 9}, expect: {rejected: {pointer: /lat}}}
                  - {topic: fleet/vacuums/v1/telemetry, payloadText: "{", expect: {rejected: true}}
                  - {topic: fleet/vacuums/v1/telemetry, payloadBase64: /w==, expect: {rejected: invalid-utf8}}
                  - {after: 8999ms, expect: {states: {vacuums/v1: {status: live}}}}
                  - {after: 1ms, expect: {states: {vacuums/v1: {status: stale}}, sources: {vacuums: {status: unavailable}}}}
                  - {topic: fleet/vacuums/v1/telemetry, payloadText: "", expect: {ignored: withdrawn}}
                expect: {states: {vacuums/v1: absent, vacuums/v2: absent}}
            """)
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test(
        "A message's end that was not expected is told",
        arguments: [
            (
                "payload: {lat: 57, lon: 9}, expect: {rejected: missing-position}", "rejected: missing-position",
                "applied"
            ),
            ("payload: {lat: 57, lon: 9}, expect: {ignored: true}", "ignored", "applied"),
            ("payload: {lat: 57}, expect: {applied: true}", "applied", "rejected: missing-position"),
            ("payload: {lat: 57}, expect: {rejected: no-fix}", "rejected: no-fix", "rejected: missing-position"),
        ])
    func ends(step: String, expected: String, actual: String) throws {
        let failures = try failures(
            "tests: [{messages: [{topic: fleet/vacuums/v1/telemetry, \(step)}], expect: {}}]")
        #expect(failures.map(\.expected) == [expected])
        #expect(failures.first?.actual.hasPrefix(actual) == true, "\(failures)")
    }

    @Test("A topic that no source asks for, and a state that should be absent")
    func unrouted() throws {
        let failures = try failures(
            """
            tests:
              - messages:
                  - {topic: fleet/vacuum/v1/telemetry, payload: {lat: 57, lon: 9}, expect: {applied: true}}
                  - {topic: fleet/vacuums/v1/telemetry, payload: {lat: 57, lon: 9}}
                expect: {states: {vacuums/v1: absent}}
            """)
        #expect(failures.map(\.actual).first == "on a topic that no source asks for")
        #expect(failures.map(\.expected) == ["applied", "absent"])
        #expect(failures.map(\.line) == [3, 5])
    }

    @Test(
        "A fault of the test file is told with its place, and no test runs",
        arguments: [
            ("tests: [{expect: {}}]", "1:9", "either location or messages"),
            ("tests: [{location: {}}]", "1:9", "\"expect\" is missing"),
            ("tests: [{location: {batery: 1}, expect: {}}]", "1:21", "unknown field \"batery\""),
            ("tests: [{location: {chrage: 1}, expect: {}}]", "1:21", "did you mean \"charge\"?"),
            ("tests: [{location: {charge: x}, expect: {}}]", "1:29", "a number from 0 to 100"),
            ("tests: [{location: {}, expect: {dispaly: {}}}]", "1:33", "did you mean \"display\"?"),
            ("tests: [{location: {}, expect: {display: {icn: x}}}]", "1:43", "did you mean \"icon\"?"),
            ("tests: [{messages: [{topic: a}], expect: {}}]", "1:21", "one of payload"),
            ("tests: [{messages: [], expect: {states: {v1: {}}}}]", "1:42", "source/location"),
            ("tests: [{messages: [], expect: {state: {}}}]", "1:33", "did you mean \"states\"?"),
            ("tests: [{messages: [], expect: {rejected: x}}]", "1:33", "unknown expectation"),
            ("tests: [{messages: [{after: soon}], expect: {}}]", "1:29", "duration"),
            ("tests: [{mesages: [], expect: {}}]", "1:10", "did you mean \"messages\"?"),
            ("configuration: nothing.yaml\ntests: []", "1:16", "a/nothing.yaml cannot be read"),
        ])
    func faults(text: String, place: String, words: String) {
        let report = run(text)
        #expect(report.exitCode == 2)
        #expect(report.results.isEmpty)
        let found = report.diagnostics.map(\.description)
        #expect(
            found.contains { $0.hasPrefix("a/fleet.test.yaml:\(place): error:") && $0.contains(words) }, "\(found)")
    }

    @Test("A fault of the configuration is told too")
    func configuration() {
        let report = run("tests: []", configuration: "sorces: {}")
        #expect(report.exitCode == 2)
        #expect(report.diagnostics.map(\.file) == ["a/fleet.yaml"])
    }
}

@Suite("The examples")
struct ExampleTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "examples")

    private static func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }.sorted()
    }

    @Test("Their tests pass", arguments: try files().filter { $0.hasSuffix(".test.yaml") })
    func tests(name: String) {
        let report = TestFile().run(Self.folder.appending(path: name).path)
        #expect(report.diagnostics.isEmpty, "\(report.diagnostics)")
        #expect(!report.results.isEmpty)
        for result in report.results { #expect(result.failures.isEmpty, "\(result.name): \(result.failures)") }
    }
}
