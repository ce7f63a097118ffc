import DisplayRules
import Expressions
import JSON
import Locations
import Testing
import Timestamps

/// Rules that look back: `hysteresis` and `until`.
struct RuleMemoryTests {
    /// One location through time.
    private struct Subject {
        var rules: DisplayRuleSet
        var memory = RuleMemory()
        var location = Location(id: "r1", source: "robots", time: Timestamp(milliseconds: 0))

        init(_ rules: [DisplayRule]) { self.rules = DisplayRuleSet(rules) }

        /// - Returns: The display, and whether advancing said that it may have changed.
        mutating func take(_ charge: Double?, at seconds: Double = 0) -> (display: JSONObject, changed: Bool) {
            location.charge = charge
            var errors: [RuleError] = []
            let cascade = rules.cascade(for: location)
            let changed = cascade.advance(&memory, with: location, at: .seconds(seconds), errors: &errors)
            let display = cascade.resolve(location, memory: memory, errors: &errors)
            let values = display.values.map { ($0.property, $0.value.displayJSON) }
            #expect(Explanation(of: location, by: rules, memory: memory).display == JSONObject(values))
            return (JSONObject(values), changed)
        }

        mutating func colours(_ charges: [Double?]) -> String {
            charges.map { charge in
                switch take(charge).display["iconColor"] {
                case "#ff0000": "r"
                case "#ffff00": "y"
                case "#008000": "g"
                case nil: "-"
                default: "?"
                }
            }.joined()
        }
    }

    private func rule(
        margin: Double? = 5, hold: Duration? = nil, set: [(String, JSONValue)] = [("iconColor", CascadeTests.charge)]
    ) throws -> DisplayRule {
        try DisplayRule(
            name: "main", hysteresis: Hysteresis(property: "charge", margin: margin, hold: hold), set: set)
    }

    @Test(
        "A band is left only beyond the margin",
        arguments: [
            ([31, 29, 30, 26, 25, 24.9, 29, 34.9, 35], "yyyyyrrry"), ([29.9, 30, 34, 35, 30], "rrryy"),
            ([70, 56, 55, 54, 60, 64, 65], "gggyyyg"), ([70, 20, 34, 100], "grrg"), ([nil, 29, nil, 31, 36], "?r?ry"),
        ] as [([Double?], String)])
    func margin(charges: [Double?], colours: String) throws {
        var subject = Subject([try rule()])
        #expect(subject.colours(charges) == colours)
    }

    @Test("A band is left after the hold, counted from leaving it without a break")
    func hold() throws {
        var subject = Subject([try rule(hold: .seconds(10))])
        #expect(subject.take(31, at: 0).display["iconColor"] == "#ffff00")
        #expect(subject.take(29, at: 1) == (JSONObject([("iconColor", "#ffff00")]), false))
        #expect(subject.memory.nextDeadline == .seconds(11))
        #expect(subject.take(30, at: 5).changed == false)
        #expect(subject.memory.nextDeadline == nil)
        #expect(subject.take(28, at: 6).changed == false)
        #expect(subject.take(29, at: 15.999).display["iconColor"] == "#ffff00")
        #expect(subject.take(29, at: 16) == (JSONObject([("iconColor", "#ff0000")]), true))
        #expect(subject.memory.nextDeadline == nil)
    }

    @Test("Without a margin only the hold counts")
    func holdAlone() throws {
        var subject = Subject([try rule(margin: nil, hold: .seconds(10))])
        #expect(subject.take(31, at: 0).display["iconColor"] == "#ffff00")
        #expect(subject.take(1, at: 1).display["iconColor"] == "#ffff00")
        #expect(subject.take(1, at: 11).display["iconColor"] == "#ff0000")
    }

    @Test(
        "Steps are held, whatever way they read their input; everything else sees the real value",
        arguments: [
            ["step", ["get", "charge"], 1, 30, 2], ["step", ["number", ["get", "charge"]], 1, 30, 2],
            ["step", ["to-number", ["get", "charge"]], 1, 30, 2],
            ["let", "c", ["get", "charge"], ["step", ["var", "c"], 1, 30, 2]],
            ["let", "c", ["number", ["get", "charge"]], ["+", 0, ["step", ["var", "c"], 1, 30, 2]]],
        ] as [JSONValue])
    func forms(expression: JSONValue) throws {
        var subject = Subject([
            try rule(set: [("iconSize", expression), ("label", ["to-string", ["get", "charge"]])])
        ])
        #expect(subject.take(31).display == JSONObject([("iconSize", 2), ("label", "31")]))
        #expect(subject.take(28).display == JSONObject([("iconSize", 2), ("label", "28")]))
        #expect(subject.take(24).display == JSONObject([("iconSize", 1), ("label", "24")]))
    }

    @Test("Steps over other inputs and comparisons are not held")
    func others() throws {
        var subject = Subject([
            try rule(set: [
                ("iconColor", CascadeTests.charge), ("iconSize", ["step", ["get", "other"], 1, 30, 2]),
                ("label", ["case", ["<", ["get", "charge"], 30], "low", "high"]),
            ])
        ])
        subject.location.properties["other"] = 31
        _ = subject.take(31)
        subject.location.properties["other"] = 29
        #expect(
            subject.take(29).display == JSONObject([("iconColor", "#ffff00"), ("iconSize", 1), ("label", "low")]))
    }

    private func until() throws -> [DisplayRule] {
        [
            try DisplayRule(name: "main", set: [("iconColor", "green")]),
            try DisplayRule(
                name: "low", when: ["<", ["get", "charge"], 20], until: [">=", ["get", "charge"], 25],
                set: [("iconColor", "red")]),
        ]
    }

    @Test("A rule with until stays on until its own condition holds")
    func untilHolds() throws {
        var subject = Subject(try until())
        #expect(subject.colours([21, 20, 19, 20, 19, 21, 24, 19, 25, 24, 20]) == "ggrrrrrrggg")
    }

    @Test("An error in until keeps the rule on, and is counted")
    func untilFails() throws {
        var subject = Subject(try until())
        #expect(subject.colours([19, nil, 24, 25]) == "rrrg")
        _ = subject.take(19)
        subject.location.charge = nil
        var errors: [RuleError] = []
        _ = subject.rules.cascade(for: subject.location).advance(
            &subject.memory, with: subject.location, at: .zero, errors: &errors)
        #expect(errors.map(\.property) == ["when", "until"])
    }

    @Test("A location that was not seen before is judged by what it is now")
    func fresh() throws {
        var errors: [RuleError] = []
        var location = Location(id: "r1", source: "robots", time: Timestamp(milliseconds: 0))
        location.charge = 22
        let rules = DisplayRuleSet(try until())
        let display = rules.cascade(for: location).resolve(location, errors: &errors)
        #expect(display.values.first?.value.displayJSON == "#008000")
    }

    @Test("What is remembered survives other rules, a new name and a new place, not another content")
    func survival() throws {
        var subject = Subject(try until())
        #expect(subject.colours([19, 22]) == "rr")
        let other = try DisplayRule(
            name: "other", when: ["==", ["get", "status"], "lost"], until: ["==", ["get", "status"], "live"],
            set: [("label", "x")])
        let renamed = try DisplayRule(
            name: "renamed", when: ["<", ["get", "charge"], 20], until: [">=", ["get", "charge"], 25],
            set: [("iconColor", "red")])
        subject.rules = DisplayRuleSet([other, try until()[0], renamed])
        #expect(subject.colours([22]) == "r")
        let changed = try DisplayRule(
            name: "renamed", when: ["<", ["get", "charge"], 20], until: [">=", ["get", "charge"], 26],
            set: [("iconColor", "red")])
        subject.rules = DisplayRuleSet([try until()[0], changed])
        #expect(subject.colours([22]) == "g")
    }

    @Test("The explanation tells what is held and what is kept on")
    func explanation() throws {
        var subject = Subject([try rule()] + [try until()[1]])
        _ = subject.take(31)
        _ = subject.take(28)
        let held = Explanation(of: subject.location, by: subject.rules, memory: subject.memory)
        let candidate = held.properties[0].candidates[1]
        #expect(candidate.inputs.map(\.name) == ["charge"])
        #expect(candidate.inputs.map(\.value) == [.number(28)])
        #expect(candidate.held?.value == .number(30))
        _ = subject.take(19)
        _ = subject.take(22)
        let kept = Explanation(of: subject.location, by: subject.rules, memory: subject.memory)
        #expect(kept.rules[0].isKeptOn)
        #expect(kept.display["iconColor"] == "#ff0000")
    }

    @Test("until without when, and hysteresis without a step over its input, are faults")
    func faults() {
        let first = #expect(throws: RuleFaults.self) { try DisplayRule(name: "r", until: ["get", "x"], set: []) }
        #expect(first?.faults.map(\.place) == [.until])
        let second = #expect(throws: RuleFaults.self) {
            try DisplayRule(
                name: "r", hysteresis: Hysteresis(property: "speed", margin: 1, hold: nil),
                set: [("iconColor", CascadeTests.charge)])
        }
        #expect(second?.faults.map(\.place) == [.hysteresis])
    }
}
