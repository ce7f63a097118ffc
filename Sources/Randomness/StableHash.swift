/// FNV-1a: a number made of a text, the same in every run and on every machine.
public enum StableHash {
    public static func of(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// So many hexadecimal digits, 16 at most.
    public static func digits(of text: String, count: Int) -> String {
        let digits = String(of(text), radix: 16, uppercase: true)
        return String((String(repeating: "0", count: 16 - digits.count) + digits).suffix(count))
    }
}
