internal import JSON

/// Other values in place of one, to see what they change.
enum Variations {
    /// A value that stands there instead; `nil`: nothing does.
    struct Variation {
        var value: JSONValue?
        /// The number that it is, also as text.
        var number: Double?
    }

    /// Small steps find the unit of angles and fractions, whole ones that of counters and codes. Large numbers are whole.
    private static func numbers(near number: Double) -> [Double] {
        // 0 is within almost every range, so what is far out is found too.
        ([1, -1, 2] + (number.magnitude < 1e6 ? [0.001, -0.001] : [])).map { number + $0 } + [0]
    }

    /// Runs of digits in one text that are changed one by one: `59.43,24.75` has two coordinates.
    private static let runsAtMost = 8

    static func of(_ value: JSONValue) -> [Variation] {
        let gone = Variation(value: nil)
        switch value {
        case .number(let number):
            return numbers(near: number).map { Variation(value: .number($0), number: $0) } + [gone]
        case .bool(let value): return [Variation(value: .bool(!value)), gone]
        case .string(let text):
            let numbers = DecimalText.number(text).map { number in
                Self.numbers(near: number).map { Variation(value: .string(JSONNumber.text(of: $0)), number: $0) }
            }
            // What is no number may have to be one.
            return (numbers ?? [Variation(value: "1")])
                + (runs(text) + [text + "~"]).map { Variation(value: .string($0)) } + [gone]
        case .bigInteger(let digits): return runs(digits).map { Variation(value: .bigInteger($0)) } + [gone]
        case .null: return [Variation(value: 1, number: 1), gone]
        case .array, .object: return [gone]
        }
    }

    /// The text with the last digit of one run changed, for each run.
    private static func runs(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        func isDigit(_ index: Int) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) }
        let ends = bytes.indices.filter { isDigit($0) && ($0 + 1 == bytes.count || !isDigit($0 + 1)) }
        return ends.prefix(runsAtMost).map { end in
            var changed = bytes
            changed[end] = bytes[end] == UInt8(ascii: "9") ? UInt8(ascii: "8") : bytes[end] + 1
            return String(decoding: changed, as: UTF8.self)
        }
    }
}
