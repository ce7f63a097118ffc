/// Ids as topic levels.
public enum TopicLevel {
    /// Makes one level of any id, so that two ids never share a topic: `a/b` → `a%2Fb`, `a%2Fb` → `a%252Fb`.
    ///
    /// What MQTT gives a meaning, `%`, a leading `$`, and what brokers refuse (control characters and code points that are no
    /// characters) are percent-encoded; everything else stays. Strictly, all but letters, digits, `_` and `-` of ASCII are.
    ///
    /// - Parameter reserved: Whole levels that mean something else in this place; their first byte is encoded.
    public static func encode(_ id: String, reserved: [String] = [], strictly: Bool = false) -> String {
        let isReserved = reserved.contains { $0.utf8.elementsEqual(id.utf8) }
        guard isReserved || mustEncodeAny(of: id, strictly) else { return id }
        var bytes: [UInt8] = []
        for (index, scalar) in id.unicodeScalars.enumerated() {
            let isEncoded = mustEncode(scalar, strictly) || index == 0 && (scalar == "$" || isReserved)
            for byte in String(scalar).utf8 {
                if isEncoded {
                    bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
                } else {
                    bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    private static func mustEncodeAny(of id: String, _ strictly: Bool) -> Bool {
        id.unicodeScalars.first == "$" || id.unicodeScalars.contains { mustEncode($0, strictly) }
    }

    private static func mustEncode(_ scalar: Unicode.Scalar, _ strictly: Bool) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": false
        case _ where strictly: true
        case "%", "+", "#", "/", "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": true
        default: scalar.properties.isNoncharacterCodePoint
        }
    }
}
