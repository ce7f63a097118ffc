internal import Wording
internal import YAML

/// Which setting is being read, and what reading it needs.
struct Context {
    /// `sources.vacuums.hold`; empty for the whole file.
    var path: String
    let log: DiagnosticLog
    let surroundings: Surroundings
    /// The folder that relative file names start from.
    let folder: String
    /// Names that levels of a source's topics have; `nil` where nothing may name a level.
    var levelNames: Set<String>?

    func entering(_ key: String) -> Context {
        var inner = self
        inner.path = path.isEmpty ? key : "\(path).\(key)"
        return inner
    }

    /// The element of a list.
    func entering(_ index: Int) -> Context {
        var inner = self
        inner.path += "[\(index)]"
        return inner
    }

    /// A file's name as it is opened: what is not absolute starts at the configuration's folder.
    func path(ofFile name: String) -> String { name.hasPrefix("/") ? name : folder + name }

    func error(_ node: YAMLNode, _ message: String) { error(at: node.place, message) }

    func error(at place: YAMLPlace, _ message: String) {
        log.report(.error, place, path.isEmpty ? message : "\(path): \(message)")
    }

    func warning(at place: YAMLPlace, _ message: String) {
        log.report(.warning, place, path.isEmpty ? message : "\(path): \(message)")
    }

    func information(at place: YAMLPlace, _ message: String) {
        log.report(.information, place, path.isEmpty ? message : "\(path): \(message)")
    }

    /// Reports that a node is not what was expected.
    func expected(_ what: String, _ node: YAMLNode) {
        error(node, node.isNull ? "has no value; expected \(what)" : "\(node.quoted) is not \(what)")
    }
}

extension YAMLNode {
    /// The node for an error message, short. What came from the environment is not shown: it may be a secret.
    var quoted: String {
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
func hint(_ name: String, _ known: [String]) -> String {
    Suggestion.closest(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
}
