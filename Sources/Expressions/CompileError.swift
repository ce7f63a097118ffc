/// A fault of an expression that is found before it is evaluated.
public struct CompileError: Error, Hashable {
    /// The indices that lead from the whole to the element at fault; empty for the whole.
    public let path: [Int]
    /// What is wrong, in upstream's words.
    public let message: String
    /// The nearest name of an operator, where the fault is an unknown one.
    public let suggestion: String?

    init(path: [Int], message: String, suggestion: String? = nil) {
        self.path = path
        self.message = message
        self.suggestion = suggestion
    }

    /// The path as upstream writes it: `[2][0]`.
    public var key: String { CompileError.key(of: path) }

    static func key(of path: [Int]) -> String { path.map { "[\($0)]" }.joined() }
}

/// All faults of one expression, in upstream's order. Never empty.
public struct CompileErrors: Error, Hashable {
    public let errors: [CompileError]
}
