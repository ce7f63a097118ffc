import FleetEngine
import JSON
import Locations
import TelemetryFormats
import Testing

/// Whose a source is that a template names.
struct TemplateTests {
    static let entries: [SourceConfiguration] = [
        .robots(id: "default", topics: ["fleet/{source}/{device}/telemetry"]),
        .robots(id: "other", topics: ["site/{source}/{device}/telemetry"]),
        .robots(id: "robots", topics: ["robots/{device}/telemetry"]) { $0.type = "robot" },
    ]

    @Test("A template does not take over a source that another entry has")
    func foreign() {
        let broker = ScriptedBroker(Self.entries)
        broker.send("robots/r1/telemetry", #"{"lat":57,"lon":9}"#)
        broker.send("fleet/robots/r1/telemetry", #"{"lat":58,"lon":9}"#)
        broker.send("fleet/tags/t1/telemetry", #"{"lat":57,"lon":9}"#)
        broker.send("site/tags/t1/telemetry", #"{"lat":58,"lon":9}"#)
        #expect(broker.state()?.number("position", "lat") == 57)
        #expect(broker.state()?["type"] == "robot")
        #expect(broker.state("t1", source: "tags")?.number("position", "lat") == 57)
        let told = broker.log.filter { $0.message == "rejected" }
        #expect(told.count == 2)
        #expect(told.allSatisfy { $0.fields.contains { $0.value.contains("belongs to another entry") } })
        let stats = broker.stats()
        #expect(stats.number("reasons", "bad-source-id") == 2)
        #expect(AccountingTests.balances(stats))
    }

    @Test(
        "convert judges it as the bridge does",
        arguments: [
            ("robots/r1/telemetry", nil), ("fleet/robots/r1/telemetry", "bad-source-id"),
            ("fleet/tags/t1/telemetry", nil), ("fleet/stats/t1/telemetry", "bad-source-id"),
            ("fleet/\(String(repeating: "é", count: 500))/t1/telemetry", nil),
            ("fleet/\(String(repeating: "é", count: 501))/t1/telemetry", "bad-source-id"),
        ] as [(String, String?)])
    func convert(topicName: String, reason: String?) {
        let answer = Converter(Self.entries).convert(
            Converter.Input(
                topicName: topicName, payload: Array(#"{"lat":57,"lon":9}"#.utf8), retained: false,
                arrival: ScriptedBroker.start.wall)
        ).object
        #expect(answer?["rejected"]?.object?["reason"] == reason.map { .string($0) })
        #expect((answer?["reports"] != nil) == (reason == nil))
    }
}
