internal import Wording

/// Turns the words after an option into a value.
public struct ValueParser<Value: Sendable>: Sendable {
    /// Takes its words off the front; most take one, `--motion gpx FILE` takes two. There is at least one.
    let read: @Sendable (_ words: inout ArraySlice<String>) throws(UsageError) -> Value

    public init(_ read: @escaping @Sendable (_ words: inout ArraySlice<String>) throws(UsageError) -> Value) {
        self.read = read
    }

    /// A value of one word.
    public static func word(_ parse: @escaping @Sendable (String) throws(UsageError) -> Value) -> ValueParser {
        ValueParser { words throws(UsageError) in
            guard let word = words.popFirst() else { throw UsageError("a value is missing") }
            return try parse(word)
        }
    }

    func map<Other: Sendable>(_ transform: @escaping @Sendable (Value) -> Other) -> ValueParser<Other> {
        ValueParser<Other> { [read] words throws(UsageError) in transform(try read(&words)) }
    }
}

extension ValueParser where Value == String {
    /// Any text that is not empty.
    public static var text: ValueParser {
        word { text throws(UsageError) in
            if text.isEmpty { throw UsageError("the value is empty") }
            return text
        }
    }

    /// One of a few words.
    public static func choice(_ choices: [String]) -> ValueParser {
        word { text throws(UsageError) in
            if choices.contains(text) { return text }
            let hint = Suggestion.closest(to: text, among: choices).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("'\(Escape.text(text))' is none of \(choices.joined(separator: ", "))\(hint)")
        }
    }
}

extension ValueParser where Value: FixedWidthInteger {
    /// A whole number in decimal digits.
    public static func integer(in range: ClosedRange<Value>) -> ValueParser {
        word { text throws(UsageError) in
            if let value = Value(text), range.contains(value) { return value }
            throw UsageError(
                "'\(Escape.text(text))' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
    }
}

extension ValueParser where Value == Duration {
    /// A duration of at least `minimum`; `off` is refused.
    public static func duration(atLeast minimum: Duration = .zero) -> ValueParser {
        word { text throws(UsageError) in
            guard let duration = try DurationText.parse(text) else { throw UsageError("'off' is not possible here") }
            if duration >= minimum { return duration }
            throw UsageError("\(Escape.text(text)) is less than \(DurationText.text(minimum))")
        }
    }
}

extension ValueParser where Value == Duration? {
    /// A duration, or `nil` for `off`.
    public static var durationOrOff: ValueParser {
        word { text throws(UsageError) in try DurationText.parse(text) }
    }
}
