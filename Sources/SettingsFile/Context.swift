internal import Wording
package import YAML

/// Which setting is being read, and what reading it needs.
package struct Context {
    /// `sources.vacuums.hold`; empty for the whole file.
    package var path: String
    package let log: DiagnosticLog
    package let surroundings: Surroundings
    /// The folder that relative file names start from.
    package let folder: String
    /// Names that levels of a source's topics have; `nil` where nothing may name a level.
    package var levelNames: Set<String>?

    package init(path: String, log: DiagnosticLog, surroundings: Surroundings, folder: String) {
        (self.path, self.log, self.surroundings, self.folder) = (path, log, surroundings, folder)
    }

    package func entering(_ key: String) -> Context {
        var inner = self
        inner.path = path.isEmpty ? key : "\(path).\(key)"
        return inner
    }

    /// The element of a list.
    package func entering(_ index: Int) -> Context {
        var inner = self
        inner.path += "[\(index)]"
        return inner
    }

    /// A file's name as it is opened: what is not absolute starts at the configuration's folder.
    package func path(ofFile name: String) -> String { name.hasPrefix("/") ? name : folder + name }

    package func error(_ node: YAMLNode, _ message: String) { error(at: node.place, message) }

    package func error(at place: YAMLPlace, _ message: String) {
        log.report(.error, place, path.isEmpty ? message : "\(path): \(message)")
    }

    package func warning(at place: YAMLPlace, _ message: String) {
        log.report(.warning, place, path.isEmpty ? message : "\(path): \(message)")
    }

    package func information(at place: YAMLPlace, _ message: String) {
        log.report(.information, place, path.isEmpty ? message : "\(path): \(message)")
    }

    /// Reports that a node is not what was expected.
    package func expected(_ what: String, _ node: YAMLNode) {
        error(node, node.isNull ? "has no value; expected \(what)" : "\(node.quoted) is not \(what)")
    }
}

extension YAMLNode {
    /// The node for an error message, short. What came from the environment is not shown: it may be a secret.
    package var quoted: String {
        switch content {
        case .sequence: return "a list"
        case .mapping: return "a mapping"
        case .scalar(let scalar):
            let text = scalar.template ?? scalar.text
            return text.unicodeScalars.count <= 80
                ? "\"\(text)\"" : "\"\(String(String.UnicodeScalarView(text.unicodeScalars.prefix(80))))…\""
        }
    }
}

/// `; did you mean "hold"?`, or nothing.
package func hint(_ name: String, _ known: [String]) -> String {
    Suggestion.closest(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
}
