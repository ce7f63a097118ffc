import Testing

@testable import GPX

@Suite("GPX: numbers")
struct DecimalNumberTests {
    @Test(
        "Numbers are written without exponents and read back the same",
        arguments: [
            (0, "0"), (-0.0, "-0"), (57.0582502, "57.0582502"), (1e-7, "0.0000001"), (-1.25e-12, "-0.00000000000125"),
            (1e21, "1000000000000000000000"),
            (1.5e16, "15000000000000000"), (.leastNonzeroMagnitude, nil), (.greatestFiniteMagnitude, nil),
            (0.1 + 0.2, "0.30000000000000004"),
        ] as [(Double, String?)])
    func text(value: Double, expected: String?) {
        let text = DecimalNumber.text(value)
        if let expected { #expect(text == expected) }
        #expect(!text.contains("e"))
        #expect(Array(text.utf8).withUnsafeBufferPointer(DecimalNumber.read) == value)
    }
}
