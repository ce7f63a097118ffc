internal import JSON

/// A place in the expression that is being compiled, with what is expected there.
struct ParsingContext {
    let session: CompileSession
    /// Where errors go. Attempts at one of several signatures collect theirs apart.
    let log: ErrorLog
    /// The way here in upstream's count, and as it is.
    let path: [Int]
    let place: [CompileError.Step]
    /// Lets operators infer the types of their arguments. `nil` for any.
    let expected: ExpressionType?
    let scope: Scope

    var key: String { CompileError.key(of: path) }
    var environment: CompileEnvironment { session.environment }

    /// Reports an error here, or at an element below.
    ///
    /// - Returns: `nil`, so that a parser can end with it.
    func error(_ message: String, at indices: Int..., suggestion: String? = nil) -> Node? {
        log.errors.append(
            CompileError(
                path: path + indices, place: place + indices.map { .index($0) }, message: message,
                suggestion: suggestion))
        return nil
    }

    /// - Parameter steps: The way to the child, where it is not the index that upstream gives.
    func child(
        _ index: Int, steps: [CompileError.Step]? = nil, expecting expected: ExpressionType? = nil, scope: Scope? = nil
    ) -> ParsingContext {
        ParsingContext(
            session: session, log: log, path: path + [index], place: place + (steps ?? [.index(index)]),
            expected: expected, scope: scope ?? self.scope)
    }

    /// The same place with an error log of its own.
    func attempt() -> ParsingContext {
        ParsingContext(session: session, log: ErrorLog(), path: path, place: place, expected: nil, scope: scope)
    }

    /// Reports an error unless the actual type fits.
    func check(_ actual: ExpressionType, fits expected: ExpressionType) -> Bool {
        if expected.accepts(actual) { return true }
        _ = error("Expected \(expected) but found \(actual) instead.")
        return false
    }

    /// Parses the element at that index.
    func parse(
        _ json: JSONValue, at index: Int, steps: [CompileError.Step]? = nil, expecting expected: ExpressionType? = nil,
        scope: Scope? = nil, annotation: Annotation? = nil
    ) -> Node? {
        child(index, steps: steps, expecting: expected, scope: scope).parse(json, annotation: annotation)
    }
}

/// How a value of unknown type is made to fit.
enum Annotation {
    case assert, coerce, omit
}

final class ErrorLog {
    var errors: [CompileError] = []
}

/// What all places of one compilation share.
final class CompileSession {
    /// Expressions inside each other. JSON from outside is bounded already; YAML is not.
    static let maximumDepth = 32
    /// Parts that are parsed, and parts that are evaluated with each variable counted as often as it is used.
    ///
    /// Operators with several signatures parse their arguments again for each, and variables may be made of each other:
    /// either could take exponential time.
    static let maximumSize = 200_000

    let environment: CompileEnvironment
    var partCount = 0

    init(environment: CompileEnvironment) { self.environment = environment }
}

/// The variables that can be seen from a place.
struct Scope {
    private var bindings: [(name: String, node: Node)] = []

    func adding(_ more: [(name: String, node: Node)]) -> Scope {
        var scope = self
        scope.bindings += more
        return scope
    }

    /// The innermost binding of that name.
    subscript(name: String) -> Node? {
        bindings.last { $0.name.hasSameBytes(as: name) }?.node
    }
}
