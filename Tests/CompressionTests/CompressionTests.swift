import Compression
import Testing

@Suite("Compression")
struct CompressionTests {
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

    @Test("What is packed unpacks to itself", arguments: [0, 1, 100_000])
    func roundTrip(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* $0) }
        let packed = try #require(Deflate.zlib(bytes))
        #expect(packed.first == 0x78)
        #expect(try Inflate.bytes(packed[...], .zlib, limit: size) == bytes)
    }
}
