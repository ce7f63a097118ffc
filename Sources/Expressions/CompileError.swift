/// A fault of an expression that is found before it is evaluated.
public struct CompileError: Error, Hashable {
    /// One step into JSON.
    public enum Step: Sendable, Hashable {
        case index(Int)
        case member(String)
    }

    /// What upstream gives as the way to the element at fault. Some operators give their parts another's index: see
    /// ``place``.
    public let path: [Int]
    /// The way from the whole to the very element at fault; empty for the whole.
    public let place: [Step]
    /// What is wrong, in upstream's words.
    public let message: String
    /// The nearest name of an operator, where the fault is an unknown one.
    public let suggestion: String?

    init(path: [Int], place: [Step]? = nil, message: String, suggestion: String? = nil) {
        self.path = path
        self.place = place ?? path.map { .index($0) }
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
