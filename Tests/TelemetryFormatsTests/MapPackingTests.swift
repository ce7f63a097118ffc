import Testing

@testable import TelemetryFormats

struct MapPackingTests {
    @Test(
        "Base64 is read with and without padding",
        arguments: [
            ("aGVsbG8=", "hello"), ("aGVsbG8", "hello"), ("aGVs\nbG8gdw==", "hello w"), ("", ""),
        ])
    func base64(text: String, expected: String) {
        #expect(Base64Text.bytes(Array(text.utf8)[...]) == Array(expected.utf8))
    }

    @Test("What is no base64 is refused", arguments: ["a", "aGVs*G8=", "aG=Vs", "aGVsb"])
    func notBase64(text: String) {
        #expect(Base64Text.bytes(Array(text.utf8)[...]) == nil)
    }

    @Test(
        "A PNG's length fields are not believed",
        arguments: [
            [UInt8](repeating: 0xFF, count: 12), [0, 0, 0, 200] + Array("zTXtValetudoMap".utf8), [], [0, 0, 0, 0],
        ])
    func png(chunk: [UInt8]) {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(PNGText.packed(in: (signature + chunk)[...], keyword: "ValetudoMap") == nil)
    }
}
