/// The bytes that stand in a JSON string as they are and need no second look: printable ASCII except `"` and `\`.
enum PlainText {
    /// Where the plain bytes from a position on end.
    ///
    /// Most of what comes and goes is plain, so it is looked at eight bytes at a time.
    @inline(__always)
    static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = start
        while index + 8 <= bytes.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let stops = stops(in: word)
            if stops != 0 { return index + stops.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < bytes.count, isPlain(bytes[index]) { index += 1 }
        return index
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte &- 0x20 < 0x5F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// The high bits of the bytes that are not plain. Only the lowest one can be relied on: a byte that is too small
    /// borrows from those above it.
    private static func stops(in word: UInt64) -> UInt64 {
        let control = (word &- each(0x20)) & ~word
        let special = zeros(in: word ^ each(0x22)) | zeros(in: word ^ each(0x5C)) | zeros(in: word ^ each(0x7F))
        return (control | special | word) & each(0x80)
    }

    private static func zeros(in word: UInt64) -> UInt64 { (word &- each(1)) & ~word }

    private static func each(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
}
