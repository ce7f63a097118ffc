import DisplayRules
import Geometry
import JSON
import Locations
import Testing
import Timestamps

/// Only what reads something that has changed is evaluated again.
struct LocationStyleTests {
    private static let charge = CascadeTests.charge

    /// One location through time.
    struct Subject {
        let rules: RuleBook
        var location = LocationStyleTests.location
        var memory = RuleMemory()
        var style: LocationStyle
        private(set) var errors: [RuleError] = []

        init(_ rules: [DisplayRule]) {
            self.rules = RuleBook(rules)
            let cascade = self.rules.cascade(for: location)
            _ = cascade.advance(&memory, with: location, at: .zero, errors: &errors)
            style = LocationStyle(of: location, by: cascade, memory: memory, errors: &errors)
        }

        /// - Returns: How many expressions were evaluated.
        mutating func update(at seconds: Double = 0) -> Int {
            let cascade = style.cascade(for: location) ?? rules.cascade(for: location)
            errors.removeAll()
            _ = cascade.advance(&memory, with: location, at: .seconds(seconds), errors: &errors)
            errors.removeAll()
            return style.update(location, by: cascade, memory: memory, errors: &errors)
        }

        var display: JSONObject { JSONObject(style.display.values.map { ($0.property, $0.value.displayJSON) }) }
    }

    static let location: Location = {
        var location = Location(id: "r1", source: "robots", time: Timestamp(milliseconds: 0))
        location.type = "robot-vacuum"
        location.name = "Robot 1"
        location.building = "B"
        location.floor = 10
        location.position = Position(latitude: 57, longitude: 9)
        location.heading = 90
        location.speed = 1
        location.accuracy = 0.5
        location.altitude = 12
        location.charge = 72
        location.properties = ["state": "cleaning", "mood": "good"]
        return location
    }()

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (inout Location) -> Void

        init(_ name: String, _ make: @escaping @Sendable (inout Location) -> Void) {
            (testDescription, self.make) = (name, make)
        }
    }

    /// Of each input one change.
    static let changes: [Change] = [
        Change("type") { $0.type = "mop" }, Change("name") { $0.name = "Robot 2" },
        Change("building") { $0.building = nil }, Change("floor") { $0.floor = 0 },
        Change("lat") { $0.position = Position(latitude: 57.5, longitude: 9) },
        Change("lon") { $0.position = Position(latitude: 57, longitude: 9.5) }, Change("heading") { $0.heading = nil },
        Change("speed") { $0.speed = 1.5 }, Change("accuracy") { $0.accuracy = 0 },
        Change("altitude") { $0.altitude = nil },
        Change("charge") { $0.charge = 71 }, Change("time") { $0.time = Timestamp(milliseconds: 1) },
        Change("status") { $0.status = .stale }, Change("state") { $0.properties["state"] = "docked" },
        Change("mood") { $0.properties["mood"] = nil },
    ]

    @Test("An expression is evaluated again when its own input changes and no other does", arguments: changes)
    func perInput(change: Change) throws {
        let rule = try DisplayRule(
            name: "main", set: Self.changes.map { ("x-\($0.testDescription)", ["get", .string($0.testDescription)]) })
        var subject = Subject([rule])
        #expect(subject.update() == 0)
        change.make(&subject.location)
        #expect(subject.update() == 1)
        #expect(subject.update() == 0)
        var errors: [RuleError] = []
        let full = subject.rules.cascade(for: subject.location).resolve(subject.location, errors: &errors)
        #expect(subject.display == JSONObject(full.values.map { ($0.property, $0.value.displayJSON) }))
    }

    @Test(
        "What reads more than one input is evaluated again for each of them",
        arguments: [
            (["within", square], ["lat", "lon"]), (["distance", square], ["lat", "lon"]),
            (["geometry-type"], ["lat", "lon"]), (["has", "heading"], ["heading"]),
            (["get", ["concat", "sp", "eed"]], ["speed"]), (["id"], []), (["get", "id"], []), (["get", "source"], []),
            (["get", ["get", "mood"]], changes.map(\.testDescription)),
            (["properties"], changes.map(\.testDescription)),
            (
                ["case", ["==", ["get", "state"], "idle"], ["get", "speed"], ["get", "mood"]],
                ["speed", "state", "mood"]
            ),
        ] as [(JSONValue, [String])])
    func several(expression: JSONValue, inputs: [String]) throws {
        for change in Self.changes {
            var subject = Subject([try DisplayRule(name: "main", set: [("x-value", expression)])])
            change.make(&subject.location)
            #expect(
                subject.update() == (inputs.contains(change.testDescription) ? 1 : 0), "\(change.testDescription)")
        }
    }

    private static let square: JSONValue = [
        "type": "Polygon", "coordinates": [[[8, 56], [10, 56], [10, 58], [8, 58], [8, 56]]],
    ]

    @Test("Constants are not evaluated for a location at all")
    func constants() throws {
        let rule = try DisplayRule(
            name: "main",
            set: [
                ("visible", true), ("icon", ["coalesce", ["image", "robot"], ["image", "marker"]]),
                ("zoomFrom", ["+", 1, 2]), ("label", ["to-string", ["literal", [1, 2]]]),
            ])
        var subject = Subject([rule])
        for change in Self.changes { change.make(&subject.location) }
        #expect(subject.update() == 0)
        #expect(subject.display == ["visible": true, "icon": "robot", "zoomFrom": 3, "label": "[1,2]"])
    }

    @Test("A condition and a value behind it are evaluated each for its own input")
    func conditions() throws {
        var subject = Subject([
            try DisplayRule(name: "main", set: [("iconColor", Self.charge), ("iconSize", ["get", "speed"])]),
            try DisplayRule(
                name: "away", when: ["!=", ["get", "status"], "live"],
                set: [("iconColor", "grey"), ("iconSize", ["get", "accuracy"])]),
        ])
        subject.location.charge = 50
        #expect(subject.update() == 1)
        // Not looked at while the rule does not apply.
        subject.location.accuracy = 4
        #expect(subject.update() == 0)
        // The condition, and both values of its rule.
        subject.location.status = .stale
        #expect(subject.update() == 3)
        #expect(subject.display == ["iconColor": "#808080", "iconSize": 4])
        // What a stronger rule covers is not looked at either.
        (subject.location.charge, subject.location.speed) = (10, 7)
        #expect(subject.update() == 0)
        // The condition holds as before.
        subject.location.status = .lost
        #expect(subject.update() == 1)
        subject.location.status = .live
        #expect(subject.update() == 3)
        #expect(subject.display == ["iconColor": "#ff0000", "iconSize": 7])
    }

    @Test("A failed expression keeps its outcome, and is counted when it is evaluated")
    func failures() throws {
        let rule = try DisplayRule(name: "main", set: [("iconColor", Self.charge), ("iconSize", ["get", "speed"])])
        var subject = Subject([rule])
        subject.location.charge = nil
        #expect(subject.update() == 1)
        #expect(subject.errors.map(\.property) == ["iconColor"])
        #expect(subject.display["iconColor"] == "#3388ff")
        subject.location.speed = 3
        #expect(subject.update() == 1)
        #expect(subject.errors.isEmpty)
        #expect(subject.display == ["iconColor": "#3388ff", "iconSize": 3])
        subject.location.charge = 20
        #expect(subject.update() == 1)
        #expect(subject.display["iconColor"] == "#ff0000")
    }

    @Test("A failed condition keeps its outcome, too")
    func failedCondition() throws {
        let rule = try DisplayRule(
            name: "low", when: ["<", ["get", "charge"], 20], set: [("iconSize", ["get", "speed"])])
        var subject = Subject([rule])
        subject.location.charge = nil
        #expect(subject.update() == 1)
        #expect(subject.errors.map(\.property) == ["when"])
        subject.location.speed = 3
        #expect(subject.update() == 0)
        #expect(subject.errors.isEmpty)
    }

    @Test("What a rule gives nothing for is inherited, each evaluated for its own input")
    func inheritance() throws {
        var subject = Subject([
            try DisplayRule(name: "main", set: [("label", ["get", "name"])]),
            try DisplayRule(name: "mood", set: [("label", ["string", ["get", "nick"]])]),
        ])
        #expect(subject.display["label"] == "Robot 1")
        subject.location.name = "Robot 2"
        #expect(subject.update() == 1)
        #expect(subject.display["label"] == "Robot 2")
        subject.location.properties["nick"] = "Robbie"
        #expect(subject.update() == 1)
        subject.location.name = "Robot 3"
        #expect(subject.update() == 0)
        #expect(subject.display["label"] == "Robbie")
        subject.location.properties["nick"] = nil
        #expect(subject.update() == 2)
        #expect(subject.display["label"] == "Robot 3")
    }

    @Test("A held band keeps its steps from being evaluated, not what reads the real value")
    func hysteresis() throws {
        let rule = try DisplayRule(
            name: "main", hysteresis: Hysteresis(property: "charge", margin: 5, hold: .seconds(10)),
            set: [("iconColor", Self.charge), ("label", ["to-string", ["get", "charge"]])])
        var subject = Subject([rule])
        subject.location.charge = 59
        #expect(subject.update() == 2)  // held at 60
        subject.location.charge = 58
        #expect(subject.update() == 1)
        #expect(subject.display == ["iconColor": "#008000", "label": "58"])
        #expect(subject.update(at: 10) == 1)
        #expect(subject.display == ["iconColor": "#ffff00", "label": "58"])
        subject.location.charge = nil
        #expect(subject.update(at: 11) == 2)
        subject.location.speed = 9
        #expect(subject.update(at: 12) == 0)
    }

    @Test("A rule with until is switched by what is remembered, also of another rule alone")
    func until() throws {
        func rule(_ name: String, _ input: String, _ property: String) throws -> DisplayRule {
            try DisplayRule(
                name: name, when: ["<", ["get", .string(input)], 20], until: [">=", ["get", .string(input)], 25],
                set: [(property, ["get", "speed"])])
        }
        var subject = Subject([try rule("a", "charge", "iconSize"), try rule("b", "altitude", "iconRotation")])
        #expect(subject.display == ["iconRotation": 1])
        subject.location.charge = 19
        #expect(subject.update() == 1)
        subject.location.charge = 24
        #expect(subject.update() == 0)
        #expect(subject.display == ["iconSize": 1, "iconRotation": 1])
        subject.location.charge = 25
        #expect(subject.update() == 0)
        #expect(subject.display == ["iconRotation": 1])
    }

    @Test("Other rules are evaluated anew, whatever has changed; the same ones go on")
    func otherRules() throws {
        var subject = Subject([try DisplayRule(name: "main", set: [("iconColor", Self.charge)])])
        let same = subject.rules.cascade(for: subject.location)
        var errors: [RuleError] = []
        #expect(subject.style.update(subject.location, by: same, errors: &errors) == 0)
        let other = DisplayRuleSet([
            try DisplayRule(name: "main", set: [("iconColor", ["get", "paint"]), ("label", ["get", "name"])])
        ]).cascade(for: subject.location)
        subject.location.properties["paint"] = "red"
        #expect(subject.style.update(subject.location, by: other, errors: &errors) == 2)
        #expect(subject.display == ["iconColor": "#ff0000", "label": "Robot 1"])
        // What these rules read is known from now on, though the ones before did not read it.
        subject.location.properties["paint"] = "blue"
        #expect(subject.style.update(subject.location, by: other, errors: &errors) == 1)
        #expect(subject.display["iconColor"] == "#0000ff")
    }

    @Test("More inputs than a word has bits are noticed, too")
    func manyInputs() throws {
        let names = (0..<100).map { "p\($0)" }
        let rules = try names.map { name in
            try DisplayRule(
                name: name, when: ["<", ["get", .string(name)], 1], until: [">", ["get", .string(name)], 2],
                set: [("x-\(name)", ["get", .string(name)])])
        }
        var subject = Subject(rules)
        for name in names { subject.location.properties[name] = 0 }
        #expect(subject.update() == 100)
        for name in names {
            subject.location.properties[name] = 1.5
            #expect(subject.update() >= 1)
            #expect(subject.display["x-\(name)"] == 1.5)
            subject.location.properties[name] = 3
            _ = subject.update()
            #expect(subject.display["x-\(name)"] == nil)
        }
    }
}
