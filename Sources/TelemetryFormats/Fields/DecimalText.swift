/// Numbers that devices write as text.
enum DecimalText {
    /// Reads a whole text as a decimal number with a point: `57.05`, `-3`. No blanks, no exponent, no comma, no hexadecimal;
    /// Swift's own `Double(text)` also takes `nan`, `inf` and `0x39`.
    static func number(_ text: String) -> Double? {
        let utf8 = text.utf8
        guard !utf8.isEmpty, utf8.count <= 40 else { return nil }
        var digits = 0
        var points = 0
        for (offset, byte) in utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "."): points += 1
            case UInt8(ascii: "-"), UInt8(ascii: "+"): if offset > 0 { return nil }
            default: return nil
            }
        }
        guard digits > 0, points <= 1 else { return nil }
        return Double(text)
    }
}
