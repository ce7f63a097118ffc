import FleetTestSupport
import Foundation
import JSON
import MQTTModel
import MotionModels
import SettingsFile
import Testing

@testable import fleet_sim

@Suite("Files of fleets")
struct FleetsFileTests {
    private func read(_ text: String) -> FleetsFile.Outcome { FleetsFile.read(Array(text.utf8), path: "sims.yaml") }

    @Test("Everything of a fleet is read")
    func all() throws {
        let outcome = read(
            """
            seed: 7
            for: 10s
            fleets:
              - source: vacuums
                count: 3
                motion: {kind: random, base: [57, 9.5], radius: 20}
                interval: 1s
                connections: 2
                id: robo
                name: Robo
                type: cleaner
                building: Tower
                floors: [0, 10]
                faults: {drop: 0.5}
                schedule:
                  - {at: 10s, every: 1m, devices: [robo1], command: stop, for: 5s}
                  - {at: 0s, command: disconnect, graceful: false}
              - {format: vda5050, motion: walk, map: hall, connections: shared, faults: [drop, nan]}
              - {motion: walk}
              - {motion: clean, source: cleaners, faults: all}
            """)
        #expect(outcome.diagnostics.isEmpty, "\(outcome.diagnostics)")
        let file = try #require(outcome.file)
        #expect(file.seed == 7 && file.end == .seconds(10))
        let plans = outcome.plans
        #expect(plans.map(\.source) == ["vacuums", "agvs", "people", "cleaners"])
        #expect(plans.map(\.count) == [3, 100, 100, 16])
        let first = plans[0]
        #expect(first.kind.stem == "robo" && first.kind.name == "Robo " && first.kind.type == "cleaner")
        #expect(first.kind.floors == [0, 10] && first.building == "Tower" && first.interval == .seconds(1))
        #expect(first.connections == .shared(2) && first.faults.probabilities == [.drop: 0.5])
        let random = try #require(first.motion as? RandomFleetMotion)
        #expect(random.settings.radius == 20 && random.settings.base.longitude == 9.5)
        #expect(
            first.schedule == [
                CommandSchedule.Entry(
                    time: .seconds(10), period: .seconds(60), devices: ["robo1"],
                    command: DeviceCommand(.stop, for: .seconds(5))),
                CommandSchedule.Entry(
                    time: .zero, period: nil, devices: nil, command: DeviceCommand(.disconnect(graceful: false))),
            ])
        #expect(plans[1].map == "hall" && plans[1].connections == .shared(nil))
        #expect(plans[1].faults.probabilities == [.drop: 0.05, .nan: 0.05])
        #expect(plans[2].kind.name == "Person #" && plans[2].kind.type == "People" && plans[2].kind.floors == [1])
        #expect(plans[3].faults.probabilities.count == FaultKind.allCases.count)
    }

    @Test(
        "What is wrong is told with its place and what was expected",
        arguments: [
            ("", "1:1: error: the file is empty"),
            ("fleets: []", "1:9: error: fleets: the list is empty"),
            ("fleet: [{}]", "1:1: error: unknown setting \"fleet\"; did you mean \"fleets\"?"),
            ("fleets: [{cuont: 3}]", "1:11: error: fleets[0]: unknown setting \"cuont\"; did you mean \"count\"?"),
            ("fleets: [{count: 0}]", "1:18: error: fleets[0].count: \"0\" is not a whole number from 1 to 10000"),
            ("fleets: [{format: owntrack}]", "did you mean \"owntracks\"?"),
            ("fleets: [{source: a/b}]", "1:19: error: fleets[0].source: 'a/b' is no id"),
            ("fleets: [{motion: wlak}]", "1:19: error: fleets[0].motion: \"wlak\" is not one of random"),
            ("fleets: [{motion: {radius: 3}}]", "the setting \"kind\" is missing"),
            ("fleets: [{motion: {kind: walk, room: []}}]", "fleets[0].motion: unknown setting \"room\""),
            ("fleets: [{motion: {kind: clean, room: [[57, 9], [57, 9], [57, 9]]}}]", "these corners are no room"),
            (
                "fleets: [{motion: {kind: clean, room: [[57, 9], [57.001, 9.001], [57.001, 9], [57, 9.001]]}}]",
                "the room crosses itself: the walls from corner 1 to 2 and from corner 3 to 4 meet"
            ),
            (
                "fleets: [{motion: {kind: clean, room: [[57, 9], [57, 9.002], [57.001, 9.002], [57, 9.001]]}}]",
                "the room crosses itself: the walls from corner 1 to 2 and from corner 3 to 4 meet"
            ),
            ("fleets: [{motion: {kind: clean, room: [[57, 9], [57], [57, 190]]}}]", "is not a place"),
            ("fleets: [{motion: gpx}]", "gpx needs a file"),
            ("fleets: [{motion: {kind: gpx, file: nowhere.gpx}}]", "1:19: error: fleets[0].motion: nowhere.gpx"),
            (
                "fleets: [{faults: {drop: 2}}]",
                "1:26: error: fleets[0].faults.drop: \"2\" is not how often, from 0 to 1"
            ),
            ("fleets: [{faults: [drp]}]", "did you mean \"drop\"?"),
            ("fleets: [{format: nmea, faults: [nan]}]", "1:33: error: fleets[0].faults: the fault nan is not possible"),
            ("fleets: [{interval: 1ms}]", "expected 10ms to"),
            ("fleets: [{connections: many}]", "is not own, shared or a number"),
            (
                "fleets: [{schedule: [{command: stop}]}]",
                "1:22: error: fleets[0].schedule[0]: the setting \"at\" is missing"
            ),
            (
                "fleets: [{schedule: [{at: 1s, command: stpo}]}]",
                "1:40: error: fleets[0].schedule[0]: \"command\": \"stpo\" is none of"
            ),
            ("fleets: [{schedule: [{at: 1s, command: stop, devcies: [a]}]}]", "\"devcies\": means nothing to stop"),
            ("fleets: [{schedule: [{at: 1s, command: stop, devices: [vacuum99]}]}]", "there is no device \"vacuum99\""),
            ("fleets: [{}, {}]", "1:14: error: fleets[1]: another fleet has devices of the same ids, vacuums/vacuum0"),
            ("fleets: [{source: ${NO_SUCH_VARIABLE}}]", ": error: "),
            ("fleets: [", "1:"),
        ])
    func faults(text: String, message: String) {
        let outcome = read(text)
        #expect(outcome.file == nil)
        let told = outcome.diagnostics.map(\.description)
        #expect(told.contains { $0.hasPrefix("sims.yaml:") && $0.contains(message) }, "\(told)")
    }

    @Test("Everything wrong is told at once, in the order of the file")
    func several() {
        let outcome = read("fleets:\n  - count: 0\n    format: x\n  - interval: 0s\n    id: other\n")
        #expect(outcome.diagnostics.map(\.line) == [2, 3, 4])
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "examples/sims").path

    @Test("The examples are right", arguments: ["vacuums", "people", "tutorial"])
    func examples(name: String) throws {
        let outcome = FleetsFile.read("\(Self.folder)/\(name).yaml")
        #expect(outcome.diagnostics.isEmpty && !outcome.plans.isEmpty, "\(outcome.diagnostics)")
    }

    @Test("The shipped schema says what the reader reads; UPDATE_SCHEMA=1 in the environment writes it anew")
    func schema() throws {
        let file = URL(filePath: "\(Self.folder)/../../docs/fleet-sim.schema.json")
        if ProcessInfo.processInfo.environment["UPDATE_SCHEMA"] == "1" {
            try Data(SettingsSchema.text(FleetsFile.schema).utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == SettingsSchema.text(FleetsFile.schema))
        let schemas = try JSONSchemas(["fleets": FleetsFile.schema])
        let examples: [JSONValue] = [
            ["fleets": [["motion": "walk"], ["motion": ["kind": "clean", "speed": 0.5], "faults": ["drop": 0.5]]]],
            ["fleets": [["schedule": [["at": "1s", "command": "stop", "for": "5s"]], "connections": "shared"]]],
        ]
        for example in examples {
            #expect(schemas.violations(of: example, against: "fleets").isEmpty, "\(example.text)")
        }
        let wrong: [JSONValue] = [
            ["fleet": []], ["fleets": [["cuont": 3]]], ["fleets": [["motion": ["kind": "walk", "room": []]]]],
            ["fleets": [["faults": ["drop": 2]]]],
        ]
        for example in wrong { #expect(!schemas.violations(of: example, against: "fleets").isEmpty, "\(example.text)") }
    }

    @Test("Every file in docs/simulators.md is right")
    func documentation() throws {
        let path = "\(Self.folder)/../../docs/simulators.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let files = text.matches(of: #/(?ms)^```yaml\n(.*?)^```$/#).map { String($0.1) }.filter {
            $0.contains("fleets:")
        }
        #expect(!files.isEmpty)
        for file in files {
            let outcome = read(file)
            #expect(outcome.diagnostics.isEmpty, "\(outcome.diagnostics)")
        }
    }
}
