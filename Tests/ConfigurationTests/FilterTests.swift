import Configuration
import Testing

private func sources(_ sources: [(String, String)], prefix: String = "fleet-bridge") -> String {
    "topics: {prefix: \(prefix)}\nsources:\n" + sources.map { "  \($0): {topics: [\($1)]}" }.joined(separator: "\n")
}

@Suite("Input filters")
struct FilterTests {
    @Test("Equally specific filters that overlap are an error with both places")
    func ties() {
        expect(
            sources([("a", #""fleet/{x}/t""#), ("b", "fleet/+/t")]),
            [("4:16", ["\"fleet/+/t\"", "\"fleet/{x}/t\"", "source \"a\"", "3:16"])])
        expect(sources([("a", "x, x")]), [("3:19", ["of the same source", "3:16"])])
        expect(sources([("a", "fleet/#"), ("b", "fleet/#")]), [("4:16", ["3:16"])])
    }

    @Test(
        "A more specific filter wins, so it may overlap",
        arguments: [
            ("fleet/#", "fleet/+/t"), ("fleet/+/t", "fleet/a/t"), (#""fleet/{source}/t""#, "fleet/a/t"),
            ("a/+", "a/+/b"),
            ("a/+/c", "a/b/+"), ("a", "b"),
        ])
    func noTies(first: String, second: String) throws {
        let text = sources([("a", first), ("b", second)])
        #expect(try configuration(text).engine.sources.count == 2)
    }

    @Test("Each filter of a template names {source}")
    func templates() {
        expect(sources([("a", #""f/{source}/t", f/x/t"#)]), [("3:32", ["\"f/x/t\"", "{source}"])])
    }

    @Test(
        "A filter that matches the bridge's own topics is refused, and both are named",
        arguments: [
            ("fleet/#", "fleet/out"), ("\"#\"", "fleet-bridge"), ("+/status", "fleet-bridge"),
            ("+/+/+/state", "fleet-bridge"), ("+/+/telemetry/#", "fleet-bridge"),
            ("+/+/+", "fleet-bridge"), (#""{site}/{source}/{device}/state""#, "fleet-bridge"),
            (#""fleet/{source}/status""#, "fleet/out"),
            ("fleet-bridge/+/+/telemetry", "fleet-bridge"), ("fleet-bridge/robots/r1/telemetry", "fleet-bridge"),
            ("fleet-bridge/#", "fleet-bridge"), ("fleet-bridge", "fleet-bridge"),
            ("fleet-bridge/request/+", "fleet-bridge"),
            ("fleet-bridge/probe/+", "fleet-bridge"), ("+/request/locations/get", "fleet-bridge"),
        ])
    func own(filter: String, prefix: String) {
        expect(
            sources([("a", filter)], prefix: prefix),
            [("3:16", ["sources.a.topics", filter.replacing("\"", with: ""), "\"\(prefix)\"", "own"])])
    }

    private static let homeAssistant = "homeAssistant: {discoveryPrefix: ha/hall}\n"

    @Test(
        "A filter that matches what is said to Home Assistant, or by it, is refused",
        arguments: [
            ("ha/hall/#", "ha/hall/device/+/config"), ("+/hall/device/x/config", "ha/hall/device/+/config"),
            (#""ha/hall/device/{device}/+""#, "ha/hall/device/+/config"),
            (#""ha/+/device_tracker/{device}/+/+""#, "ha/hall/device_tracker/+/tracker/config"),
            ("ha/hall/sensor/+/+/config", "ha/hall/sensor/+/battery/config"),
            ("homeassistant/status", "homeassistant/status"), ("ha/hall/status", "ha/hall/status"),
        ])
    func discovery(filter: String, topicFilter: String) {
        expect(
            Self.homeAssistant + sources([("a", filter)], prefix: "other"),
            [("4:16", ["sources.a.topics", filter.replacing("\"", with: ""), topicFilter])])
    }

    @Test(
        "Where nothing is told to Home Assistant, or elsewhere, it is accepted",
        arguments: [
            ("", "ha/hall/#"), (homeAssistant, "homeassistant/device/{device}/config"),
            (homeAssistant, "ha/hall/device_tracker/{device}/+"), (homeAssistant, "ha/hall/vacuum/{device}/+"),
        ])
    func noDiscovery(setting: String, filter: String) throws {
        let text = setting + sources([("a", "\"\(filter)\"")])
        #expect(try configuration(text).engine.sources.count == 1)
    }

    @Test(
        "What Home Assistant is told does not stand among the bridge's own topics", arguments: ["site", "site/fleet"])
    func discoveryPrefix(prefix: String) throws {
        expect(
            "homeAssistant: {discoveryPrefix: site/fleet}\ntopics: {prefix: \(prefix)}\n",
            [("1:34", ["homeAssistant.discoveryPrefix", "\"site/fleet\"", "\"\(prefix)\""])])
        let settings = try configuration("homeAssistant: {}\n").engine.homeAssistant
        #expect(settings?.discoveryPrefix == "homeassistant" && settings?.discovery == .device)
        #expect(try configuration("homeAssistant: {discovery: entity}").engine.homeAssistant?.discovery == .entity)
        #expect(try configuration("").engine.homeAssistant == nil)
    }

    @Test(
        "A filter that leaves the bridge's own topics out is accepted",
        arguments: [
            ("fleet/#", "fleet-bridge"), (#""{source}/{device}/telemetry""#, "fleet-bridge"),
            ("+/+/telemetry", "fleet-bridge"), ("+/+/state", "fleet-bridge"),
            ("fleet-bridge-2/#", "fleet-bridge"), ("fleet/in/#", "fleet/out"), ("$SYS/#", "fleet-bridge"),
        ])
    func foreign(filter: String, prefix: String) throws {
        #expect(try configuration(sources([("a", filter)], prefix: prefix)).engine.sources.count == 1)
    }

    @Test("A prefix that the built-in filters match is refused at the prefix")
    func builtInFilters() {
        expect("topics: {prefix: fleet/out}", [("1:18", ["built-in", "\"fleet/{source}/status\"", "\"fleet/out\""])])
    }

    @Test(
        "Syntax errors point to the filter",
        arguments: [
            ("a/b+", "whole level"), (#""a/{b""#, "whole level"), (#""a/{b}/{b}""#, "twice"),
            (#""a/{1b}""#, "name of a level"),
            ("a/#/b", "end"), (#""""#, "text"), (#""a\tb""#, "control"), ("$share/g/a", "shared"),
            ("\"\(String(repeating: "x", count: 65_536))\"", "65535"),
        ])
    func syntax(filter: String, word: String) {
        expect("sources:\n  a:\n    topics:\n      - ok\n      - \(filter)", [("5:9", ["sources.a.topics[1]", word])])
    }
}
