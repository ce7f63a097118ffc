import JSON
import Testing
import YAML

/// The document as compact JSON.
private func json(_ text: String) -> String? {
    let document = YAMLDocument(text)
    #expect(document.errors.isEmpty)
    return document.root?.json { Issue.record("\($0)") }.text
}

/// `line:column: message` of every error.
private func errors(_ bytes: [UInt8], limits: YAMLDocument.Limits = YAMLDocument.Limits()) -> [String] {
    YAMLDocument(bytes, limits: limits).errors.map { "\($0.place): \($0.message)" }
}

private func errors(_ text: String, limits: YAMLDocument.Limits = YAMLDocument.Limits()) -> [String] {
    errors(Array(text.utf8), limits: limits)
}

@Suite("A YAML document")
struct YAMLDocumentTests {
    @Test(
        "Collections and scalars become JSON",
        arguments: [
            ("a: 1\nb: [x, \"2\", 3.5, ~, yes]", #"{"a":1,"b":["x","2",3.5,null,"yes"]}"#),
            (#"{"a": {"b": [true, null]}, "c": "\u00e6\n\/"}"#, #"{"a":{"b":[true,null]},"c":"æ\n/"}"#),
            (#"{"a":1,"b":[1,2]}"#, #"{"a":1,"b":[1,2]}"#),
            ("{\n\t\"a\":\t1\n}", #"{"a":1}"#),
            ("{url: mqtt://127.0.0.1:1883, x: [get, name]}", #"{"url":"mqtt://127.0.0.1:1883","x":["get","name"]}"#),
            ("- fleet/{source}/{device}/telemetry", #"["fleet/{source}/{device}/telemetry"]"#),
            ("a: |\n  one\n  two\nb: >\n  one\n  two\n", #"{"a":"one\ntwo\n","b":"one two\n"}"#),
            ("356938035643809: x\ntrue: y\n", #"{"356938035643809":"x","true":"y"}"#),
            ("--- \na: 1\n...\n", #"{"a":1}"#),
            ("%YAML 1.2\n---\na: 1\n", #"{"a":1}"#),
            ("\u{FEFF}a: 1", #"{"a":1}"#),
            ("a: 9007199254740993\nb: 18446744073709551615", #"{"a":9007199254740993,"b":18446744073709551615}"#),
            ("a: &x [1, 2]\nb: *x", #"{"a":[1,2],"b":[1,2]}"#),
            ("a: &x 1\nb: &x 2\nc: *x", #"{"a":1,"b":2,"c":2}"#),
            ("a: !!str 5\nb: !!int \"5\"\nc: !!seq []\nd: ! \"!\"", #"{"a":"5","b":5,"c":[],"d":"!"}"#),
            ("<<: {a: 1}", #"{"<<":{"a":1}}"#),
            ("[\"!\", \">\", \"*\"]", #"["!",">","*"]"#),
            ("[<, 1]", #"["<",1]"#),
        ])
    func content(yaml: String, expected: String) {
        #expect(json(yaml) == expected)
    }

    @Test("A file without a document has no root and no error", arguments: ["", "\n\n", "# nothing\n", "\u{FEFF}"])
    func empty(text: String) {
        let document = YAMLDocument(text)
        #expect(document.root == nil)
        #expect(document.errors.isEmpty)
    }

    @Test("Nodes and keys know where they begin, in characters from 1")
    func places() throws {
        let root = try #require(YAMLDocument("æ: 1\nb:\n  - x\n  - {\"ø\": y, d: 2}\n").root)
        let entries = try #require(root.mapping)
        #expect(entries.map(\.keyPlace.description) == ["1:1", "2:1"])
        #expect(entries[0].value.place.description == "1:4")
        let elements = try #require(entries[1].value.sequence)
        #expect(elements.map(\.place.description) == ["3:5", "4:5"])
        let inner = try #require(elements[1].mapping)
        #expect(inner.map(\.keyPlace.description) == ["4:6", "4:14"])
        #expect(inner.map(\.value.place.description) == ["4:11", "4:17"])
    }

    @Test("What an alias repeats keeps the place where it was written")
    func aliasPlace() throws {
        let entries = try #require(YAMLDocument("a: &x [1]\nb: *x").root?.mapping)
        #expect(entries[1].value.sequence?[0].place == YAMLPlace(line: 1, column: 8))
    }

    @Test(
        "Every fault has its place",
        arguments: [
            ("a: 1\nb: 2\na: 3", ["3:1: the key \"a\" stands twice in one mapping, first at 1:1"]),
            (
                "{a: {b: 1, b: 2}, a: 3}",
                [
                    "1:12: the key \"b\" stands twice in one mapping, first at 1:6",
                    "1:19: the key \"a\" stands twice in one mapping, first at 1:2",
                ]
            ),
            ("a: 1\n\"a\": 2", ["2:1: the key \"a\" stands twice in one mapping, first at 1:1"]),
            ("a: 1\n---\nb: 2", ["2:1: a second document begins; a configuration is one document"]),
            ("[a, b]: 1", ["1:1: a key is text, not a list or mapping"]),
            ("a: *x", ["1:4: there is no &x before *x"]),
            ("a: &x [1, *x]", ["1:11: *x stands inside of what it names"]),
            ("a: !secret b", ["1:4: the tag !secret is not known; text that begins with ! needs quotes"]),
            (
                "a: !!binary b",
                ["1:4: the tag tag:yaml.org,2002:binary is not known; text that begins with ! needs quotes"]
            ),
            ("a: !!int b", ["1:4: \"b\" is not what its tag says: int"]),
            ("a: !<x> [1]", ["1:4: the tag x is not known; text that begins with ! needs quotes"]),
            ("[!, [has, x]]", ["1:2: ! begins a tag; the operator is written \"!\", in quotes"]),
            ("[! , 1]", ["1:2: ! begins a tag; the operator is written \"!\", in quotes"]),
        ])
    func faults(text: String, expected: [String]) {
        #expect(errors(text) == expected)
    }

    @Test(
        "What is no YAML ends the reading at its place",
        arguments: [
            ("a: 1\n\tb: 2", "2:1", "tab"),
            ("a:\n\t- 1", "2:1", "tab"),
            ("a: [1, 2", "1:9", "flow sequence"),
            ("a: [1, 2\n", "2:1", "flow sequence"),
            ("a: b: c", "1:5", "mapping values are not allowed"),
            ("a: \"x", "1:6", "end of stream"),
            ("[>, 1]", "1:2", "quotes"),
            ("[*, 1]", "1:3", "alphabetic"),
            ("a: %x", "1:4", "quotes"),
            ("a: \u{7}", "1:4", "control characters"),
            ("ø: ø\nb: \u{7}", "2:4", "control characters"),
            ("a: 1\n  b: 2", "2:4", "mapping values are not allowed"),
            ("a: {x: fleet/{source}}", "1:14", "quotes"),
        ])
    func syntax(text: String, place: String, word: String) {
        let found = errors(text)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(place + ": ") == true, "\(found)")
        #expect(found.first?.contains(word) == true, "\(found)")
        #expect(YAMLDocument(text).root == nil)
    }

    @Test(
        "Bytes that are not UTF-8 are found at their place",
        arguments: [
            ([0x61, 0x3A, 0x20, 0xFF], "1:4"), ([0xC3, 0xB8, 0x0A, 0xC3, 0xB8, 0xC0, 0x80], "2:2"),
            ([0x61, 0xED, 0xA0, 0x80], "1:2"), ([0xFE, 0xFF, 0x00, 0x61], "1:1"), ([0xEF, 0xBB, 0xBF, 0x80], "1:1"),
        ] as [([UInt8], String)])
    func illFormed(bytes: [UInt8], place: String) {
        #expect(errors(bytes) == ["\(place): not UTF-8; save the file in UTF-8"])
    }

    @Test("Size, depth and number of values are bounded")
    func limits() {
        var limits = YAMLDocument.Limits()
        limits.depth = 3
        #expect(errors("[[[1]]]", limits: limits).isEmpty)
        #expect(errors("[[[[1]]]]", limits: limits) == ["1:4: more than 3 levels inside each other"])
        #expect(errors("- &x [[1]]\n- [*x]", limits: limits) == ["2:4: more than 3 levels inside each other"])
        limits = YAMLDocument.Limits()
        limits.bytes = 4
        #expect(errors("a: 1", limits: limits).isEmpty)
        #expect(errors("a: 12", limits: limits) == ["1:1: the file has more than 4 bytes"])
        limits = YAMLDocument.Limits()
        limits.nodes = 4
        #expect(errors("[1, 2, 3]", limits: limits).isEmpty)
        #expect(errors("[1, 2, 3, 4]", limits: limits) == ["1:11: more than 4 values, repetitions by aliases counted"])
    }

    @Test("A few lines of aliases cannot become billions of values")
    func aliasBomb() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            text +=
                "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
                + "]\n"
        }
        #expect(errors(text).count == 1)
        #expect(errors(text).first?.contains("repetitions by aliases") == true)
    }

    @Test("Thousands of brackets are an error, not a crash")
    func brackets() {
        #expect(errors(String(repeating: "[", count: 100_000)) == ["1:65: more than 64 levels inside each other"])
        #expect(errors(String(repeating: "{a: ", count: 100_000)) == ["1:257: more than 64 levels inside each other"])
        #expect(errors(String(repeating: "- ", count: 100_000)) == ["1:129: more than 64 levels inside each other"])
    }

    @Test(
        "Numbers that JSON cannot hold are reported at their place",
        arguments: [".inf", ".nan", "1e999", "18446744073709551616"])
    func unusableNumbers(text: String) throws {
        let root = try #require(YAMLDocument("- 1\n- \(text)").root)
        var found: [YAMLError] = []
        #expect(root.json { found.append($0) } == [1, nil])
        #expect(found.map(\.place.description) == ["2:3"])
    }

    @Test(
        "A path into the JSON leads back to the place",
        arguments: [
            ([], "1:1"), ([1], "2:3"), ([1, 0], "2:4"), ([1, 1], "2:7"), ([1, 1, 0], "2:7"), ([1, 7], "2:3"),
            ([0, 0], "1:3"),
            ([9], "1:1"), ([-1], "1:1"),
        ] as [([Int], String)])
    func path(path: [Int], place: String) throws {
        let root = try #require(YAMLDocument("- a\n- [x, {b: y}]").root)
        #expect(root.descendant(at: path).place.description == place)
    }
}
