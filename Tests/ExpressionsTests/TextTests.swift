import Expressions
import JSON
import Testing

struct TextTests {
    @Test("Texts that only look alike are not equal")
    func bytes() throws {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        let pair: JSONObject = ["a": .string(composed), "b": .string(decomposed)]
        #expect(try evaluate(#"["==", ["get", "a"], ["get", "b"]]"#, pair) == .bool(false))
        #expect(try evaluate("[\"==\", [\"get\", \"b\"], \"\(composed)\"]", pair) == .bool(false))
        #expect(try evaluate("[\"match\", [\"get\", \"b\"], \"\(composed)\", 1, 2]", pair) == .number(2))
        #expect(try evaluate("[\"in\", [\"get\", \"b\"], [\"literal\", [\"\(composed)\"]]]", pair) == .bool(false))
        #expect(try evaluate("[\"has\", \"\(decomposed)\"]", [composed: 1]) == .bool(false))
        // U+212A is canonically equivalent to "K".
        #expect(try evaluate(#"["==", ["get", "a"], "K"]"#, ["a": "\u{212A}"]) == .bool(false))
    }

    @Test(
        "Order is that of UTF-16 code units",
        arguments: [
            ("a", "b"), ("B", "a"), ("10", "2"), ("", "a"), ("z", "ä"), ("\u{1F600}", "\u{FF5E}"),
            ("\u{E000}", "\u{FF5E}"),
        ])
    func order(lower: String, upper: String) throws {
        let pair: JSONObject = ["a": .string(lower), "b": .string(upper)]
        #expect(try evaluate(#"["<", ["get", "a"], ["get", "b"]]"#, pair) == .bool(true))
        #expect(try evaluate(#"[">", ["get", "a"], ["get", "b"]]"#, pair) == .bool(false))
        #expect(try evaluate(#"["<=", ["get", "a"], ["get", "b"]]"#, pair) == .bool(true))
        #expect(try evaluate(#"[">=", ["get", "b"], ["get", "a"]]"#, pair) == .bool(true))
        #expect(try evaluate(#"[">=", ["get", "a"], ["get", "a"]]"#, pair) == .bool(true))
    }

    @Test("Length, slice and index-of count characters, also those beyond U+FFFF")
    func characters() throws {
        #expect(try evaluate(#"["length", "丐𦨭市"]"#) == .number(3))
        #expect(try evaluate(#"["slice", "丐𦨭市", 1, 2]"#) == .string("𦨭"))
        #expect(try evaluate(#"["slice", "丐𦨭市", -1]"#) == .string("市"))
        #expect(try evaluate(#"["index-of", "市", "丐𦨭市"]"#) == .number(2))
        // The start is in UTF-16 units: 2 is inside the second character.
        #expect(try evaluate(#"["index-of", "𦨭", "丐𦨭市𦨭", 2]"#) == .number(3))
        #expect(try evaluate(#"["split", "a𦨭", ""]"#) == .array([.string("a"), .string("𦨭")]))
    }

    @Test("A search for a bad text takes linear time", .timeLimit(.minutes(5)))
    func search() throws {
        let text = String(repeating: "a", count: 60_000)
        let needle = String(repeating: "a", count: 30_000) + "b"
        #expect(
            try evaluate(#"["in", ["get", "n"], ["get", "t"]]"#, ["t": .string(text), "n": .string(needle)])
                == .bool(false))
    }

    @Test("Letters are mapped as Unicode says, not as a language does")
    func letters() throws {
        #expect(try evaluate(#"["upcase", "straße ijß"]"#) == .string("STRASSE IJSS"))
        #expect(try evaluate(#"["downcase", "ΟΔΟΣ İ"]"#) == .string("οδος i\u{307}"))
    }

    @Test("split and join")
    func lists() throws {
        #expect(try evaluate(#"["join", ["split", "a,b,,c", ","], "-"]"#) == .string("a-b--c"))
        #expect(try evaluate(#"["split", "", ","]"#) == .array([.string("")]))
    }
}

struct LanguageTests {
    @Test(
        "Numbers are written as in the United States unless a language is named",
        arguments: [
            (#"["number-format", 1234567.891, {}]"#, "1,234,567.891"),
            (#"["number-format", 1234.5, {"locale": "de"}]"#, "1.234,5"),
            (#"["number-format", 3.14159, {"max-fraction-digits": 2}]"#, "3.14"),
            (#"["number-format", 2, {"min-fraction-digits": 2}]"#, "2.00"),
            (#"["number-format", 2.5, {"max-fraction-digits": ["+", 0, 0]}]"#, "3"),
            (#"["number-format", -1234.5, {"currency": "USD"}]"#, "-$1,234.50"),
            (#"["number-format", 42, {"unit": "kilometer-per-hour"}]"#, "42 km/h"),
            (#"["number-format", ["/", 0, 0], {}]"#, "NaN"),
        ])
    func numbers(json: String, text: String) throws {
        #expect(try evaluate(json) == .string(text))
    }

    @Test("A constant 0 counts as an option left out, as upstream has it: use round")
    func zeroDigits() throws {
        #expect(try evaluate(#"["number-format", 2.5, {"max-fraction-digits": 0}]"#) == .string("2.5"))
        #expect(try evaluate(#"["number-format", ["round", 2.5], {}]"#) == .string("3"))
    }

    @Test(
        "Impossible options are errors",
        arguments: [
            (#"{"min-fraction-digits": 5, "max-fraction-digits": 2}"#, "maximumFractionDigits value is out of range."),
            (#"{"max-fraction-digits": 101}"#, "maximumFractionDigits value is out of range."),
            (#"{"min-fraction-digits": -1}"#, "minimumFractionDigits value is out of range."),
            (#"{"currency": "EURO"}"#, "Invalid currency code : EURO"),
            (#"{"locale": "!"}"#, "Incorrect locale information provided"),
            (#"{"unit": "furlong-per-fortnight"}"#, "Invalid unit argument for number-format 'furlong-per-fortnight'"),
        ])
    func options(json: String, message: String) throws {
        #expect(try faults("[\"number-format\", 1, \(json)]") == [": \(message)"])
    }

    @Test("A language without data falls back")
    func fallback() throws {
        #expect(try evaluate(#"["resolved-locale", ["collator", {"locale": "tlh"}]]"#) == .string("en-US"))
        #expect(try evaluate(#"["resolved-locale", ["collator", {"locale": "de-XX"}]]"#) == .string("de"))
        #expect(try evaluate(#"["resolved-locale", ["collator", {}]]"#) == .string("en-US"))
    }

    @Test("A collator ignores what it is told to")
    func collators() throws {
        let accents = #"["==", "résumé", "RESUME", ["collator", {}]]"#
        #expect(try evaluate(accents) == .bool(true))
        #expect(try evaluate(#"["==", "a", "A", ["collator", {"case-sensitive": true}]]"#) == .bool(false))
        #expect(try evaluate(#"["==", "a", "á", ["collator", {"diacritic-sensitive": true}]]"#) == .bool(false))
        #expect(try evaluate(#"["<", "ä", "z", ["collator", {"locale": "sv"}]]"#) == .bool(false))
        #expect(try evaluate(#"["<", "ä", "z", ["collator", {"locale": "de"}]]"#) == .bool(true))
    }
}
