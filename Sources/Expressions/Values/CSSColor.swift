extension Color {
    /// Reads a colour as CSS Color 4 writes it: names, `transparent`, `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, and
    /// `rgb()`, `rgba()`, `hsl()`, `hsla()` with commas or spaces. Parts out of range are clamped; hue wraps.
    public init?(css text: String) {
        var text = text
        let parsed = text.withUTF8 { CSSColorReader.read($0) }
        guard let parsed else { return nil }
        self = parsed
    }
}

/// Reads one colour from lower- or upper-case ASCII; anything else is no colour.
private struct CSSColorReader {
    private let bytes: [UInt8]
    private var position = 0

    static func read(_ text: UnsafeBufferPointer<UInt8>) -> Color? {
        // No colour is written longer; a longer text is not worth copying.
        guard text.count <= 256 else { return nil }
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let lower = text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        guard let start = lower.firstIndex(where: { !isSpace($0) }),
            let end = lower.lastIndex(where: { !isSpace($0) })
        else { return nil }
        let bytes = Array(lower[start...end])
        if bytes[0] == UInt8(ascii: "#") { return hexadecimal(bytes.dropFirst()) }
        if bytes.last == UInt8(ascii: ")") {
            var reader = CSSColorReader(bytes: bytes)
            return reader.function()
        }
        let name = String(decoding: bytes, as: UTF8.self)
        if name == "transparent" { return Color(red: 0, green: 0, blue: 0, alpha: 0) }
        guard let rgb = namedColors[name] else { return nil }
        return Color(
            red: Double(rgb >> 16) / 255, green: Double(rgb >> 8 & 0xFF) / 255,
            blue: Double(rgb & 0xFF) / 255)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> Color? {
        var values: [Int] = []
        for digit in digits {
            guard digit < 0x80, let value = Character(UnicodeScalar(digit)).hexDigitValue else {
                return nil
            }
            values.append(value)
        }
        let parts: [Int]
        switch values.count {
        case 3, 4: parts = values.map { $0 * 17 }
        case 6, 8:
            parts = stride(from: 0, to: values.count, by: 2).map { values[$0] * 16 + values[$0 + 1] }
        default: return nil
        }
        return Color(
            red: Double(parts[0]) / 255, green: Double(parts[1]) / 255, blue: Double(parts[2]) / 255,
            alpha: parts.count == 4 ? Double(parts[3]) / 255 : 1)
    }

    /// `rgb(…)` or `hsl(…)`. Commas stand between all parts or, then with `/` before alpha, between none.
    private mutating func function() -> Color? {
        let isHSL: Bool
        if skip("rgba(") || skip("rgb(") {
            isHSL = false
        } else if skip("hsla(") || skip("hsl(") {
            isHSL = true
        } else {
            return nil
        }
        skipSpaces()
        guard let first = number() else { return nil }
        if isHSL { _ = skip("deg") }
        let firstIsPercentage = !isHSL && skip("%")
        guard let hasComma = separator(), let second = number() else { return nil }
        let secondIsPercentage = skip("%")
        guard separator() == hasComma, let third = number() else { return nil }
        let thirdIsPercentage = skip("%")
        guard let alpha = alpha(afterComma: hasComma) else { return nil }

        if isHSL {
            guard secondIsPercentage, thirdIsPercentage else { return nil }
            return Color(
                hue: first, saturation: min(max(second, 0), 100), lightness: min(max(third, 0), 100),
                alpha: alpha)
        }
        guard firstIsPercentage == secondIsPercentage, secondIsPercentage == thirdIsPercentage else {
            return nil
        }
        let scale = firstIsPercentage ? 100.0 : 255
        func part(_ value: Double) -> Double { min(max(value / scale, 0), 1) }
        return Color(red: part(first), green: part(second), blue: part(third), alpha: alpha)
    }

    /// What follows the third part, up to the closing bracket: 1 where there is no alpha, `nil` for a fault.
    private mutating func alpha(afterComma: Bool) -> Double? {
        skipSpaces()
        var alpha = 1.0
        if skip(afterComma ? "," : "/") {
            skipSpaces()
            guard let value = number() else { return nil }
            alpha = min(max(skip("%") ? value / 100 : value, 0), 1)
            skipSpaces()
        }
        return skip(")") && position == bytes.count ? alpha : nil
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[position + offset] != text.utf8Start[offset] {
            return false
        }
        position += count
        return true
    }

    private mutating func skipSpaces() {
        while position < bytes.count, bytes[position] == 0x20 || (0x09...0x0D).contains(bytes[position]) {
            position += 1
        }
    }

    /// Whether a comma stands here; `nil` where neither a comma nor a space does.
    private mutating func separator() -> Bool? {
        let start = position
        skipSpaces()
        if skip(",") {
            skipSpaces()
            return true
        }
        return position > start ? false : nil
    }

    private mutating func number() -> Double? {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "e"), UInt8(ascii: "."),
                UInt8(ascii: "+"),
                UInt8(ascii: "-"):
                position += 1
                continue
            default: break
            }
            break
        }
        guard position > start else { return nil }
        return NumberText.number(of: String(decoding: bytes[start..<position], as: UTF8.self))
    }
}
