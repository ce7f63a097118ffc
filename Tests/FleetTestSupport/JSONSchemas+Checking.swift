import Foundation
import JSON
import Timestamps

extension JSONSchemas {
    /// Adds what is wrong with a value, with pointers from there.
    func check(_ value: JSONValue, _ index: Int, _ violations: inout [Violation]) {
        let node = nodes[index]
        if let allows = node.allowsAnything {
            if !allows { violations.add("nothing is allowed here") }
            return
        }
        if let reference = node.reference { check(value, reference, &violations) }
        if !node.types.isEmpty, !node.types.contains(where: { value.has($0) }) {
            violations.add("\(value.text) is no \(node.types.map(\.rawValue).joined(separator: " or "))")
        }
        if let allowed = node.allowed, !allowed.contains(value) {
            violations.add("\(value.text) is not \(allowed.map(\.text).joined(separator: " or "))")
        }
        switch value {
        case .number, .bigInteger: if let number = value.number { check(number, node, &violations) }
        case .string(let text): check(text, node, &violations)
        case .array(let elements): check(elements, node, &violations)
        case .object(let object): check(object, value, node, &violations)
        case .null, .bool: break
        }
        check(alternatives: value, node, &violations)
    }

    private func check(_ number: Double, _ node: Node, _ violations: inout [Violation]) {
        if let limit = node.minimum, number < limit { violations.add("\(number) is below \(limit)") }
        if let limit = node.exclusiveMinimum, number <= limit { violations.add("\(number) is not above \(limit)") }
        if let limit = node.maximum, number > limit { violations.add("\(number) is above \(limit)") }
        if let limit = node.exclusiveMaximum, number >= limit { violations.add("\(number) is not below \(limit)") }
    }

    private func check(_ text: String, _ node: Node, _ violations: inout [Violation]) {
        if let limit = node.minLength, text.unicodeScalars.count < limit { violations.add("shorter than \(limit)") }
        if node.isDateTime, Timestamp(iso8601: text) == nil { violations.add("\"\(text)\" is no date-time") }
        if let pattern = node.pattern, !pattern.matches(text) {
            violations.add("\"\(text)\" does not match \(pattern.pattern)")
        }
    }

    private func check(_ elements: [JSONValue], _ node: Node, _ violations: inout [Violation]) {
        if let limit = node.minItems, elements.count < limit { violations.add("fewer than \(limit) elements") }
        if let limit = node.maxItems, elements.count > limit { violations.add("more than \(limit) elements") }
        for (position, element) in elements.enumerated() {
            guard let schema = position < node.prefixItems.count ? node.prefixItems[position] : node.items else {
                continue
            }
            check(element, schema, at: "\(position)", &violations)
        }
    }

    private func check(_ object: JSONObject, _ value: JSONValue, _ node: Node, _ violations: inout [Violation]) {
        for key in node.required where object[key] == nil { violations.add("\"\(key)\" is missing") }
        if let limit = node.minProperties, object.count < limit { violations.add("fewer than \(limit) members") }
        for member in object.members {
            if let schema = node.propertyNames { check(.string(member.key), schema, at: member.key, &violations) }
            var isKnown = false
            if let schema = node.properties[member.key] {
                isKnown = true
                check(member.value, schema, at: member.key, &violations)
            }
            for (pattern, schema) in node.patternProperties where pattern.matches(member.key) {
                isKnown = true
                check(member.value, schema, at: member.key, &violations)
            }
            if !isKnown, let schema = node.additionalProperties {
                check(member.value, schema, at: member.key, &violations)
            }
        }
        for (key, schema) in node.dependentSchemas where object[key] != nil { check(value, schema, &violations) }
    }

    private func check(alternatives value: JSONValue, _ node: Node, _ violations: inout [Violation]) {
        for schema in node.allOf { check(value, schema, &violations) }
        if !node.anyOf.isEmpty, !node.anyOf.contains(where: { holds(value, $0) }) {
            violations.add("none of the alternatives: \(reasons(value, node.anyOf))")
        }
        if !node.oneOf.isEmpty {
            switch node.oneOf.count(where: { holds(value, $0) }) {
            case 0: violations.add("none of the alternatives: \(reasons(value, node.oneOf))")
            case 1: break
            case let count: violations.add("\(count) of the alternatives, and must be one")
            }
        }
        if let schema = node.not, holds(value, schema) { violations.add("\(value.text) is excluded") }
        if let condition = node.condition {
            let schema = holds(value, condition) ? node.consequence : node.alternative
            if let schema { check(value, schema, &violations) }
        }
    }

    private func holds(_ value: JSONValue, _ index: Int) -> Bool {
        var violations: [Violation] = []
        check(value, index, &violations)
        return violations.isEmpty
    }

    private func reasons(_ value: JSONValue, _ alternatives: [Int]) -> String {
        alternatives.map { index in
            var violations: [Violation] = []
            check(value, index, &violations)
            return violations.map(\.description).joined(separator: ", ")
        }.joined(separator: "; ")
    }

    private func check(_ value: JSONValue, _ index: Int, at key: String, _ violations: inout [Violation]) {
        let start = violations.count
        check(value, index, &violations)
        for index in start..<violations.count {
            violations[index].pointer = "/\(JSONPointer.escape(key))\(violations[index].pointer)"
        }
    }
}

extension [JSONSchemas.Violation] {
    fileprivate mutating func add(_ what: String) { append(Element(pointer: "", what: what)) }
}

extension JSONValue {
    fileprivate func has(_ type: JSONSchemas.JSONType) -> Bool {
        switch (type, self) {
        case (.null, .null), (.boolean, .bool), (.number, .number), (.number, .bigInteger), (.integer, .bigInteger),
            (.string, .string), (.array, .array), (.object, .object):
            true
        case (.integer, .number(let number)): number == number.rounded()
        default: false
        }
    }
}

extension NSRegularExpression {
    /// Anywhere in the text, as JSON Schema wants it.
    fileprivate func matches(_ text: String) -> Bool {
        firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }
}
