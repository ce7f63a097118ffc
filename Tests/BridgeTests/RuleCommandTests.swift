import FleetTestSupport
import Foundation
import JSON
import Testing

/// The commands that show and test display rules, run as a user runs them, on the examples as they are shipped.
@Suite("fleet-bridge explain and test", .timeLimit(.minutes(5)))
struct RuleCommandTests {
    private static let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "examples").path
    private static let tutorial = examples + "/tutorial.yaml"
    private static let vacuum = #"{"source":"vacuums","type":"robot-vacuum","name":"Vacuum 3","charge":45}"#

    private func run(_ arguments: [String], input: String = "") throws -> (code: Int32, output: String, errors: String)
    {
        let process = try ProductProcess("fleet-bridge", arguments, input: Array(input.utf8))
        return (try process.wait(), process.output, process.errors)
    }

    private func explain(
        _ options: [String] = [], _ location: String = vacuum
    ) throws -> (code: Int32, output: String, errors: String) {
        try run(["explain", Self.tutorial, "--location", "-"] + options, input: location)
    }

    // MARK: explain

    @Test(
        "explain tells of each property the rule, its place, what it read, what it overrules, and why others do not apply"
    )
    func explanation() throws {
        let (code, output, errors) = try explain()
        #expect(code == 0 && errors.isEmpty)
        #expect(output.hasPrefix("Vacuum 3 (source vacuums)\n\nvisible = true\n"))
        let label = """

            label = "Vacuum 3 45%"
              not by "rooms" (type, FILE:42): type is "robot-vacuum", not "Room"
              by "robot vacuums" (type, FILE:28)
                  reads name = "Vacuum 3", charge = 45
              overrules "Vacuum 3" by "main" (main, FILE:20)
                  reads name = "Vacuum 3"

            """
        #expect(output.contains(label.replacing("FILE", with: Self.tutorial)), "\(output)")
        let others = """

            rules that do not apply:
              "rooms" (type, FILE:34): type is "robot-vacuum", not "Room"
              "people" (type, FILE:30): type is "robot-vacuum", not "People"
              "nobody knows where it is" (main, FILE:44): its condition at FILE:45:11 is false with status = "live"

            """
        #expect(output.hasSuffix(others.replacing("FILE", with: Self.tutorial)), "\(output)")
    }

    @Test("explain tells a failure with the place of the element, and what stands in")
    func failure() throws {
        let (code, output, _) = try explain(["--property", "iconColor"], #"{"type":"robot-vacuum"}"#)
        #expect(code == 0)
        let expected = """
            location (source default)

            iconColor = "#3388ff", the property's default
              failed in "robot vacuums" (type, FILE:26): FILE:26:25: Expected value to be of type number, but found null instead.
                  reads charge = unknown
            """
        #expect(output.hasPrefix(expected.replacing("FILE", with: Self.tutorial)), "\(output)")
    }

    @Test("explain --json is one object of one line with the documented members")
    func json() throws {
        let (code, output, errors) = try explain(["--json"])
        #expect(code == 0 && errors.isEmpty)
        #expect(output.hasSuffix("}\n") && output.count { $0 == "\n" } == 1)
        let object = try #require(try JSONParser().parse(output).object)
        #expect(object.members.map(\.key) == ["id", "source", "display", "properties", "rules"])
        #expect(object["id"] == "location")
        #expect(
            object["display"] == [
                "visible": true, "icon": "robot-vacuum", "iconColor": "#ffff00", "label": "Vacuum 3 45%",
                "zoomFrom": 15,
            ])
        let properties = (object["properties"]?.array ?? []).compactMap(\.object)
        let color = try #require(properties.first { $0["property"] == "iconColor" })
        #expect(
            color.members.map(\.key) == [
                "property", "value", "rule", "level", "file", "line", "column", "inputs", "candidates",
            ])
        #expect(color["rule"] == "robot vacuums" && color["level"] == "type" && color["inputs"] == ["charge": 45])
        #expect(color["file"] == .string(Self.tutorial) && color["line"] == 26 && color["column"] == 18)
        let heading = try #require(properties.first { $0["property"] == "iconRotation" })
        #expect(heading["value"] == .null)
        #expect(heading["candidates"]?.array?.first?.object?["outcome"] == "null")
        let rules = (object["rules"]?.array ?? []).compactMap(\.object)
        #expect(rules.map { $0["applies"] } == [false, false, true, false, true])
        #expect(rules.map { $0["reason"] } == ["no-match", "no-match", nil, "condition-false", nil])
        #expect(rules[0]["mismatches"] == [["key": "type", "expected": ["Room"], "found": "robot-vacuum"]])
    }

    @Test("explain reads what replay prints: a state as it is published explains itself")
    func published() throws {
        let line =
            #"{"topic":"fleet/vacuums/v1/telemetry","payload":{"lat":57,"lon":9,"charge":45},"time":"2026-11-29T12:00:00Z"}"#
        let replay = try run(["replay", "--config", Self.tutorial, "-"], input: line + "\n")
        let lines = try replay.output.split(separator: "\n").map { try JSONParser().parse(String($0)).object }
        let published = try #require(lines.first { $0?["topic"] == "fleet-bridge/vacuums/v1/state" } ?? nil)
        let state = try #require(published["payload"]?.object)
        let (code, output, _) = try explain(["--json"], JSONValue.object(state).text)
        #expect(code == 0)
        #expect(try JSONParser().parse(output).object?["display"] == state["display"])
        #expect(state["display"]?.object?["iconColor"] == "#ffff00")
    }

    @Test(
        "explain refuses what it cannot explain, and says what it wants",
        arguments: [
            (["--property", "iconColour"], vacuum, 64, "did you mean iconColor?"), (["--nope"], vacuum, 64, "--nope"),
            ([], "{", 1, "-: "), ([], "[]", 1, "-: expected an object"),
            (
                [], #"{"chrge":3}"#, 1,
                #"unknown field "chrge"; what a device says beside belongs in properties; did you mean "charge"?"#
            ),
            ([], #"{"charge":300}"#, 1, "-: /charge: expected a number from 0 to 100"),
            ([], #"{"position":{"lat":91,"lon":0}}"#, 1, "-: /position: expected lat from -90 to 90"),
        ] as [([String], String, Int32, String)])
    func refusals(options: [String], location: String, expected: Int32, message: String) throws {
        let (code, output, errors) = try explain(options, location)
        #expect(code == expected)
        #expect(output.isEmpty)
        #expect(errors.contains(message), "\(errors)")
    }

    @Test("explain wants one configuration that can be read, and a location")
    func operands() throws {
        #expect(try run(["explain", Self.tutorial]).code == 64)
        #expect(try run(["explain", "--location", "-"]).code == 64)
        let missing = try run(["explain", Self.examples + "/nowhere.yaml", "--location", "-"], input: Self.vacuum)
        #expect(missing.code == 2 && missing.errors.contains("nowhere.yaml"))
        let file = try TemporaryFile(
            "bridge.yaml", "displayRules:\n  - {set: {iconColor: [stepp, [get, charge], red]}}\n")
        let bad = try run(["explain", file.path, "--location", "-"], input: Self.vacuum)
        #expect(bad.code == 2 && bad.output.isEmpty)
        #expect(bad.errors.hasPrefix("\(file.path):2:24: error: "), "\(bad.errors)")
        let location = try run(["explain", Self.tutorial, "--location", "/nowhere.json"])
        #expect(location.code == 1 && location.errors.contains("/nowhere.json: cannot be read"))
    }

    // MARK: test

    @Test("test passes on every example that is shipped, and says of each file how many did")
    func shipped() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.examples).filter {
            $0.hasSuffix(".test.yaml")
        }.sorted()
        #expect(names.contains("fleet-bridge.test.yaml") && names.contains("tutorial.test.yaml"))
        let (code, output, errors) = try run(["test"] + names.map { "\(Self.examples)/\($0)" })
        #expect(code == 0 && errors.isEmpty, "\(output)\(errors)")
        let lines = output.split(separator: "\n")
        #expect(lines.count == names.count)
        for (line, name) in zip(lines, names) {
            #expect(line.wholeMatch(of: /.+: [1-9][0-9]* passed/) != nil && line.contains(name), "\(line)")
        }
    }

    private func testFile(_ tests: String) throws -> TemporaryFile {
        try TemporaryFile("a.test.yaml", "configuration: \(Self.tutorial)\ntests:\n\(tests)")
    }

    private static let failing = """
          - name: A wrong guess
            location: {type: robot-vacuum, name: V, charge: 45}
            expect: {display: {iconColor: green, icon: robot-vacuum}}
          - name: A right one
            location: {type: People, name: Ada}
            expect: {display: {zoomFrom: 17}}
          - name: A message that is not rejected
            messages:
              - {topic: fleet/vacuums/v1/telemetry, payload: {lat: 57, lon: 9}, expect: {rejected: {reason: no-fix}}}
            expect: {states: {vacuums/v2: {status: live}}}

        """

    @Test("test shows what failed, with its place and both values, and ends with 1")
    func failures() throws {
        let file = try testFile(Self.failing)
        let (code, output, errors) = try run(["test", file.path])
        #expect(code == 1 && errors.isEmpty)
        let expected = """
            TEST:3:5: failed: A wrong guess
              TEST:5:35: display.iconColor
                - "green"
                + "#ffff00"
                  by "robot vacuums" (type, FILE:26) with charge = 45
            TEST:9:5: failed: A message that is not rejected
              TEST:11:92: the message
                - rejected: {"reason":"no-fix"}
                + applied
              TEST:12:35: vacuums/v2
                - {"status":"live"}
                + nothing
            TEST: 1 passed, 2 failed

            """
        #expect(output == expected.replacing("TEST", with: file.path).replacing("FILE", with: Self.tutorial))
    }

    @Test("A test file that is wrong ends with 2, whatever becomes of the others, which still run")
    func wrongFiles() throws {
        let failing = try testFile(Self.failing)
        let wrong = try testFile("  - {name: x, location: {charge: 1}, expct: {}}\n")
        let good = Self.examples + "/tutorial.test.yaml"
        let (code, output, errors) = try run(["test", failing.path, wrong.path, good])
        #expect(code == 2)
        #expect(output.contains("\(failing.path): 1 passed, 2 failed\n\(good): "))
        #expect(
            errors.contains("\(wrong.path):3:38: error: ") && errors.contains("did you mean \"expect\"?"), "\(errors)")
        let orphan = try TemporaryFile("b.test.yaml", "configuration: nowhere.yaml\ntests: []\n")
        let missing = try run(["test", orphan.path])
        #expect(missing.code == 2 && missing.errors.hasPrefix("\(orphan.path):1:16: error: "), "\(missing.errors)")
    }

    @Test("test wants a file, and knows no other options")
    func usage() throws {
        for arguments in [["test"], ["test", "--nope", Self.examples + "/tutorial.test.yaml"]] {
            let (code, output, errors) = try run(arguments)
            #expect(code == 64 && output.isEmpty && errors.contains("usage: fleet-bridge test"))
        }
    }
}
