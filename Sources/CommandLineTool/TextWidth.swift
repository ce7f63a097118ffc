/// How wide text stands in a terminal of fixed columns.
public enum TextWidth {
    /// Columns taken: two for East Asian wide characters and emoji, else one a character.
    public static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + width($1) }
    }

    /// The text cut to at most so many columns, the last of them `…` where something is missing.
    public static func clipped(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var (result, used) = ("", 0)
        for character in text {
            guard used + width(character) < columns else { break }
            result.append(character)
            used += width(character)
        }
        return result + "…"
    }

    /// The text filled with spaces to so many columns; longer text is clipped.
    public static func padded(_ text: String, to columns: Int, right: Bool = false) -> String {
        let text = clipped(text, to: columns)
        let space = String(repeating: " ", count: max(0, columns - of(text)))
        return right ? space + text : text + space
    }

    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
            0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1f6ff, 0x1f900...0x1faff,
            0x20000...0x3fffd:
            return 2
        default:
            return 1
        }
    }
}
