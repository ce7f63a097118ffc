import Configuration
import Testing

/// A source whose mapping is one line, at 5:14.
private func source(_ mapping: String, topics: String = "[\"a/{device}/{part}\"]") -> String {
    "sources:\n  a:\n    format: mapping\n    topics: \(topics)\n    mapping: \(mapping)"
}

@Suite("Faults in a mapping")
struct MappingFaultTests {
    @Test("The shortest mapping has none")
    func fine() throws {
        let format = try configuration(source("{state: /s}")).engine.sources[0].format
        #expect(format.name == "mapping")
        #expect(format.mapping?.messages.count == 1)
    }

    @Test(
        "What is no source of a value is told with what was meant",
        arguments: [
            ("{charge: battery}", "5:23", "charge: \"battery\" is neither a JSON Pointer such as /battery nor"),
            ("{charge: 5}", "5:23", "\"5\" is not a JSON Pointer"), ("{charge: ~}", "5:23", "has no value"),
            ("{charge: {device}}", "5:23", "braces need quotes here: \"{device}\""),
            ("{name: \"{devise}\"}", "5:21", "no topic names a level {devise}; did you mean \"device\"?"),
            ("{name: \"{part}-{prat}\"}", "5:21", "did you mean \"part\"?"),
            ("{name: \"{part\"}", "5:21", "{ is not closed"),
            ("{name: \"{a b}\"}", "5:21", "neither the name of a level"),
            ("{name: /a~b}", "5:21", "~0"), ("{name: \"#/a~\"}", "5:21", "~0"),
            ("{name: \"#a\"}", "5:21", "neither a JSON Pointer"),
            ("{connection: up}", "5:27", "one of offline, online"),
            ("{time: never, state: /s}", "5:21", "arrival"), ("{charge: []}", "5:23", "the list is empty"),
            ("{charge: [/a, b]}", "5:28", "neither a JSON Pointer such as /b"),
            ("{charge: {from: [/a, b]}}", "5:35", "charge.from[1]"),
        ])
    func sources(mapping: String, place: String, message: String) {
        expect(source(mapping), [(place, ["error: sources.a.mapping.", message])])
    }

    @Test(
        "A table gives what its field can be",
        arguments: [
            ("{charging: {from: /c, table: {0: no, 1: true}}}", "5:25", "\"no\" is never used; expected true or false"),
            ("{charging: {from: /c, table: {1: true}, else: 0}}", "5:25", "0 is never used"),
            ("{connection: {from: /on, table: {1: on}}}", "5:27", "\"on\" is never used; expected online or offline"),
        ])
    func tables(mapping: String, place: String, message: String) {
        expect(source(mapping), [(place, ["error: sources.a.mapping.", message])])
    }

    @Test(
        "What a value says more is checked",
        arguments: [
            ("{charge: {form: /a}}", ["5:23", "5:24"], "did you mean \"from\"?"),
            ("{charge: {unit: percent}}", ["5:23"], "\"from\" is missing"),
            ("{charge: {from: /a, unit: volts}}", ["5:40"], "is no charge; expected one of percent, fraction"),
            ("{charge: {from: /a, unit: per cent}}", ["5:40"], "did you mean \"percent\"?"),
            ("{charge: {from: /a, table: {x: 1}}}", ["5:34"], "unknown setting \"table\""),
            ("{speed: {from: /a, unit: kmh}}", ["5:39"], "did you mean \"km/h\"?"),
            ("{speed: {from: /a, scale: x}}", ["5:40"], "a number other than 0"),
            ("{speed: {from: /a, scale: 0}}", ["5:40"], "a number other than 0"),
            ("{altitude: {from: /a, bits: 1}}", ["5:42"], "2 to 53"),
            ("{heading: {from: /a, zero: up}}", ["5:41"], "north, east"),
            ("{heading: {from: /a, turns: counterclockwise}}", ["5:42"], "clockwise, anticlockwise"),
            ("{time: {from: /a, unit: ms}, state: /s}", ["5:38"], "milliseconds"),
            ("{state: {from: /a, part: 1}}", ["5:33"], "\"part\" says nothing without \"split\""),
            ("{state: {from: /a, split: x}}", ["5:33"], "\"split\" says nothing without \"part\""),
            ("{state: {from: /a, else: x}}", ["5:33"], "\"else\" says nothing without \"table\""),
            ("{state: {from: /a, table: {}}}", ["5:40"], "such as {MOWING: mowing}"),
            ("{state: {from: /a, table: {x: [1]}}}", ["5:44"], "a single value"),
            ("{state: {from: /a, value: x}}", ["5:33"], "either it or \"from\""),
            ("{state: {from: /a, leadingZeros: yes}}", ["5:47"], "keep, drop"),
            ("{state: {from: /a, validity: {pointer: /v}}}", ["5:43"], "either good or bad"),
            ("{state: {from: /a, validity: {good: 1}}}", ["5:43"], "\"pointer\" is missing"),
            ("{state: {from: /a, validity: {pointer: v, good: 1}}}", ["5:53"], "did you mean \"/v\"?"),
            ("{state: {from: /a, unknown: {a: b}}}", ["5:42"], "a single value"),
        ])
    func values(mapping: String, places: [String], message: String) {
        let found = outcome(source(mapping)).diagnostics.map(\.description)
        #expect(found.count == places.count, "\(found)")
        for (line, place) in zip(found, places) { #expect(line.hasPrefix("fleet.yaml:\(place): error: "), "\(line)") }
        #expect(found.contains { $0.contains(message) }, "\(found)")
    }

    @Test(
        "A position has both coordinates, of one kind",
        arguments: [
            ("{position: /p}", "5:25", "such as {lat: /lat, lon: /lon}"),
            ("{position: {lat: /a}}", "5:25", "paired: true"),
            ("{position: {}}", "5:25", "no coordinate"),
            ("{position: {lat: /a, y: /b}}", "5:25", "either lat and lon or x and y"),
            ("{position: {lat: /a, lon: /b, map: /m}}", "5:44", "degrees need no map"),
            ("{position: {lat: /a, lon: /b, unit: mm}}", "5:50", "1e-7 degrees"),
            ("{position: {x: /a, y: /b, unit: degrees}}", "5:46", "m, cm, mm, ft"),
            ("{position: {x: /a, y: /b, unit: meter}}", "5:46", "one of degrees"),
            ("{position: {x: {from: /a, unit: degrees}, y: /b}}", "5:46", "m, cm, mm, ft"),
            ("{position: {x: /a, z: /b, y: /c}}", "5:33", "unknown setting \"z\""),
        ])
    func position(mapping: String, place: String, message: String) {
        expect(source(mapping), [(place, ["error: sources.a.mapping.position", message])])
    }

    @Test(
        "Kinds of messages are checked as a whole",
        arguments: [
            ("{}", "5:14", "says nothing of a device"), ("[]", "5:14", "a mapping such as"),
            ("{time: /t}", "5:14", "says nothing"),
            ("{messages: []}", "5:25", "the list is empty"),
            ("{messages: [{topic: x}]}", "5:26", "messages[0]: says nothing"),
            ("{mesages: [{state: /a}], state: /s}", "5:15", "did you mean \"messages\"?"),
            ("{topic: x, state: /s}", "5:15", "unknown setting \"topic\""),
            ("{messages: [{topic: \"a/#/b\", state: /s}]}", "5:34", "# stands only at the end"),
            ("{messages: [{ignore: not me}]}", "5:35", "small letters"),
            ("{messages: [{ignore: x, state: /s}]}", "5:27", "either ignore or fields"),
            ("{messages: [{alive: false, state: /s}]}", "5:27", "nothing without \"ignore\""),
            ("{messages: [{state: /s}, {state: /t}]}", "5:39", "messages[0] takes them all"),
            ("{messages: [{topic: [x, y], state: /s}, {topic: y, state: /t}]}", "5:54", "messages[0] takes them all"),
            ("{messages: [{has: s, state: /s}]}", "5:32", "did you mean \"/s\"?"),
            ("{messages: [{when: {s: 1}, state: /s}]}", "5:34", "did you mean \"/s\"?"),
            ("{messages: [{when: s, state: /s}]}", "5:33", "such as {/type: location}"),
            ("{payload: text, state: /s}", "5:15", "in a text there is no /s"),
            ("{payload: xml, state: /s}", "5:24", "json, text"),
            ("{in: tags, state: /s}", "5:19", "did you mean \"/tags\"?"),
            ("{nearest: {properties: {a: /a}}}", "5:24", "\"by\" is missing"),
            ("{properties: /p}", "5:27", "such as {rain: /rain_detected}"),
        ])
    func messages(mapping: String, place: String, message: String) {
        let found = outcome(source(mapping)).diagnostics.map(\.description)
        #expect(found.first?.hasPrefix("fleet.yaml:\(place): error: ") ?? false, "\(found)")
        #expect(found.contains { $0.contains(message) }, "\(found)")
    }

    @Test("Messages that differ in what they ask for follow each other")
    func order() throws {
        _ = try configuration(
            source(
                """
                {state: /s, messages: [{has: /a}, {when: {/b: 1}}, {topic: x}, {topic: [x, y]}, {}]}
                """
            ))
    }

    @Test("The setting and its format need each other")
    func format() {
        expect("sources:\n  a:\n    format: mapping\n    topics: [a]", [("3:5", ["\"mapping\" is missing"])])
        expect(
            "sources:\n  a:\n    topics: [a]\n    mapping: {state: /s}",
            [("4:14", ["is for format: mapping", "native"])])
        // Which one was meant is not known.
        expect("sources:\n  a:\n    topics: [a]\n    format: csv\n    mapping: {state: /s}", [("4:13", ["csv"])])
        expect(
            "sources:\n  a:\n    topics: [a]\n    format: owntracks\n    validity: {pointer: /v, good: 1}",
            [("5:15", ["sources.a.validity", "owntracks has a flag of its own"])])
    }

    @Test("Levels are known by the source's topics and by the mapping's own")
    func levels() throws {
        _ = try configuration(
            source("{name: \"{part} {room} {-1} {source} {key}\", messages: [{topic: \"{room}/x\", state: /s}]}"))
        expect(
            source("{name: \"{room}\", state: /s}", topics: "[a]"),
            [("5:21", ["no topic names a level {room}", "known are {device}, {key}, {source}"])])
    }

    @Test("Environment variables work inside")
    func environment() throws {
        let found = outcome(source("{charge: \"/${FIELD:-bat}\"}"))
        #expect(found.diagnostics.isEmpty, "\(found.diagnostics)")
    }
}
