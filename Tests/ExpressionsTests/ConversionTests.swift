import Expressions
import JSON
import Testing

struct ConversionTests {
    @Test(
        "to-number reads text as ECMAScript does",
        arguments: [
            ("", 0), ("  ", 0), ("0x1F", 31), ("0b101", 5), ("0o17", 15), (" 12 ", 12), ("1.", 1), (".5", 0.5),
            ("-1e3", -1000), ("+7", 7), ("Infinity", .infinity), ("-Infinity", -.infinity), ("\u{FEFF}\u{A0}3\n", 3),
        ] as [(String, Double)])
    func numbers(text: String, number: Double) throws {
        #expect(try evaluate(#"["to-number", ["get", "x"]]"#, ["x": .string(text)]) == .number(number))
    }

    @Test(
        "to-number refuses other text",
        arguments: ["abc", "1,5", "0x", "0xG", "1_000", "--1", "1e", "nan", "inf", "1 2", "-0x1F"])
    func noNumbers(text: String) throws {
        #expect(
            try failure(#"["to-number", ["get", "x"]]"#, ["x": .string(text)])
                == ": Could not convert \"\(text)\" to number.")
    }

    @Test("to-number takes the first argument that converts")
    func firstNumber() throws {
        #expect(try evaluate(#"["to-number", ["get", "x"], "7"]"#, ["x": "abc"]) == .number(7))
        #expect(try evaluate(#"["to-number", ["get", "x"], "7"]"#, ["x": nil]) == .number(0))
        #expect(try evaluate(#"["to-number", ["get", "x"]]"#, ["x": true]) == .number(1))
        #expect(try evaluate(#"["to-number", ["get", "x"]]"#, ["x": ["5"]]) == .number(5))
    }

    @Test(
        "Numbers print as ECMAScript prints them",
        arguments: [
            ("1.0", "1"), ("1e21", "1e+21"), ("1e20", "100000000000000000000"), ("1e-7", "1e-7"),
            ("0.000001", "0.000001"), ("0.1", "0.1"), (#"["-", 0]"#, "0"), (#"["+", 0.1, 0.2]"#, "0.30000000000000004"),
            (#"["/", 1, 0]"#, "Infinity"), (#"["/", 0, 0]"#, "NaN"), ("72.50", "72.5"),
        ])
    func numberText(json: String, text: String) throws {
        #expect(try evaluate("[\"to-string\", \(json)]") == .string(text))
        #expect(try evaluate("[\"concat\", \(json)]") == .string(text))
    }

    @Test(
        "Arrays, objects and colours have a text",
        arguments: [
            (#"["literal", [1, "a\n", null, {"b": [true]}]]"#, #"[1,"a\n",null,{"b":[true]}]"#),
            (#"["rgba", 85, 255, 0, 0.5]"#, "rgba(85,255,0,0.5)"), (##"["to-color", "#ff8800"]"##, "rgba(255,136,0,1)"),
            ("null", ""),
        ])
    func otherText(json: String, text: String) throws {
        #expect(try evaluate("[\"to-string\", \(json)]") == .string(text))
    }

    @Test("to-boolean is false for nothing, zero, NaN and empty text alone")
    func booleans() throws {
        for json in ["null", "0", "\"\"", "false", #"["/", 0, 0]"#] {
            #expect(try evaluate("[\"to-boolean\", \(json)]") == .bool(false), "\(json)")
        }
        for json in ["1", "\"false\"", #"["literal", []]"#, #"["literal", {}]"#] {
            #expect(try evaluate("[\"to-boolean\", \(json)]") == .bool(true), "\(json)")
        }
    }

    @Test(
        "Arithmetic is ECMAScript's",
        arguments: [
            (#"["%", -5, 3]"#, -2), (#"["%", 5, -3]"#, 2), (#"["%", 5.5, 2]"#, 1.5), (#"["round", -2.5]"#, -3),
            (#"["round", 2.5]"#, 3), (#"["^", 2, 10]"#, 1024), (#"["min"]"#, .infinity), (#"["max", 1, 3, 2]"#, 3),
            (#"["log10", 1000]"#, 2.9999999999999996), (#"["abs", -3]"#, 3), (#"["-", 3]"#, -3),
        ] as [(String, Double)])
    func arithmetic(json: String, number: Double) throws {
        #expect(try evaluate(json) == .number(number))
    }

    @Test("A power of one with an exponent that is none is not a number")
    func power() throws {
        #expect(try evaluate(#"["^", 1, ["/", 0, 0]]"#) == .number(.nan))
        #expect(try evaluate(#"["^", -1, ["/", 1, 0]]"#) == .number(.nan))
    }

    @Test("A string property converts, formatted text too, a number never")
    func strings() throws {
        #expect(try evaluate(#"["get", "x"]"#, ["x": 72], as: .string) == .string("72"))
        #expect(try evaluate(#"["get", "x"]"#, as: .string) == .string(""))
        #expect(try evaluate(#"["get", "x"]"#, ["x": 72], as: .formatted) == .formatted(FormattedText("72")))
        #expect(try faults(#"["+", 1, 2]"#, as: .string) == [": Expected string but found number instead."])
    }
}
