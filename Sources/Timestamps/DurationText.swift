/// Durations as people write them: `500ms`, `10s`, `5m`, `24h`, `7d`.
extension Duration {
    /// Why a text is no duration, for people: the words after the quoted text.
    public struct SyntaxError: Error, Hashable, Sendable {
        public var message: String
    }

    /// Reads a whole or decimal number with its unit: `ms`, `s`, `m`, `h` or `d`, nothing between them.
    ///
    /// - Throws: When the text is anything else (`off` too), or longer than 100 years (36 500 d).
    public init(text: String) throws(SyntaxError) {
        guard let duration = Self.number(text) else {
            throw SyntaxError(message: "is not a duration; write 500ms, 10s, 5m, 24h or 7d")
        }
        guard duration <= .seconds(36_500 * 86_400) else { throw SyntaxError(message: "is longer than 100 years") }
        self = duration
    }

    /// The duration as ``init(text:)`` reads it, in the largest unit that leaves a whole number; milliseconds at the
    /// finest.
    public var text: String {
        let (seconds, attoseconds) = components
        if attoseconds != 0 { return "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)ms" }
        for (unit, length) in [("d", 86_400), ("h", 3_600), ("m", 60)] as [(String, Int64)]
        where seconds != 0 && seconds % length == 0 {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }

    private static func number(_ text: String) -> Duration? {
        let digits = text.utf8.prefix {
            $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        let unit: Int64? =
            switch String(text[digits.endIndex...]) {
            case "ms": 1
            case "s": 1_000
            case "m": 60_000
            case "h": 3_600_000
            case "d": 86_400_000
            default: nil
            }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            String($0) ?? ""
        }
        // Nine digits each keep every product below far within 64 bits: 10⁹ × 86 400 000 × 10³.
        guard let unit, (1...2).contains(parts.count), parts.allSatisfy({ (1...9).contains($0.utf8.count) }),
            let whole = Int64(parts[0])
        else { return nil }
        var duration = Duration.milliseconds(whole * unit)
        if parts.count == 2 {
            guard let fraction = Int64(parts[1]) else { return nil }
            let scale = (0..<parts[1].utf8.count).reduce(Int64(1)) { scale, _ in scale * 10 }
            duration += .nanoseconds(fraction * unit * (1_000_000_000 / scale) / 1_000)
        }
        return duration
    }
}
