/// Durations as people write them: `500ms`, `10s`, `5m`, `24h`, `7d`, or `off`.
public enum DurationText {
    /// Reads a whole or decimal number with its unit: `ms`, `s`, `m`, `h` or `d`.
    ///
    /// - Returns: `nil` for `off`.
    /// - Throws: When the text is anything else, or longer than 100 years (36 500 d).
    public static func parse(_ text: String) throws(UsageError) -> Duration? {
        guard text != "off" else { return nil }
        guard let duration = number(text) else {
            throw UsageError("'\(Escape.text(text))' is not a duration; write 500ms, 10s, 5m, 24h or 7d")
        }
        guard duration <= .seconds(36_500 * 86_400) else {
            throw UsageError("'\(Escape.text(text))' is longer than 100 years")
        }
        return duration
    }

    /// A duration as ``parse(_:)`` reads it, in the largest unit that leaves a whole number; milliseconds at the finest.
    public static func text(_ duration: Duration?) -> String {
        guard let duration else { return "off" }
        let (seconds, attoseconds) = duration.components
        if attoseconds != 0 { return "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)ms" }
        for (unit, length) in [("d", 86_400), ("h", 3_600), ("m", 60)] as [(String, Int64)] {
            if seconds != 0, seconds % length == 0 { return "\(seconds / length)\(unit)" }
        }
        return "\(seconds)s"
    }

    private static func number(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit: Int64? =
            switch text[digits.endIndex...] {
            case "ms": 1
            case "s": 1_000
            case "m": 60_000
            case "h": 3_600_000
            case "d": 86_400_000
            default: nil
            }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        // Nine digits each keep every product below far within 64 bits: 10⁹ × 86 400 000 × 10³.
        guard let unit, (1...2).contains(parts.count), parts.allSatisfy({ (1...9).contains($0.count) }),
            let whole = Int64(parts[0])
        else { return nil }
        var duration = Duration.milliseconds(whole * unit)
        if parts.count == 2 {
            guard let fraction = Int64(parts[1]) else { return nil }
            let scale = (0..<parts[1].count).reduce(Int64(1)) { scale, _ in scale * 10 }
            duration += .nanoseconds(fraction * unit * (1_000_000_000 / scale) / 1_000)
        }
        return duration
    }
}
