/// Checks the words of a JSON text: strings, numbers, names and UTF-8. Structure and values are json-c's part.
///
/// json-c's strict mode lets pass what RFC 8259 does not: NaN and Infinity, single quotes, numbers such as `1.` and `-01`,
/// raw control characters, halves of surrogate pairs, overlong and other ill-formed UTF-8, and keys that end at a NUL;
/// and it makes 2^64 out of every larger integer, infinity out of 1e999.
struct LexicalScan {
    /// Where numbers stand that 64 bits do not hold.
    private(set) var largeNumbers: [Range<Int>] = []
    /// Colons outside of strings: in a well-formed text as many as there are object members, equal keys included.
    private(set) var memberCount = 0

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var depth = 0
    private var lastStringHasNUL = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
        self.bytes = bytes
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): try string()
            case UInt8(ascii: ":"):
                if lastStringHasNUL { throw error(.invalidJSON, "a NUL character in a key") }
                memberCount += 1
                position += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= JSONParser.maximumDepth else {
                    throw error(.tooDeep, "more than \(JSONParser.maximumDepth) levels")
                }
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
                position += 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
            case UInt8(ascii: "t"): try name("true")
            case UInt8(ascii: "f"): try name("false")
            case UInt8(ascii: "n"): try name("null")
            case 0x80...: throw error(.invalidJSON, try scalarLength() == 0 ? "" : "a character outside of a string")
            default: throw error(.invalidJSON, "a character that begins no JSON value")
            }
        }
    }

    private func error(_ reason: JSONError.Reason, _ what: String) -> JSONError {
        JSONError(reason: reason, pointer: "", detail: "\(what) at byte \(position)", offset: position)
    }

    private func byte(at index: Int) -> UInt8 {
        index < bytes.count ? bytes[index] : 0
    }

    private mutating func name(_ expected: StaticString) throws(JSONError) {
        for offset in 0..<expected.utf8CodeUnitCount where byte(at: position + offset) != expected.utf8Start[offset] {
            throw error(.invalidJSON, "a word that is not true, false or null")
        }
        position += expected.utf8CodeUnitCount
    }

    private mutating func digits() -> Int {
        let start = position
        while byte(at: position) &- UInt8(ascii: "0") <= 9 { position += 1 }
        return position - start
    }

    private mutating func number() throws(JSONError) {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let leadingZero = byte(at: position) == UInt8(ascii: "0")
        let whole = digits()
        guard whole == 1 || (whole > 1 && !leadingZero) else { throw error(.invalidJSON, "a malformed number") }
        var isLarge = false
        if whole >= 19, byte(at: position) != UInt8(ascii: "."), byte(at: position) | 0x20 != UInt8(ascii: "e") {
            let digits = String(decoding: bytes[start..<position], as: UTF8.self)
            isLarge = Int64(digits) == nil && UInt64(digits) == nil
        }
        var exponent = 0
        if byte(at: position) == UInt8(ascii: ".") {
            position += 1
            guard digits() > 0 else { throw error(.invalidJSON, "a number without digits after its point") }
        }
        if byte(at: position) | 0x20 == UInt8(ascii: "e") {
            position += 1
            if byte(at: position) == UInt8(ascii: "+") || byte(at: position) == UInt8(ascii: "-") { position += 1 }
            exponent = digits()
            guard exponent > 0 else { throw error(.invalidJSON, "a number without digits in its exponent") }
        }
        // Two digits of exponent and 200 before the point are far from what a double does not hold.
        if exponent > 2 || whole > 200 {
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            isLarge = isLarge || Double(text)?.isFinite != true
        }
        if isLarge { largeNumbers.append(start..<position) }
    }

    private mutating func string() throws(JSONError) {
        position += 1
        lastStringHasNUL = false
        while true {
            position = PlainText.end(in: bytes, from: position)
            guard position < bytes.count else { throw error(.invalidJSON, "a string without its end") }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw error(.invalidJSON, "a raw control character in a string")
            case 0x7F: position += 1
            default: position += try scalarLength()
            }
        }
    }

    private mutating func escape() throws(JSONError) {
        switch byte(at: position + 1) {
        case UInt8(ascii: "u"):
            let unit = try hexadecimal(at: position + 2)
            switch unit {
            case 0xD800...0xDBFF:
                guard byte(at: position + 6) == UInt8(ascii: "\\"), byte(at: position + 7) == UInt8(ascii: "u"),
                    case 0xDC00...0xDFFF = try hexadecimal(at: position + 8)
                else { throw error(.invalidJSON, "half of a surrogate pair") }
                position += 12
            case 0xDC00...0xDFFF: throw error(.invalidJSON, "half of a surrogate pair")
            default:
                if unit == 0 { lastStringHasNUL = true }
                position += 6
            }
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 2
        default: throw error(.invalidJSON, "an unknown escape")
        }
    }

    private func hexadecimal(at index: Int) throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for offset in 0..<4 {
            let byte = byte(at: index + offset)
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt16(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt16(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt16(byte - UInt8(ascii: "A") + 10)
            default: throw error(.invalidJSON, "an escape without four hexadecimal digits")
            }
        }
        return value
    }

    /// The length of the well-formed UTF-8 sequence that starts here (Unicode, table 3-7).
    private func scalarLength() throws(JSONError) -> Int {
        let first = bytes[position]
        let second = byte(at: position + 1)
        let lowest: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
        let highest: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        guard length > 0, second >= lowest, second <= highest,
            (2..<max(length, 2)).allSatisfy({ byte(at: position + $0) & 0xC0 == 0x80 })
        else { throw error(.invalidUTF8, "ill-formed UTF-8") }
        return length
    }
}
