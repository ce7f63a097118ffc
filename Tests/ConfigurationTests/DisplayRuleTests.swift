import Configuration
import DisplayRules
import Foundation
import JSON
import Locations
import Testing
import Timestamps

/// What the file's rules make of a location.
private func display(_ rules: String, _ change: (inout Location) -> Void = { _ in }) throws -> JSONValue {
    let rules = try configuration(rules).engine.displayRules
    var location = Location(id: "r1", source: "robots", time: Timestamp(milliseconds: 0))
    change(&location)
    var errors: [RuleError] = []
    let display = rules.cascade(for: location).resolve(location, errors: &errors)
    var writer = JSONWriter()
    StyledState(location: location, display: display).write(to: &writer)
    return try JSONParser().parse(writer.bytes).object?["display"] ?? .null
}

@Suite("Display rules in a configuration")
struct DisplayRuleTests {
    @Test(
        "The built-in rules colour by charge",
        arguments: [(nil, nil), (29.9, "#ff0000"), (30, "#ffff00"), (60, "#008000")] as [(Double?, String?)])
    func builtIn(charge: Double?, color: String?) throws {
        let display = try display("") {
            $0.charge = charge
            $0.heading = 12.5
        }
        let expected: [(String, JSONValue)] = [
            ("visible", true), ("icon", "marker"), ("label", "r1"), ("iconRotation", 12.5),
        ]
        for (key, value) in expected { #expect(display.object?[key] == value, "\(display.text)") }
        if let color { #expect(display.object?["iconColor"] == .string(color), "\(display.text)") }
    }

    @Test("Rules reach the cascade with their match, condition and properties")
    func cascade() throws {
        let rules = """
            displayRules:
              - {name: main, set: {icon: marker, iconSize: 2, label: [get, name]}}
              - {match: {source: robots}, set: {icon: robot}}
              - {match: {source: [x, robots], floor: 10}, set: {label: ten}}
              - {match: {location: r1}, when: ["==", [get, status], stale], set: {icon: question, iconSize: ~}}
            """
        let live = try display(rules) { $0.floor = 10 }
        #expect(live.object?["icon"] == "robot")
        #expect(live.object?["iconSize"] == 2)
        #expect(live.object?["label"] == "ten")
        let stale = try display(rules) { $0.status = .stale }
        #expect(stale.object?["icon"] == "question")
        #expect(stale.object?["label"] == "r1")
        let other = try display(rules) { $0.source = "tags" }
        #expect(other.object?["icon"] == "marker")
    }

    @Test("An empty list of rules sets nothing")
    func empty() throws {
        #expect(try display("displayRules: []") == [:])
    }

    @Test(
        "A fault in an expression points to the element at fault",
        arguments: [
            ("displayRules: [{set: {iconSize: [+, 1, [gett, x]]}}]", "1:41", ["displayRules[0].set.iconSize", "gett"]),
            (
                "displayRules:\n  - set:\n      iconColor: [step, [get, charge], red, 60, yellow, 30, green]", "3:57",
                ["iconColor"]
            ),
            ("displayRules: [{set: {iconSize: big}}]", "1:33", ["number"]),
            ("displayRules: [{set: {}, when: [get]}]", "1:32", ["when"]),
            ("displayRules: [{set: {}, when: maybe}]", "1:32", ["when"]),
            ("displayRules: [{set: {}, when: }]", "1:32", ["has no value", "condition"]),
            ("displayRules: [{set: {iconSize: [\"*\", [zoom], 2]}}]", "1:40", ["zoomFrom"]),
            ("displayRules: [{set: {iconColour: red}}]", "1:23", ["iconColour", "did you mean \"iconColor\"?"]),
            ("displayRules: [{set: {}, until: [get, x]}]", "1:33", ["until", "needs a when"]),
            (
                "displayRules: [{set: {}, when: [has, x], until: [haas, x]}]", "1:50",
                ["until", "did you mean \"has\"?"]
            ),
            ("displayRules: [{set: {}, hysteresis: {margin: 5}}]", "1:38", ["hysteresis", "\"get\" is missing"]),
            (
                "displayRules: [{set: {}, hysteresis: {get: charge}}]", "1:38",
                ["hysteresis", "neither margin nor hold"]
            ),
            (
                "displayRules: [{set: {}, hysteresis: {get: charge, margin: 5}}]", "1:38",
                ["no property here is a step over [get, charge]"]
            ),
            (
                "displayRules: [{hysteresis: {get: charge, margin: -5}, set: {iconSize: [step, [get, charge], 1, 2, 3]}}]",
                "1:51", ["above 0"]
            ),
            ("displayRules: [{set: {foo: red}}]", "1:23", ["unknown display property", "x-", "visible"]),
            ("displayRules: [{set: {iconSize: .inf}}]", "1:33", ["finite"]),
            ("displayRules: [{set: {iconSize: [+, 1, 1e999]}}]", "1:40", ["finite"]),
        ])
    func faults(text: String, place: String, words: [String]) {
        expect(text, [(place, ["error", "displayRules[0]"] + words)])
    }

    @Test("All faults of all rules are found")
    func all() {
        expect(
            "displayRules:\n  - set: {iconSize: [nope], label: [nope]}\n  - set: {icn: x}",
            [("2:22", ["iconSize"]), ("2:37", ["label"]), ("3:11", ["\"icon\""])])
    }

    @Test("A condition that is the same for every location is warned about")
    func constant() {
        expect("displayRules: [{when: true, set: {}}]", [("1:23", ["warning", "same for every location"])])
    }

    private static let fallback = "displayRules: [{set: {icon: [coalesce, [image, [get, kind]], [image, marker]]}}]"

    @Test(
        "An image that is none of the icons gives way to the next of coalesce",
        arguments: [
            ("icons: [marker, robot]", "robot", "robot"), ("icons: [marker]", "robot", "marker"),
            ("", "robot", "robot"), ("icons: []", "robot", "robot"), ("icons: [marker, robot]", nil, "marker"),
            ("icons: [mårker, \"ma\u{30A}rker\"]", "robot", "robot"),
        ] as [(String, String?, String)])
    func icons(setting: String, kind: String?, icon: String) throws {
        let display = try display("\(setting)\n\(Self.fallback)") {
            $0.properties["kind"] = kind.map { .string($0) } ?? ""
        }
        #expect(display.object?["icon"] == .string(icon))
    }

    @Test("Icons may be a folder of images")
    func iconFolder() throws {
        var surroundings = surroundings()
        surroundings.list = {
            $0 == "images" ? .success([".", "robot.svg", "user.png", "x.txt"]) : .failure(.init("no"))
        }
        let found = outcome("icons: images\ndisplayRules: [{set: {icon: x, calloutImage: user}}]", surroundings)
        #expect(
            found.diagnostics.map(\.description) == [
                "fleet.yaml:2:29: warning: displayRules[0].set.icon: \"x\" is none of the icons"
            ])
        expect("icons: nowhere", [("1:8", ["error", "\"nowhere\" cannot be read: no"])], surroundings)
    }

    @Test("A folder adds to the icons of the page, where the bridge serves one; a denser copy is no icon of its own")
    func iconFolderBesideThePage() throws {
        var surroundings = surroundings()
        surroundings.list = { path in
            switch path {
            case "/images": .success([".hidden.svg", "lone@2x.png", "robot.svg", "user.png", "user@2x.png", "van.svg"])
            case "other/icons": .success(["cup.svg"])
            default: .failure(.init("no"))
            }
        }
        func isKnown(_ icon: String, _ setting: String = "") -> Bool {
            outcome("icons: /images\n\(setting)\ndisplayRules: [{set: {icon: '\(icon)'}}]", surroundings).diagnostics
                .isEmpty
        }
        #expect(["robot", "user", "van", "lone@2x"].allSatisfy { isKnown($0) })
        #expect(!["user@2x", ".hidden", "agv", "cup"].contains { isKnown($0) })
        #expect(["robot", "van", "agv", "marker"].allSatisfy { isKnown($0, "http: {}") })
        #expect(!isKnown("cup", "http: {}"))
        #expect(["robot", "cup"].allSatisfy { isKnown($0, "http: {webFolder: other}") })
        #expect(!isKnown("agv", "http: {webFolder: other}"))
        #expect(outcome("icons: /images\nhttp: {}", surroundings).configuration?.http?.iconFolder == "/images")
        #expect(try configuration("icons: [robot]\nhttp: {}", surroundings).http?.iconFolder == nil)
    }

    @Test("The page that comes with the bridge has the icons that its folder counts for")
    func pageIcons() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Web/icons").path())
        var surroundings = surroundings()
        surroundings.list = { _ in .success(["own.svg"]) }
        #expect(files.count > 5)
        for file in files {
            let text = "icons: /images\nhttp: {}\ndisplayRules: [{set: {icon: \(file.dropLast(4))}}]"
            #expect(outcome(text, surroundings).diagnostics.isEmpty, "\(file)")
        }
    }

    @Test("A constant that is none of the icons is warned about, with the nearest name")
    func unknownIcon() {
        expect(
            "icons: [marker, robot-vacuum]\ndisplayRules: [{set: {icon: robot-vacum}}]",
            [("2:29", ["warning", "did you mean \"robot-vacuum\"?"])])
        expect(
            "icons: [marker]\ndisplayRules: [{set: {icon: [image, mark]}}]",
            [("2:29", ["warning", "none of the icons"])])
    }

    @Test("Names that begin with x- are anybody's own")
    func ownNames() throws {
        #expect(try display("displayRules: [{set: {x-layer: 7}}]").object?["x-layer"] == 7)
    }

    @Test(
        "A constant that a property cannot have is an error at its place",
        arguments: [
            ("iconOpacity: 7", "1:36", "iconOpacity: 7 is greater than the maximum value 1"),
            ("zoomFrom: 99", "1:33", "99 is greater than the maximum value 24"),
            ("zoomTo: -0.5", "1:31", "-0.5 is less than the minimum value 0"),
            ("iconSize: -1", "1:33", "-1 is less than the minimum value 0"),
            ("polygonStrokeWidth: -1", "1:43", "minimum"), ("accuracyOpacity: 1.01", "1:40", "maximum"),
            (#"iconOpacity: ["+", 1, 1]"#, "1:36", "2 is greater"),
            (#"iconRotation: ["/", 1, 0]"#, "1:37", "Infinity is greater"),
        ])
    func impossibleConstant(set: String, place: String, words: String) {
        expect("displayRules: [{set: {\(set)}}]", [(place, [words])])
    }

    @Test(
        "The ends of a range belong to it",
        arguments: ["iconOpacity: 0", "iconOpacity: 1", "zoomTo: 24", "iconSize: 0", "iconRotation: -720"])
    func possibleConstant(set: String) throws {
        _ = try configuration("displayRules: [{set: {\(set)}}]")
    }
}
