package import YAML

/// Puts the values of environment variables in the place of `${NAME}` and `${NAME:-default}`.
///
/// It works on values that are already told apart, so that no variable can bring in further settings. `$${` stays `${`.
package struct EnvironmentSubstitution {
    package let variable: (String) -> [UInt8]?
    package let report: (YAMLError) -> Void

    package init(variable: @escaping (String) -> [UInt8]?, report: @escaping (YAMLError) -> Void) {
        (self.variable, self.report) = (variable, report)
    }

    package func apply(to node: YAMLNode) -> YAMLNode {
        var node = node
        switch node.content {
        case .sequence(let nodes): node.content = .sequence(nodes.map(apply))
        case .mapping(let entries):
            node.content = .mapping(
                entries.map { YAMLEntry(key: $0.key, keyPlace: $0.keyPlace, value: apply(to: $0.value)) })
        case .scalar(var scalar):
            guard scalar.text.utf8.contains(UInt8(ascii: "$")) else { return node }
            do throws(YAMLError) {
                let text = try expand(scalar.text, at: node.place)
                if !text.utf8.elementsEqual(scalar.text.utf8) { scalar.template = scalar.text }
                scalar.text = text
            } catch {
                report(error)
            }
            node.content = .scalar(scalar)
        }
        return node
    }

    private func expand(_ text: String, at place: YAMLPlace) throws(YAMLError) -> String {
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                result += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                guard let end = rest.firstIndex(of: "}") else { throw YAMLError(place, "${ is not closed with }") }
                result += try value(of: rest[rest.index(rest.startIndex, offsetBy: 2)..<end], at: place)
                rest = rest[rest.index(after: end)...]
            } else {
                result += "$"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private func value(of reference: Substring, at place: YAMLPlace) throws(YAMLError) -> String {
        let name = reference.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        let tail = reference.dropFirst(name.count)
        guard !name.isEmpty, name.first?.isNumber == false, tail.isEmpty || tail.hasPrefix(":-") else {
            throw YAMLError(place, "${\(reference)} is neither ${NAME} nor ${NAME:-default}")
        }
        let bytes = variable(String(name))
        let value = bytes.flatMap { String(validating: $0, as: UTF8.self) }
        if bytes != nil, value == nil {
            throw YAMLError(place, "the environment variable \(name) is not UTF-8")
        }
        if tail.isEmpty {
            guard let value else {
                throw YAMLError(
                    place, "the environment variable \(name) is not set; ${\(name):-default} gives a default")
            }
            return value
        }
        // As in a shell, an empty one counts as not set.
        return value.flatMap { $0.isEmpty ? nil : $0 } ?? String(tail.dropFirst(2))
    }
}
