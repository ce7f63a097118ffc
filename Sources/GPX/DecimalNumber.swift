/// Decimal numbers as XML Schema writes them, whatever the locale.
enum DecimalNumber {
    private static let powers: [Double] = (0...15).map { (0..<$0).reduce(1.0) { product, _ in product * 10 } }

    /// Reads all of a text but the white space around it: `57.05`, `+.5`, `-3.`; and an exponent, as Java writes near zero.
    ///
    /// - Returns: `nil` for anything else: a decimal comma, a unit, `NaN`, `0x10`, nothing.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        let text = trimmed(bytes)
        var (mantissa, digits, decimals) = (0, 0, 0)
        var isFraction = false
        var index = 0
        if let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { index = 1 }
        let isNegative = text.first == UInt8(ascii: "-")
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
            } else if byte &- UInt8(ascii: "0") <= 9 {
                digits += 1
                if digits <= 15 { mantissa = mantissa * 10 + Int(byte &- UInt8(ascii: "0")) }
                if isFraction { decimals += 1 }
            } else {
                break
            }
            index += 1
        }
        guard digits > 0 else { return nil }
        // Fifteen digits and a power of ten are both exact, so that their quotient is rounded once.
        if index == text.count, digits <= 15, decimals <= 15 {
            let value = Double(mantissa) / powers[decimals]
            return isNegative ? -value : value
        }
        guard index == text.count || isExponent(text, from: index),
            let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }

    static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return UnsafeBufferPointer(rebasing: bytes[..<bytes.startIndex]) }
        return UnsafeBufferPointer(rebasing: bytes[first...last])
    }

    private static func isExponent(_ text: UnsafeBufferPointer<UInt8>, from index: Int) -> Bool {
        var rest = text[index...]
        guard let letter = rest.popFirst(), letter | 0x20 == UInt8(ascii: "e") else { return false }
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        return !rest.isEmpty && rest.allSatisfy { $0 &- UInt8(ascii: "0") <= 9 }
    }

    /// The shortest decimal that reads back as the same number, never with an exponent: `xsd:decimal` has none.
    static func text(_ value: Double) -> String {
        let text = "\(value)"
        guard let mark = text.firstIndex(where: { $0 == "e" || $0 == "E" }),
            let exponent = Int(text[text.index(after: mark)...])
        else { return text.hasSuffix(".0") ? String(text.dropLast(2)) : text }
        let mantissa = text[..<mark]
        let sign = mantissa.hasPrefix("-") ? "-" : ""
        let parts = mantissa.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        var digits = parts.joined()
        let point = parts[0].count + exponent
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + trimZeros(digits) }
        if digits.count < point { digits += String(repeating: "0", count: point - digits.count) }
        let fraction = trimZeros(String(digits.dropFirst(point)))
        return sign + digits.prefix(point) + (fraction.isEmpty ? "" : "." + fraction)
    }

    private static func trimZeros(_ digits: String) -> String {
        var digits = digits[...]
        while digits.last == "0" { digits.removeLast() }
        return String(digits)
    }
}
