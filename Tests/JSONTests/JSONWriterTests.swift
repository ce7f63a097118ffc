import JSON
import Testing

struct JSONWriterTests {
    @Test(
        "Numbers print as ECMAScript does",
        arguments: [
            (0.0, "0"), (-0.0, "0"), (1.0, "1"), (72.5, "72.5"), (57.0582502, "57.0582502"), (-9.9504788, "-9.9504788"),
            (0.1, "0.1"), (0.000001, "0.000001"), (1e-7, "1e-7"), (1.5e-9, "1.5e-9"),
            (1.2345678901234568e17, "123456789012345680"),
            (1e21, "1e+21"), (1.25e21, "1.25e+21"), (1e20, "100000000000000000000"),
            (Double.leastNonzeroMagnitude, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"), (0.1 + 0.2, "0.30000000000000004"),
            (1 / 3.0, "0.3333333333333333"),
            (1234567.125, "1234567.125"), (999999.9999999, "999999.9999999"), (-0.5, "-0.5"),
            (9.007199254740992e15, "9007199254740992"),
        ] as [(Double, String)])
    func numbers(value: Double, text: String) {
        #expect(JSONNumber.text(of: value) == text)
    }

    @Test(
        "A written number is one that the strict parser reads: more than 64 bits only with an exponent",
        arguments: [
            (0x1p63, "9.223372036854776e+18"), (1e19, "1e+19"), (-1.25e20, "-1.25e+20"), (1e21, "1e+21"),
            (0x1p62, "4611686018427388000"), (-0x1p63, "-9.223372036854776e+18"),
        ] as [(Double, String)])
    func large(value: Double, text: String) throws {
        #expect(JSONValue.number(value).text == text)
        #expect(try Double(JSONParser().parse(JSONValue.number(value).text).text) == value)
    }

    @Test("Numbers read back the same")
    func roundTrip() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let value = Double.random(in: -200...200, using: &generator)
            #expect(Double(JSONNumber.text(of: value)) == value)
            let short = (value * 1e7).rounded() / 1e7
            let text = JSONNumber.text(of: short)
            #expect(Double(text) == short)
            // Tiny ones are written with an exponent there, and without one here.
            #expect(text.count <= short.description.count || short.description.contains("e"))
        }
    }

    @Test("Text is escaped, and nothing more than must be")
    func strings() {
        #expect(JSONValue.string("a\"b\\c\n\u{1}\u{7F}é/").text == #""a\"b\\c\n\u0001\u007fé/""#)
    }

    @Test("Structure gets its commas")
    func structure() {
        let value: JSONValue = ["a": [1, [], [:], "x"], "b": nil]
        #expect(value.text == #"{"a":[1,[],{},"x"],"b":null}"#)
    }
}
