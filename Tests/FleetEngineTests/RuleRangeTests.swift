import DisplayRules
import FleetEngine
import JSON
import Testing

/// Rules that come to what a property cannot have.
struct RuleRangeTests {
    @Test(
        "What is out of range counts as a failure: the inherited value is shown, and without one the default",
        arguments: [
            (100, 0), (0, 0), (101, 1), (-1, 1), (250, 1),
        ] as [(Double, Double)])
    func outOfRange(level: Double, failures: Double) throws {
        var match = RuleMatch()
        match.sources = ["robots"]
        let share: JSONValue = ["/", ["get", "level"], 100]
        let broker = ScriptedBroker(
            rules: DisplayRuleSet([
                try DisplayRule(name: "main", set: [("iconOpacity", 0.5)]),
                try DisplayRule(
                    name: "level", match: match,
                    set: [("iconOpacity", share), ("accuracyOpacity", share)]),
            ]))
        broker.report(#"{"lat":57,"lon":9,"level":\#(level)}"#)
        let display = broker.state()?["display"]?.object
        #expect(display?.number("iconOpacity") == (failures > 0 ? 0.5 : level / 100))
        #expect(display?.number("accuracyOpacity") == (failures > 0 ? 0.2 : level / 100))
        let stats = broker.stats()
        #expect(stats.number("ruleErrors", "level/iconOpacity") ?? 0 == failures)
        #expect(stats.number("ruleErrors", "level/accuracyOpacity") ?? 0 == failures)
    }

    @Test("An infinite number is a failure everywhere: JSON has none")
    func infinite() throws {
        let broker = ScriptedBroker(
            rules: DisplayRuleSet([
                try DisplayRule(name: "main", set: [("iconRotation", ["/", 1, ["get", "level"]])])
            ]))
        broker.report(#"{"lat":57,"lon":9,"level":0}"#)
        #expect(broker.state()?.number("display", "iconRotation") == 0)
        #expect(broker.stats().number("ruleErrors", "main/iconRotation") == 1)
    }
}
