internal import JSON

/// Numbers and their text as ECMAScript converts them.
enum NumberText {
    static func text(of number: Double) -> String {
        if number.isFinite { return JSONNumber.text(of: number) }
        return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
    }

    /// ECMAScript's `Number(text)`: white space around is dropped, nothing is 0, `0x`, `0o` and `0b` count.
    ///
    /// - Returns: `nil` for text that is no number.
    static func number(of text: String) -> Double? {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !isWhiteSpace($0) }) else { return 0 }
        let end = scalars.lastIndex { !isWhiteSpace($0) } ?? start
        let trimmed = String(scalars[start...end])
        let digits = Array(trimmed.utf8)
        if digits.count > 2, digits[0] == UInt8(ascii: "0") {
            switch digits[1] | 0x20 {
            case UInt8(ascii: "x"): return integer(digits[2...], radix: 16)
            case UInt8(ascii: "o"): return integer(digits[2...], radix: 8)
            case UInt8(ascii: "b"): return integer(digits[2...], radix: 2)
            default: break
            }
        }
        switch trimmed {
        case "Infinity", "+Infinity": return .infinity
        case "-Infinity": return -.infinity
        default: return isDecimal(digits) ? Double(trimmed) : nil
        }
    }

    private static func integer(_ digits: ArraySlice<UInt8>, radix: Int) -> Double? {
        var value = 0.0
        for byte in digits {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, digit < radix else {
                return nil
            }
            value = value * Double(radix) + Double(digit)
        }
        return value
    }

    /// An optional sign, digits with at most one point, an optional exponent. `Double(_:)` alone takes more: `nan`,
    /// hexadecimal.
    private static func isDecimal(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        func dropDigits() -> Int {
            let count = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
            rest = rest.dropFirst(count)
            return count
        }
        func dropSign() {
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                rest = rest.dropFirst()
            }
        }
        dropSign()
        var digits = dropDigits()
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            digits += dropDigits()
        }
        guard digits > 0 else { return false }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            dropSign()
            guard dropDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    static func isWhiteSpace(_ scalar: UnicodeScalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\u{B}", "\u{C}", "\r", "\u{FEFF}", "\u{2028}", "\u{2029}": true
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }
}
