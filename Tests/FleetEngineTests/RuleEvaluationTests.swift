import DisplayRules
import FleetEngine
import JSON
import Locations
import Testing

/// Rules are evaluated when something they read has changed, as it is seen from outside.
struct RuleEvaluationTests {
    private func broker(_ rules: [DisplayRule]) -> ScriptedBroker {
        ScriptedBroker([.robots { $0.staleAfter = nil }], rules: DisplayRuleSet(rules))
    }

    private func failures(_ broker: ScriptedBroker) -> JSONValue? {
        broker.wait(.seconds(10))  // the counters come every 10 s
        return broker.stats()["ruleErrors"]
    }

    @Test("A failure is counted when its input changes, not with every state, and shows until then")
    func failures() throws {
        let broker = broker([
            try DisplayRule(
                name: "by level", when: ["<", ["get", "limit"], 5], set: [("iconSize", 2)]),
            try DisplayRule(name: "main", set: [("iconColor", ["step", ["get", "level"], "red", 30, "green"])]),
        ])
        for step in 0..<5 {
            broker.report(#"{"lat":57,"lon":9.\#(step)}"#)
            #expect(broker.state("r1")?["display"] == ["iconColor": "#3388ff"])
        }
        #expect(failures(broker) == ["by level/when": 1, "main/iconColor": 1])
        broker.report(#"{"lat":57,"lon":9,"level":"high"}"#)
        #expect(broker.state("r1")?["display"] == ["iconColor": "#3388ff"])
        broker.report(#"{"lat":57,"lon":9,"level":40,"limit":7}"#)
        #expect(broker.state("r1")?["display"] == ["iconColor": "#008000"])
        #expect(failures(broker) == ["by level/when": 1, "main/iconColor": 2])
    }

    @Test("What is published again after a connect evaluates nothing; a location that comes back does")
    func connects() throws {
        let broker = broker([try DisplayRule(name: "main", set: [("iconSize", ["number", ["get", "name"]])])])
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.loseConnection(forgettingRetained: true)
        broker.wait(.seconds(20))
        #expect(broker.state("r1")?["display"] == ["iconSize": 1])
        #expect(failures(broker) == ["main/iconSize": 1])
        broker.send("fleet/robots/r1/telemetry", "")
        broker.report(#"{"lat":57,"lon":9}"#)
        #expect(failures(broker) == ["main/iconSize": 2])
    }

    @Test("Another floor may bring other rules; back on the first one, they are as if it had never left")
    func otherRules() throws {
        var match = RuleMatch()
        match.floors = [10]
        let broker = broker([
            try DisplayRule(name: "main", set: [("label", ["get", "room"])]),
            try DisplayRule(name: "first floor", match: match, set: [("label", ["concat", "1: ", ["get", "room"]])]),
        ])
        func label(_ payload: String) -> JSONValue? {
            broker.report(payload)
            return broker.state("r1")?["display"]?.object?["label"]
        }
        #expect(label(#"{"lat":57,"lon":9,"floor":0,"room":"a"}"#) == "a")
        #expect(label(#"{"lat":57,"lon":9,"floor":10}"#) == "1: a")
        #expect(label(#"{"lat":57,"lon":9,"room":"b"}"#) == "1: b")
        #expect(label(#"{"lat":57,"lon":9,"floor":0}"#) == "b")
    }

    @Test("While a rate holds states back, the floor goes and comes back: the rules are those of where it is")
    func thereAndBack() throws {
        var match = RuleMatch()
        match.floors = [10]
        let rules = [
            try DisplayRule(name: "main", set: [("label", ["get", "room"])]),
            try DisplayRule(
                name: "first floor", match: match, when: ["==", ["get", "room"], "a"],
                until: ["==", ["get", "room"], "b"],
                set: [("label", "one")]),
        ]
        let broker = ScriptedBroker([.robots { $0.maxRate = 1 }], rules: DisplayRuleSet(rules))
        broker.report(#"{"lat":57,"lon":9,"floor":0,"room":"a"}"#)
        for floor in [10, 0] { broker.report(#"{"lat":57,"lon":9,"floor":\#(floor)}"#) }
        broker.wait(.seconds(1))
        #expect(broker.state("r1")?["display"] == ["label": "a"])
        for floor in [0, 10] { broker.report(#"{"lat":57.1,"lon":9,"floor":\#(floor)}"#) }
        broker.wait(.seconds(1))
        #expect(broker.state("r1")?["display"] == ["label": "one"])
    }
}
