internal import DisplayRules
internal import Expressions
internal import JSON
internal import YAML

/// Holds what is there against what is expected of it, which may be less: keys that are not expected do not count.
struct StateComparison {
    struct Difference {
        var place: YAMLPlace
        /// The keys that lead to it, joined by points.
        var path: [String]
        var expected: String
        var actual: String
    }

    private(set) var differences: [Difference] = []

    /// - Parameter actual: `nil` where there is nothing.
    mutating func compare(_ expected: YAMLNode, _ actual: JSONValue?, path: [String] = []) {
        switch expected.content {
        case .mapping(let entries):
            guard case .object(let object)? = actual else { return add(expected, actual, path) }
            for entry in entries { compare(entry.value, object[entry.key], path: path + [entry.key]) }
        case .sequence(let nodes):
            guard case .array(let elements)? = actual, elements.count == nodes.count else {
                return add(expected, actual, path)
            }
            for (index, node) in nodes.enumerated() {
                compare(node, elements[index], path: path + [String(index)])
            }
        case .scalar:
            let value = expected.plainJSON
            if value.isNull, actual == nil { return }
            if let actual, value == actual || Self.isSameColor(value, actual, path) { return }
            add(expected, actual, path)
        }
    }

    /// A colour may be written in any way of CSS.
    private static func isSameColor(_ expected: JSONValue, _ actual: JSONValue, _ path: [String]) -> Bool {
        guard path.count >= 2, path[path.count - 2] == "display", let text = expected.string, let other = actual.string,
            case .color? = DisplayProperty.named(path[path.count - 1])?.specification.type,
            let color = Color(css: text)
        else { return false }
        return color.hexText == other
    }

    private mutating func add(_ expected: YAMLNode, _ actual: JSONValue?, _ path: [String]) {
        let value = expected.plainJSON
        differences.append(
            Difference(
                place: expected.place, path: path, expected: value.isNull ? "nothing" : value.text,
                actual: actual.map(\.text) ?? "nothing"))
    }
}

extension YAMLNode {
    /// As JSON; what JSON cannot hold was reported when the file was read.
    var plainJSON: JSONValue { json { _ in } }
}
