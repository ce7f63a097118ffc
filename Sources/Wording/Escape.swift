/// Makes text from outside fit to be shown.
public enum Escape {
    /// The text with everything that could steer a terminal, break a line or turn the reading direction spelled out as
    /// `\n`, `\t`, `\r` or `\u{1b}`. Other text is left as it is.
    public static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isDangerous) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where isDangerous(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// JSON with the same spelled out as JSON does, `\u2028`: it reads back the same.
    public static func json(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: isDangerous) else { return json }
        var result = ""
        for scalar in json.unicodeScalars {
            guard isDangerous(scalar) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result
    }

    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1f, 0x7f...0x9f: true  // C0, DEL, C1: U+009B starts a control sequence like ESC [
        case 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true  // reading direction
        case 0x2028, 0x2029: true  // line and paragraph separators
        case 0xfeff, 0xe0000...0xe007f: true  // invisible: byte order mark, tags
        default: false
        }
    }
}
