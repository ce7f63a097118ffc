import JSON
import Testing

struct JSONParserTests {
    @Test("Values come as they were written")
    func values() throws {
        let value = try JSONParser().parse(#" {"a":[1,-2.5,1e3,true,null],"ü":"\u00e9\ud83d\ude00\n","b":{}} "#)
        #expect(value == ["a": [1, -2.5, 1000, true, nil], "ü": "é😀\n", "b": [:]])
    }

    @Test("A scalar may stand alone", arguments: ["12", "-0.5e2", "true", "null", "\"x\""])
    func scalars(text: String) throws {
        _ = try JSONParser().parse(text)
    }

    @Test("One byte order mark is dropped")
    func mark() throws {
        #expect(try JSONParser().parse("\u{FEFF}[1]") == [1])
        #expect(throws: JSONError.self) { try JSONParser().parse("\u{FEFF}\u{FEFF}[1]") }
    }

    @Test(
        "What json-c's strict mode lets pass is refused",
        arguments: [
            "[NaN]", "[Infinity]", "[-Infinity]", "['x']", "[01]", "[-01]", "[1.]", "[.5]", "[1e]", "[+1]",
            "[\"a\tb\"]",
            "[\"\u{0}\"]", #"["\ud800"]"#, #"["\udc00\ud800"]"#, #"["\x41"]"#, #"{"a\u0000b":1}"#, "[True]", "[nul]",
        ])
    func lenient(text: String) {
        #expect { try JSONParser().parse(text) } throws: { ($0 as? JSONError)?.reason == .invalidJSON }
    }

    @Test(
        "Broken structure is refused",
        arguments: [
            "", " ", "{", "[1", "{\"a\":1", "[1,]", "{\"a\":1,}", "[1] x", "[1][2]", "{\"a\" 1}", "{1:2}", "]",
            "/* c */ 1",
        ])
    func structure(text: String) {
        #expect { try JSONParser().parse(text) } throws: { ($0 as? JSONError)?.reason == .invalidJSON }
    }

    static let large = [
        "1e999", "-1e999", "1.5E+309", "18446744073709551616", "-9223372036854775809",
        String(repeating: "9", count: 309), "\(String(repeating: "9", count: 250))e60", "0.1e400",
    ]

    @Test("Numbers beyond a double or 64 bits are refused, not saturated", arguments: large)
    func overflow(text: String) {
        #expect { try JSONParser().parse("[\(text)]") } throws: { ($0 as? JSONError)?.reason == .invalidJSON }
    }

    @Test("Numbers beyond a double or 64 bits are read as texts where that is asked for", arguments: large)
    func overflowAsText(text: String) throws {
        let json = #"\#u{FEFF}{"a": [1, \#(text)], "\#(text)": \#(text) , "b": 2}"#
        #expect(
            try JSONParser().parse(Array(json.utf8), largeNumbersAreText: true) == [
                "a": [1, .string(text)], text: .string(text), "b": 2,
            ])
        for broken in [#"{"a":\#(text)1e}"#, #"{"a":\#(text)"#, #"{"a":\#(text),"a":1}"#, #"[0\#(text)]"#] {
            #expect(throws: JSONError.self) { try JSONParser().parse(Array(broken.utf8), largeNumbersAreText: true) }
        }
    }

    @Test(
        "Numbers that a double holds are numbers, however they are written",
        arguments: [
            ("1e308", 1e308), ("0e999", 0), ("1e-999", 0), ("1e0000000003", 1000),
            ("\(String(repeating: "1", count: 250)).5e-249", 1.1111111111111112),
        ])
    func longSpelling(text: String, value: Double) throws {
        #expect(try JSONParser().parse(text) == .number(value))
    }

    @Test(
        "Integers that no double holds keep their digits",
        arguments: ["9007199254740993", "-9007199254740993", "9223372036854775807", "18446744073709551615"])
    func bigIntegers(digits: String) throws {
        #expect(try JSONParser().parse(digits) == .bigInteger(digits))
        #expect(try JSONParser().parse(digits).text == digits)
    }

    @Test(
        "Ill-formed UTF-8 is refused",
        arguments: [[0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xFF]]
            as [[UInt8]])
    func illFormed(bytes: [UInt8]) {
        let text = Array("[\"".utf8) + bytes + Array("\"]".utf8)
        #expect { try JSONParser().parse(text) } throws: { ($0 as? JSONError)?.reason == .invalidUTF8 }
    }

    @Test(
        "A key that stands twice is refused and named",
        arguments: [
            (#"{"a":1,"a":2}"#, "/a"), (#"{"x":[{"b":1},{"c":1,"c":1}]}"#, "/x/1/c"), (#"{"a":1,"\u0061":2}"#, ""),
        ])
    func duplicates(text: String, pointer: String) {
        #expect { try JSONParser().parse(text) } throws: {
            ($0 as? JSONError)?.reason == .duplicateKey && ($0 as? JSONError)?.pointer == pointer
        }
    }

    @Test("Composed and decomposed letters are different keys and texts")
    func equivalence() throws {
        let object = try #require(try JSONParser().parse("{\"\u{E9}\":1,\"e\u{301}\":2}").object)
        #expect(object["e\u{301}"] == 2)
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    }

    @Test("32 levels are read, 33 are too deep", arguments: [(32, true), (33, false), (100_000, false)])
    func depth(levels: Int, allowed: Bool) {
        let text = String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels)
        if allowed {
            #expect(throws: Never.self) { try JSONParser().parse(text) }
        } else {
            #expect { try JSONParser().parse(text) } throws: { ($0 as? JSONError)?.reason == .tooDeep }
        }
    }

    @Test("A parser works on after an error")
    func reuse() throws {
        let parser = JSONParser()
        #expect(throws: JSONError.self) { try parser.parse("{\"a\":[1,2") }
        #expect(try parser.parse("{\"b\":2}") == ["b": 2])
    }
}
