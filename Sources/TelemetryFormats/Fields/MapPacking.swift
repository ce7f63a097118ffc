internal import Compression

/// How Valetudo's maps are packed; told apart by the first bytes.
enum MapPacking {
    /// Bytes that an unpacked map has at most.
    static let limit = 4 * 1024 * 1024

    enum Content: Equatable {
        case json([UInt8])
        /// The vendor's own map, which is not for us.
        case vendor
        /// Neither packed nor JSON.
        case unknown
    }

    enum Failure: Error, Equatable {
        case broken(String)
        case tooLarge
    }

    static func unpack(_ payload: [UInt8]) throws(Failure) -> Content {
        let body = payload.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        guard let first = body.first else { return .unknown }
        let second = body.dropFirst().first
        switch (first, second) {
        case (UInt8(ascii: "{"), _), (UInt8(ascii: "["), _): return .json(Array(body))
        case (0x78, _): return content(try inflate(body, .zlib))
        case (0x1F, 0x8B): return content(try inflate(body, .gzip))
        case (UInt8(ascii: "r"), UInt8(ascii: "r")): return .vendor
        case (0x89, UInt8(ascii: "P")):
            guard let packed = PNGText.packed(in: body, keyword: "ValetudoMap") else {
                throw .broken("a PNG without a ValetudoMap text")
            }
            return content(try inflate(packed, .zlib))
        case (UInt8(ascii: "e"), _):
            guard let packed = Base64Text.bytes(body) else { throw .broken("neither base64 nor JSON") }
            return content(try inflate(packed[...], .zlib))
        default: return .unknown
        }
    }

    private static func inflate(_ bytes: ArraySlice<UInt8>, _ wrapping: Inflate.Wrapping) throws(Failure) -> [UInt8] {
        do throws(Inflate.Failure) {
            return try Inflate.bytes(bytes, wrapping, limit: limit)
        } catch {
            switch error {
            case .broken: throw .broken("a packed map that cannot be unpacked")
            case .tooLarge: throw .tooLarge
            }
        }
    }

    private static func content(_ bytes: [UInt8]) -> Content {
        bytes.starts(with: "rr".utf8) ? .vendor : .json(bytes)
    }
}

/// The text chunks of a PNG (PNG specification, §11.3.3.3).
enum PNGText {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// - Returns: The zlib stream of the first compressed text with a keyword.
    static func packed(in png: ArraySlice<UInt8>, keyword: String) -> ArraySlice<UInt8>? {
        guard png.starts(with: signature) else { return nil }
        let wanted = Array(keyword.utf8) + [0]
        var rest = png.dropFirst(signature.count)
        // A chunk: length, type, data, checksum.
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count - 12 >= length else { return nil }
            let type = rest.dropFirst(4).prefix(4)
            let data = rest.dropFirst(8).prefix(length)
            // The byte after the keyword is the method, of which there is one: 0, zlib.
            if type.elementsEqual("zTXt".utf8), data.starts(with: wanted), data.dropFirst(wanted.count).first == 0 {
                return data.dropFirst(wanted.count + 1)
            }
            rest = rest.dropFirst(12 + length)
        }
        return nil
    }
}

/// Base64 (RFC 4648, §4), line breaks allowed.
enum Base64Text {
    static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var isPadded = false
        for byte in text {
            let value: UInt32
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(byte - UInt8(ascii: "A"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(byte - UInt8(ascii: "a")) + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(byte - UInt8(ascii: "0")) + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="):
                isPadded = true
                continue
            case 0x0A, 0x0D, 0x20: continue
            default: return nil
            }
            guard !isPadded else { return nil }
            bits = bits << 6 | value
            count += 1
            if count == 4 {
                result += [
                    UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8),
                    UInt8(truncatingIfNeeded: bits),
                ]
                (bits, count) = (0, 0)
            }
        }
        switch count {
        case 0: break
        case 2: result.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3: result += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
        default: return nil
        }
        return result
    }
}
