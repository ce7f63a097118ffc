import DisplayRules
import Expressions
import JSON
import Locations
import Testing
import Timestamps

struct ExplanationTests {
    private func location(_ adjust: (inout Location) -> Void = { _ in }) -> Location {
        var location = Location(id: "vacuum3", source: "vacuums", time: Timestamp(milliseconds: 0))
        location.type = "robot-vacuum"
        location.charge = 72
        adjust(&location)
        return location
    }

    private func match(_ adjust: (inout RuleMatch) -> Void) -> RuleMatch {
        var match = RuleMatch()
        adjust(&match)
        return match
    }

    private func texts(_ inputs: [Explanation.Input]) -> JSONObject {
        JSONObject(inputs.map { ($0.name, $0.value?.displayJSON ?? .null) })
    }

    private func rules() throws -> DisplayRuleSet {
        DisplayRuleSet([
            try DisplayRule(
                name: "main", set: [("icon", "marker"), ("iconColor", "grey"), ("label", ["get", "name"])]),
            try DisplayRule(
                name: "robots", match: match { $0.sources = ["vacuums"] },
                set: [("iconColor", CascadeTests.charge), ("label", nil), ("iconRotation", ["get", "heading"])]),
            try DisplayRule(name: "people", match: match { $0.types = ["People"] }, set: [("zoomFrom", 17)]),
            try DisplayRule(
                name: "away", when: ["!=", ["get", "status"], "live"], set: [("iconColor", "black")]),
            try DisplayRule(name: "broken", when: ["<", ["get", "nothing"], 3], set: [("icon", "bolt")]),
        ])
    }

    @Test("A value has its rule, its inputs, and what it overruled")
    func used() throws {
        let explanation = Explanation(of: location(), by: try rules())
        let color = try #require(explanation.properties.first { $0.name == "iconColor" })
        #expect(color.value?.displayJSON == "#008000")
        #expect(color.origin == .rule(explanation.rules.firstIndex { $0.name == "robots" } ?? -1))
        #expect(color.candidates.map { explanation.rules[$0.rule].name } == ["robots", "away", "main"])
        #expect(texts(color.candidates[0].inputs) == JSONObject([("charge", 72)]))
        guard case .overruled(let value) = color.candidates[2].outcome else {
            Issue.record("\(color.candidates[2])")
            return
        }
        #expect(value?.displayJSON == "#808080")
        #expect(color.candidates[1].outcome == .notApplied)
    }

    @Test("A rule that does not apply says why")
    func verdicts() throws {
        let explanation = Explanation(of: location(), by: try rules())
        func rule(_ name: String) throws -> Explanation.Rule {
            try #require(explanation.rules.first { $0.name == name })
        }
        guard case .noMatch(let mismatches) = try rule("people").verdict else {
            Issue.record("people applies")
            return
        }
        #expect(mismatches.map(\.key) == ["type"])
        #expect(mismatches.first?.expected == ["People"])
        #expect(mismatches.first?.found == "robot-vacuum")
        guard case .conditionIsFalse = try rule("away").verdict else {
            Issue.record("away applies")
            return
        }
        #expect(texts(try rule("away").inputs) == JSONObject([("status", "live")]))
        guard case .conditionFailed(let failure) = try rule("broken").verdict else {
            Issue.record("broken does not fail")
            return
        }
        #expect(failure.message.contains("Expected"))
        #expect(texts(try rule("broken").inputs) == JSONObject([("nothing", nil)]))
    }

    @Test("An expression that fails says so, and the inherited value is used")
    func inherited() throws {
        let explanation = Explanation(of: location { $0.charge = nil }, by: try rules())
        let color = try #require(explanation.properties.first { $0.name == "iconColor" })
        #expect(color.value?.displayJSON == "#808080")
        guard case .failed = color.candidates[0].outcome else {
            Issue.record("\(color.candidates[0])")
            return
        }
        let label = try #require(explanation.properties.first { $0.name == "label" })
        #expect(label.candidates.map(\.outcome) == [.inherited, .used(.string("vacuum3"))])
        let rotation = try #require(explanation.properties.first { $0.name == "iconRotation" })
        #expect(rotation.origin == .none)
        #expect(rotation.candidates.map(\.outcome) == [.nothing])
    }

    @Test("Without anything inherited the default is named as such")
    func defaults() throws {
        let rules = DisplayRuleSet([try DisplayRule(name: "main", set: [("iconColor", CascadeTests.charge)])])
        let explanation = Explanation(of: location { $0.charge = nil }, by: rules)
        #expect(explanation.properties[0].origin == .defaultValue)
        #expect(explanation.display["iconColor"] == "#3388ff")
        #expect(explanation.lines[0] == "iconColor = \"#3388ff\", the property's default")
    }

    @Test("Places lead to the file, failures to the very element")
    func places() throws {
        var places = RulePlaces(rule: FilePlace(file: "f.yaml", line: 2, column: 5))
        places.values = [
            ExpressionPlaces(
                line: 3, column: 12,
                elements: [
                    ExpressionPlaces(line: 3, column: 13), ExpressionPlaces(line: 4, column: 1),
                ])
        ]
        let rule = try DisplayRule(
            name: "main", set: [("iconOpacity", ["abs", ["number", ["get", "name"]]])], places: places)
        let explanation = Explanation(of: location(), by: DisplayRuleSet([rule]))
        let candidate = explanation.properties[0].candidates[0]
        #expect(candidate.place?.description == "f.yaml:3:12")
        guard case .failed(let failure) = candidate.outcome else {
            Issue.record("\(candidate)")
            return
        }
        #expect(failure.place == FilePlace(file: "f.yaml", line: 4, column: 1))
        #expect(explanation.rules[0].place?.description == "f.yaml:2:5")
    }

    @Test("For programs: the shape of the JSON")
    func json() throws {
        let json = Explanation(of: location(), by: try rules()).only("iconColor").json
        #expect(
            json.object?["properties"] == [
                [
                    "property": "iconColor", "value": "#008000", "rule": "robots", "level": "source",
                    "inputs": ["charge": 72],
                    "candidates": [
                        [
                            "rule": "robots", "level": "source", "outcome": "used", "value": "#008000",
                            "inputs": ["charge": 72],
                        ],
                        ["rule": "away", "level": "main", "outcome": "not-applied"],
                        ["rule": "main", "level": "main", "outcome": "overruled", "value": "#808080"],
                    ],
                ]
            ])
        #expect(
            json.object?["rules"]?.array?.first { $0.object?["rule"] == "people" } == [
                "rule": "people", "level": "type", "applies": false, "reason": "no-match",
                "mismatches": [["key": "type", "expected": ["People"], "found": "robot-vacuum"]],
            ])
    }

    @Test("Explaining and drawing agree, whatever the rules", arguments: 1...50)
    func agreement(seed: UInt64) throws {
        var random = Random(state: seed)
        let values: [JSONValue] = [
            nil, "grey", ["get", "missing"], CascadeTests.charge, ["get", "type"], ["to-color", ["get", "name"]],
            ["case", ["get", "flag"], "red", "blue"], ["string", ["get", "name"]],
        ]
        let conditions: [JSONValue?] = [
            nil, nil, ["!=", ["get", "status"], "live"], ["<", ["get", "charge"], 50], ["get", "flag"],
        ]
        let rules = try (0..<6).map { index in
            try DisplayRule(
                name: "\(index)",
                match: match {
                    switch random.next(4) {
                    case 0: $0.sources = ["vacuums"]
                    case 1: $0.types = ["x", "robot-vacuum"]
                    case 2: $0.floors = [10]
                    default: break
                    }
                }, when: conditions[random.next(conditions.count)],
                set: ["iconColor", "label", "icon"].map { ($0, values[random.next(values.count)]) }
                    .filter { (key, value) in (try? DisplayRule(name: "", set: [(key, value)])) != nil })
        }
        for _ in 0..<20 {
            let location = location {
                $0.charge = random.next(3) == 0 ? nil : Double(random.next(100))
                $0.floor = random.next(2) * 10
                $0.status = LocationStatus.allCases[random.next(4)]
                if random.next(2) == 0 { $0.properties["flag"] = random.next(2) == 0 ? true : 3 }
                $0.name = random.next(2) == 0 ? "blue" : nil
            }
            var errors: [RuleError] = []
            let set = DisplayRuleSet(rules)
            let display = set.cascade(for: location).resolve(location, errors: &errors)
            var writer = JSONWriter()
            StyledState(location: location, display: display).write(to: &writer)
            let drawn = try JSONParser().parse(writer.bytes).object?["display"]
            #expect(drawn == .object(Explanation(of: location, by: set).display))
        }
    }
}

/// A few numbers from a seed.
struct Random {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
