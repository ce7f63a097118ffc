/// Ids as topic levels.
public enum TopicLevel {
    /// Makes one level of any id, so that two ids never share a topic: `a/b` → `a%2Fb`, `a%2Fb` → `a%252Fb`.
    ///
    /// What MQTT gives a meaning, `%`, control characters and a leading `$` are percent-encoded; everything else stays.
    ///
    /// - Parameter reserved: Whole levels that mean something else in this place; their first byte is encoded.
    public static func encode(_ id: String, reserved: [String] = []) -> String {
        var id = id
        let isPlain = id.withUTF8 { utf8 in
            utf8.first != UInt8(ascii: "$") && utf8.allSatisfy { !mustEncode($0) }
        }
        let isReserved = reserved.contains { $0.utf8.elementsEqual(id.utf8) }
        guard !isPlain || isReserved else { return id }
        var bytes: [UInt8] = []
        for (index, byte) in id.utf8.enumerated() {
            if mustEncode(byte) || (index == 0 && (byte == UInt8(ascii: "$") || isReserved)) {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hexadecimal[Int(byte >> 4)])
                bytes.append(hexadecimal[Int(byte & 15)])
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    private static func mustEncode(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "#"), UInt8(ascii: "/"), 0..<0x20, 0x7F: true
        default: false
        }
    }
}
