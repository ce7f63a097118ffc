internal import Wording
package import YAML

/// One thing to say about a configuration file.
public struct Diagnostic: Sendable, Hashable, Error {
    public enum Severity: String, Sendable {
        /// The file cannot be used.
        case error
        case warning
        /// Nothing is wrong.
        case information = "info"
    }

    public var severity: Severity
    /// As the user named it.
    public var file: String
    /// Counted from 1, the column in characters; both `nil` where the file could not even be read.
    public var line: Int?
    public var column: Int?
    /// What is wrong and what was expected: one line, without control characters.
    public var message: String

    package init(severity: Severity, file: String, line: Int? = nil, column: Int? = nil, message: String) {
        (self.severity, self.file, self.line, self.column) = (severity, file, line, column)
        self.message = message
    }
}

extension Diagnostic: CustomStringConvertible {
    /// `fleet-bridge.yaml:12:5: error: …`
    public var description: String {
        let place = if let line, let column { ":\(line):\(column)" } else { "" }
        return "\(Escape.text(file))\(place): \(severity.rawValue): \(message)"
    }
}

extension YAMLPlace {
    /// Of what stands in no file, but came with a request.
    package static let request = YAMLPlace(line: 0, column: 0)
}

/// Collects what is said about one file while it is read.
package final class DiagnosticLog {
    private let file: String
    private var found: Set<Diagnostic> = []

    package init(file: String) { self.file = file }

    package func report(_ severity: Diagnostic.Severity, _ place: YAMLPlace?, _ message: String) {
        let (file, place) = place == .request ? ("request", nil) : (file, place)
        // A set: what stands once and is repeated by aliases is told once.
        found.insert(
            Diagnostic(
                severity: severity, file: file, line: place?.line, column: place?.column, message: Escape.text(message))
        )
    }

    package var hasErrors: Bool { found.contains { $0.severity == .error } }

    /// Errors and warnings in the order of the file.
    package var diagnostics: [Diagnostic] { sorted { $0.severity != .information } }

    /// In the order of the file.
    package var information: [Diagnostic] { sorted { $0.severity == .information } }

    private func sorted(_ isIncluded: (Diagnostic) -> Bool) -> [Diagnostic] {
        found.filter(isIncluded).sorted {
            ($0.line ?? 0, $0.column ?? 0, $0.message) < ($1.line ?? 0, $1.column ?? 0, $1.message)
        }
    }
}
