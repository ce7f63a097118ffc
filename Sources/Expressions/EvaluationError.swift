/// Why an expression gave no value for a feature. It ends the whole evaluation: neither `case` nor `coalesce` catches
/// it.
///
/// The text is built only when asked for, so that a feature without the property costs little.
public struct EvaluationError: Error {
    /// The index path of the part that failed, `[2][0]`; empty for the whole. `nil` for faults that upstream reports
    /// without a place: bad options of `number-format` and `collator`.
    public let path: String?
    let reason: Reason

    enum Reason: Error {
        case unexpectedType(ExpressionType, Value)
        case notComparable(operator: String, Value, Value)
        case notAColor(Value)
        case notANumber(Value)
        case outOfRange(Double, ClosedRange<Double>)
        case other(String)
    }

    init(_ path: String?, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// What is wrong, in upstream's words.
    public var message: String {
        switch reason {
        case .unexpectedType(let expected, let value):
            "Expected value to be of type \(expected), but found \(value.type) instead."
        case .notComparable(let name, let left, let right):
            "Expected arguments for \"\(name)\" to be (string, string) or (number, number), but found "
                + "(\(left.type.kind), \(right.type.kind)) instead."
        case .notAColor(let value): "Could not parse color from value '\(value.textOrJSON)'"
        case .notANumber(let value): "Could not convert \(value.jsonText) to number."
        case .outOfRange(let number, let range): range.refusal(of: number)
        case .other(let message): message
        }
    }
}

extension EvaluationError: CustomStringConvertible {
    public var description: String {
        path.map { $0.isEmpty ? message : "\($0): \(message)" } ?? message
    }
}

extension ClosedRange<Double> {
    /// In the words with which upstream refuses a constant.
    func refusal(of number: Double) -> String {
        number < lowerBound
            ? "\(NumberText.text(of: number)) is less than the minimum value \(NumberText.text(of: lowerBound))"
            : "\(NumberText.text(of: number)) is greater than the maximum value \(NumberText.text(of: upperBound))"
    }
}

extension Value {
    fileprivate var textOrJSON: String {
        if case .string(let text) = self { text } else { jsonText }
    }
}
