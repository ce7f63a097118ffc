import DisplayRules
import Geometry
import JSON
import Locations
import Testing
import Timestamps

struct CascadeTests {
    static let charge: JSONValue = ["step", ["get", "charge"], "red", 30, "yellow", 60, "green"]

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

    private func display(_ rules: [DisplayRule], _ location: Location) -> (json: JSONObject, errors: [RuleError]) {
        var errors: [RuleError] = []
        let display = DisplayRuleSet(rules).cascade(for: location).resolve(location, errors: &errors)
        var writer = JSONWriter()
        StyledState(location: location, display: display).write(to: &writer)
        let state = try? JSONParser().parse(writer.bytes).object
        return (state?["display"]?.object ?? JSONObject(), errors)
    }

    @Test(
        "Colour follows charge",
        arguments: [
            (0, "#ff0000"), (29.9, "#ff0000"), (30, "#ffff00"), (59, "#ffff00"), (60, "#008000"), (100, "#008000"),
        ] as [(Double, String)])
    func colour(charge: Double, colour: String) throws {
        let rule = try DisplayRule(name: "main", set: [("iconColor", Self.charge)])
        #expect(display([rule], location { $0.charge = charge }).json["iconColor"] == .string(colour))
    }

    @Test("Levels overrule each other whatever the order, within a level the later rule does")
    func levels() throws {
        let rules = [
            try DisplayRule(name: "one", match: match { $0.locations = ["vacuum3"] }, set: [("icon", "location")]),
            try DisplayRule(
                name: "type", match: match { $0.types = ["robot-vacuum"] }, set: [("icon", "type"), ("label", "type")]),
            try DisplayRule(
                name: "source", match: match { $0.sources = ["vacuums"] },
                set: [("icon", "source"), ("label", "source"), ("zoomFrom", 3)]),
            try DisplayRule(
                name: "main", set: [("icon", "main"), ("label", "main"), ("zoomFrom", 1), ("visible", true)]),
            try DisplayRule(name: "main 2", set: [("zoomTo", 5)]),
            try DisplayRule(name: "main 3", set: [("zoomTo", 6)]),
        ]
        #expect(
            display(rules, location()).json
                == JSONObject([
                    ("visible", true), ("icon", "location"), ("label", "type"), ("zoomFrom", 3), ("zoomTo", 6),
                ]))
        let other = location {
            $0.id = "x"
            $0.source = "tags"
            $0.type = nil
        }
        #expect(
            display(rules, other).json
                == JSONObject([("visible", true), ("icon", "main"), ("label", "main"), ("zoomFrom", 1), ("zoomTo", 6)]))
    }

    @Test("building and floor narrow a rule without raising its level")
    func narrowing() throws {
        let rules = [
            try DisplayRule(name: "source", match: match { $0.sources = ["vacuums"] }, set: [("icon", "source")]),
            try DisplayRule(
                name: "floor",
                match: match {
                    $0.floors = [10]
                    $0.buildings = ["B"]
                }, set: [("icon", "floor"), ("label", "floor")]),
        ]
        #expect(
            display(
                rules,
                location {
                    $0.floor = 10
                    $0.building = "B"
                }
            ).json == JSONObject([("icon", "source"), ("label", "floor")]))
        #expect(display(rules, location { $0.floor = 10 }).json == JSONObject([("icon", "source")]))
    }

    @Test("null resets to inherited, and a result of null is inherited too")
    func null() throws {
        let rules = [
            try DisplayRule(name: "main", set: [("label", "main"), ("zoomFrom", 15)]),
            try DisplayRule(
                name: "later",
                set: [("label", nil), ("zoomFrom", ["get", "missing"]), ("iconRotation", ["get", "missing"])]),
        ]
        let (json, errors) = display(rules, location())
        #expect(json["label"] == "main")
        #expect(json["iconRotation"] == nil)
        #expect(json["zoomFrom"] == 15)
        #expect(errors.isEmpty)
    }

    @Test("An error is counted and gives the inherited value, else the property's default")
    func errors() throws {
        let rules = [
            try DisplayRule(name: "main", set: [("iconColor", "grey")]),
            try DisplayRule(
                name: "by charge", set: [("iconColor", Self.charge), ("iconOpacity", ["number", ["get", "name"]])]),
        ]
        let (json, errors) = display(rules, location { $0.charge = nil })
        #expect(json["iconColor"] == "#808080")
        #expect(json["iconOpacity"] == 1)
        #expect(errors.map(\.property) == ["iconColor", "iconOpacity"])
        #expect(errors.allSatisfy { $0.rule == "by charge" })
    }

    @Test("A rule applies when its condition holds; an error in it means no")
    func conditions() throws {
        let rules = [
            try DisplayRule(name: "main", set: [("iconColor", "green")]),
            try DisplayRule(name: "away", when: ["!=", ["get", "status"], "live"], set: [("iconColor", "grey")]),
            try DisplayRule(name: "broken", when: ["<", ["get", "nothing"], 3], set: [("iconColor", "red")]),
        ]
        #expect(display(rules, location()).json["iconColor"] == "#008000")
        #expect(display(rules, location { $0.status = .stale }).json["iconColor"] == "#808080")
        #expect(display(rules, location()).errors.map(\.property) == ["when"])
    }

    @Test(
        "Fields come before properties, and all of them can be read",
        arguments: [
            ("id", "vacuum3"), ("source", "vacuums"), ("type", "robot-vacuum"), ("name", "vacuum3"), ("status", "live"),
            ("lat", 57), ("lon", 9),
            ("floor", 10), ("charge", 72), ("mood", "good"), ("time", "1970-01-01T00:00:00.000Z"),
        ] as [(String, JSONValue)])
    func fields(name: String, value: JSONValue) throws {
        let rule = try DisplayRule(name: "main", set: [("x-value", ["get", .string(name)])])
        let location = location {
            $0.position = Position(latitude: 57, longitude: 9)
            $0.floor = 10
            $0.properties = JSONObject([("mood", "good"), ("charge", 1)])
        }
        #expect(display([rule], location).json["x-value"] == value)
    }

    @Test("Unknown properties, bad expressions and zoom are faults with their place")
    func faults() {
        let error = #expect(throws: RuleFaults.self) {
            try DisplayRule(
                name: "r", when: ["==", ["get", "a"]],
                set: [("iconColour", "red"), ("zoomFrom", ["zoom"]), ("label", ["case", ["nope"], "a", "b"])])
        }
        #expect(error?.faults.map(\.place) == [.when, .name("iconColour"), .value("zoomFrom"), .value("label")])
        #expect(error?.faults[2].message.contains("zoomFrom and zoomTo") == true)
        #expect(error?.faults[3].path == [1, 0])
    }

    @Test("A condition of two constants is noticed")
    func constant() throws {
        #expect(try DisplayRule(name: "r", when: ["==", "status", "idle"], set: []).hasConstantCondition)
        #expect(try !DisplayRule(name: "r", when: ["==", ["get", "status"], "idle"], set: []).hasConstantCondition)
    }

    @Test("An icon may fall back, colours are hexadecimal with alpha only where needed")
    func values() throws {
        let rule = try DisplayRule(
            name: "r",
            set: [
                ("icon", ["coalesce", ["image", "robot-vacuum"], ["image", "marker"]]),
                ("labelColor", "rgba(255,0,0,0.5)"),
                ("iconColor", "rgb(0,128,0)"),
            ])
        #expect(
            display([rule], location()).json
                == JSONObject([("icon", "robot-vacuum"), ("iconColor", "#008000"), ("labelColor", "#ff000080")]))
    }
}
