import DisplayRules
import FleetEngine
import JSON
import Locations
import MQTTModel
import Testing

/// Another configuration while the bridge runs.
struct ReconfigurationTests {
    private static let charge: JSONValue = ["step", ["get", "charge"], "red", 30, "yellow", 60, "green"]

    private func rules(_ color: JSONValue, margin: Double? = nil) throws -> DisplayRuleSet {
        let hysteresis = margin.map { Hysteresis(property: "charge", margin: $0, hold: nil) }
        return DisplayRuleSet([
            try DisplayRule(name: "all", hysteresis: hysteresis, set: [("iconColor", color)])
        ])
    }

    private func filters(_ broker: ScriptedBroker) -> [String] {
        broker.subscriptions.map(\.topicFilter).filter { $0.hasPrefix("fleet/") }
    }

    @Test("The same configuration again changes nothing and publishes nothing")
    func same() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(2))
        broker.forget()
        let filters = filters(broker)
        broker.reload()
        broker.wait(.seconds(5))
        #expect(broker.published.isEmpty)
        #expect(self.filters(broker) == filters)
        #expect(broker.log.last?.message == "the configuration is taken over")
        #expect(broker.log.last?.fields.isEmpty == true)
    }

    @Test("A source that is gone takes all its topics with it; the others keep everything")
    func removed() {
        let broker = ScriptedBroker([.robots(), .robots(id: "tags")])
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.send("fleet/tags/t1/telemetry", #"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(2))
        broker.forget()
        broker.reload([.robots()])
        broker.wait(.seconds(2))
        #expect(broker.retained.keys.allSatisfy { !$0.contains("tags") })
        #expect(broker.published.allSatisfy { $0.topicName.contains("tags") })
        #expect(broker.engine.locations.map(\.id) == ["r1"])
        #expect(
            broker.unsubscribed.suffix(3) == ["fleet/tags/+/telemetry", "fleet/tags/+/connection", "fleet/tags/status"])
        broker.send("fleet/tags/t1/telemetry", #"{"lat":57,"lon":9}"#)
        #expect(broker.state("t1", source: "tags") == nil)
    }

    @Test("Its snapshots go with it")
    func snapshots() {
        let broker = ScriptedBroker([.robots(), .robots(id: "tags")], snapshots: .seconds(5))
        broker.send("fleet/tags/t1/telemetry", #"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(6))
        #expect(broker.retained["fleet-bridge/tags/geojson/0"] != nil)
        broker.reload([.robots()])
        broker.wait(.seconds(6))
        #expect(broker.retained.keys.allSatisfy { !$0.contains("tags") })
    }

    @Test("A new source is listened to, with what is stored; it is initialising until that is granted")
    func added() {
        let broker = ScriptedBroker()
        broker.store("fleet/tags/t1/telemetry", #"{"lat":57,"lon":9,"ts":"\#(ScriptedBroker.start.wall.iso8601)"}"#)
        broker.wait(.seconds(2))
        broker.answersSubscriptions = false
        broker.reload([.robots(), .robots(id: "tags")])
        #expect(broker.json("fleet-bridge/tags/status")?["status"] == "initialising")
        broker.reload([.robots()])
        broker.answersSubscriptions = true
        broker.reload([.robots(), .robots(id: "tags")])
        broker.wait(.seconds(2))
        #expect(broker.json("fleet-bridge/tags/status")?["status"] == "available")
        #expect(broker.state("t1", source: "tags")?["status"] == "live")
        let new = broker.subscriptions.filter { $0.topicFilter == "fleet/tags/+/telemetry" }.suffix(2)
        #expect(new.map(\.qos) == [.atMostOnce, .atLeastOnce])
        // Numbers of filters that are there already are not given away.
        #expect(Set(broker.subscriptions.compactMap(\.identifier)).count == 6)
    }

    @Test("A source that is denied its new filter says so")
    func denied() {
        let broker = ScriptedBroker()
        broker.deniedFilters = ["fleet/tags/+/telemetry"]
        broker.reload([.robots(), .robots(id: "tags")])
        #expect(broker.json("fleet-bridge/tags/status")?["reason"] == "accessDenied")
        #expect(broker.sourceStatus?["reason"] == "no-live-location")
    }

    @Test("Changed settings go for what is known, too")
    func settings() {
        let broker = ScriptedBroker([.robots { ($0.staleAfter, $0.type) = (.seconds(60), "robot") }])
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.report("r2", #"{"lat":57,"lon":9,"type":"special"}"#)
        broker.wait(.seconds(20))
        broker.reload([
            .robots {
                ($0.staleAfter, $0.type) = (.seconds(10), "vacuum")
                $0.devices = ["r1": DeviceEntry(name: "Vacuum 1")]
            }
        ])
        broker.wait(.seconds(2))
        #expect(broker.state()?["status"] == "stale")
        #expect(broker.state()?["statusSince"] == .string(ScriptedBroker.start.wall.advanced(by: .seconds(10)).iso8601))
        #expect(broker.state()?["type"] == "vacuum" && broker.state("r2")?["type"] == "special")
        #expect(broker.state()?["name"] == "Vacuum 1")
        broker.reload([.robots { $0.staleAfter = .seconds(60) }])
        broker.wait(.seconds(2))
        #expect(broker.state()?["status"] == "live")
        #expect(broker.state()?["type"] == nil && broker.state()?["name"] == "r1")
        broker.wait(.seconds(50))
        #expect(broker.state()?["status"] == "stale")
    }

    @Test("A position that was too old counts again without that limit")
    func limitLifted() {
        let broker = ScriptedBroker([.robots { $0.lostAfter = .seconds(10) }])
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(12))
        #expect(broker.state()?["status"] == "lost")
        broker.reload([.robots()])
        broker.wait(.seconds(1))
        #expect(broker.state()?["status"] == "live" && broker.state()?.number("position", "lat") == 57)
    }

    @Test("A format's memory outlives a reload that does not concern its source")
    func decoder() {
        let broker = ScriptedBroker()
        let report = #"{"lat":57,"lon":9,"ts":"\#(ScriptedBroker.start.wall.iso8601)"}"#
        broker.report(report)
        broker.reload([.robots(), .robots(id: "tags")])
        broker.report(report)
        #expect(broker.stats().number("duplicate") == 1)
    }

    @Test("A source that a template has made goes on by an entry of its own; without either it is gone")
    func template() {
        let any = SourceConfiguration.robots(id: "any", topics: ["fleet/{source}/{device}/telemetry"])
        let broker = ScriptedBroker([any])
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(2))
        broker.forget()
        broker.reload([any, .robots { $0.type = "robot" }])
        broker.wait(.seconds(2))
        #expect(broker.state()?["type"] == "robot" && broker.states().count == 1)
        broker.report(#"{"lat":58,"lon":9}"#)
        #expect(broker.state()?.number("position", "lat") == 58)
        broker.reload([any])
        broker.wait(.seconds(2))
        #expect(broker.state() == nil && broker.engine.sourceStatuses.isEmpty)
        broker.report(#"{"lat":59,"lon":9}"#)
        #expect(broker.state()?.number("position", "lat") == 59)
        broker.reload([])
        broker.wait(.seconds(2))
        #expect(broker.retained.keys.allSatisfy { !$0.contains("robots") })
    }

    @Test("Of two templates the one that hears a source that was read back has it")
    func guess() {
        let a = SourceConfiguration.robots(id: "a", topics: ["a/{source}/{device}/telemetry"])
        let b = SourceConfiguration.robots(id: "b", topics: ["b/{source}/{device}/telemetry"]) { $0.type = "b" }
        let broker = ScriptedBroker([a, b])
        broker.send("b/robots/r1/telemetry", #"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(2))
        broker.restart(after: .seconds(1))
        broker.wait(.seconds(1))
        broker.send("b/robots/r1/telemetry", #"{"lat":58,"lon":9}"#)
        #expect(broker.state()?.number("position", "lat") == 58 && broker.state()?["type"] == "b")
        broker.send("a/robots/r1/telemetry", #"{"lat":50,"lon":9}"#)
        #expect(broker.state()?.number("position", "lat") == 58)
    }

    @Test(
        "Changed rules restyle every location, at the pace of what is repeated, and only where they make a difference")
    func restyled() throws {
        let broker = ScriptedBroker(rules: try rules("red"))
        for index in 0..<300 { broker.report("r\(index)", #"{"lat":57,"lon":9}"#) }
        broker.wait(.seconds(2))
        broker.forget()
        broker.reload(rules: try rules("blue"))
        broker.wait(.seconds(1))
        let states = broker.published.filter { $0.topicName.hasSuffix("/state") }
        #expect(states.count == 300)
        #expect(states.last.map { $0.at - states[0].at >= .milliseconds(150) } == true)
        #expect(broker.state("r7")?["display"] == ["iconColor": "#0000ff"])
        broker.forget()
        broker.reload(rules: try rules("#00f"))
        broker.wait(.seconds(1))
        #expect(broker.published.isEmpty)
        #expect(AccountingTests.balances(broker.stats()))
    }

    @Test("A band that is held is held on where its rule is the same, and begins anew where it is another")
    func memory() throws {
        let broker = ScriptedBroker(rules: try rules(Self.charge, margin: 5))
        broker.report(#"{"lat":57,"lon":9,"charge":31}"#)
        broker.report(#"{"lat":57,"lon":9,"charge":29}"#)
        #expect(broker.state()?["display"] == ["iconColor": "#ffff00"])
        let label = try DisplayRule(name: "label", set: [("label", ["get", "name"])])
        let same = try DisplayRule(
            name: "renamed", hysteresis: Hysteresis(property: "charge", margin: 5, hold: nil),
            set: [("iconColor", Self.charge)])
        broker.reload(rules: DisplayRuleSet([label, same]))
        broker.wait(.seconds(1))
        #expect(broker.state()?["display"] == ["iconColor": "#ffff00", "label": "r1"])
        broker.reload(rules: try rules(Self.charge, margin: 4))
        broker.wait(.seconds(1))
        #expect(broker.state()?["display"] == ["iconColor": "#ff0000"])
        broker.reload(rules: try rules(Self.charge))
        broker.wait(.seconds(1))
        broker.report(#"{"lat":57,"lon":9,"charge":30}"#)
        #expect(broker.state()?["display"] == ["iconColor": "#ffff00"])
    }

    @Test("What is changed while the broker is away holds when it is back")
    func whileDown() throws {
        let broker = ScriptedBroker([.robots(), .robots(id: "tags")], rules: try rules("red"))
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.send("fleet/tags/t1/telemetry", #"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(2))
        broker.loseConnection()
        broker.reload([.robots()], rules: try rules("blue"))
        broker.wait(.seconds(3))
        #expect(broker.state()?["display"] == ["iconColor": "#0000ff"])
        #expect(broker.retained.keys.allSatisfy { !$0.contains("tags") })
        #expect(filters(broker).allSatisfy { !$0.contains("tags") })
    }

    @Test("A wrong configuration changes nothing; all that is wrong is told")
    func refused() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(2))
        broker.forget()
        broker.run(.configurationRefused(["f.yaml:3:5: error: a", "f.yaml:4:5: error: b"], for: nil))
        broker.wait(.seconds(2))
        #expect(broker.published.isEmpty)
        #expect(broker.log.suffix(2).map(\.message) == ["f.yaml:3:5: error: a", "f.yaml:4:5: error: b"])
        #expect(broker.engine.locations.count == 1)
    }
}
