extension EvaluationError {
    /// Whether the expression as a whole came to null where its property wants a value: there is nothing to say, rather
    /// than something wrong.
    public var isMissingResult: Bool {
        guard path == "" else { return false }
        switch reason {
        case .unexpectedType(_, .null), .notAColor(.null), .notANumber(.null): return true
        default: return false
        }
    }
}
