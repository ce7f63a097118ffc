import Testing

@testable import TelemetryFormats

struct InflateTests {
    /// "hello hello hello hello", packed.
    private static let packed: [UInt8] = [
        0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x27, 0x01, 0x68, 0x03, 0x08, 0xB1,
    ]
    private static let text = "hello hello hello hello"

    @Test("What unpacks to the limit is read, one byte more is not", arguments: [(23, true), (22, false), (0, false)])
    func limit(bytes: Int, fits: Bool) throws {
        if fits {
            #expect(try Inflate.bytes(Self.packed[...], .zlib, limit: bytes) == Array(Self.text.utf8))
        } else {
            #expect(throws: Inflate.Failure.tooLarge) { try Inflate.bytes(Self.packed[...], .zlib, limit: bytes) }
        }
    }

    @Test("A stream without its end or with a garbled one is broken", arguments: 0..<16)
    func broken(length: Int) {
        #expect(throws: Inflate.Failure.broken) { try Inflate.bytes(Self.packed.prefix(length), .zlib, limit: 100) }
    }

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
