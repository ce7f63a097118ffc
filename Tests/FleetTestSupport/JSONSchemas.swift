import Foundation
public import JSON

/// JSON Schemas (draft 2020-12) that may refer to each other by file name, with the keywords that the project's own
/// schemas use.
///
/// Any other keyword is an error: none is silently not checked.
public struct JSONSchemas: Sendable {
    /// What is wrong with a schema.
    public struct Fault: Error, Hashable, CustomStringConvertible {
        /// `state.schema.json#/properties/id`
        public var place: String
        public var what: String

        public var description: String { "\(place): \(what)" }
    }

    /// What is wrong with a value.
    public struct Violation: Hashable, Sendable, CustomStringConvertible {
        /// A JSON Pointer into the value.
        public var pointer: String
        public var what: String

        public var description: String { "\(pointer.isEmpty ? "the whole" : pointer): \(what)" }
    }

    /// All schemas and subschemas; they refer to each other by index.
    var nodes: [Node] = []
    /// By place: `state.schema.json#` and `state.schema.json#/$defs/x`.
    private var places: [String: Int] = [:]

    /// - Parameter documents: By file name.
    public init(_ documents: [String: JSONValue]) throws(Fault) {
        for (name, document) in documents.sorted(by: { $0.key < $1.key }) { _ = try compile(document, at: "\(name)#") }
        for node in nodes {
            guard let target = node.target else { continue }
            guard let found = places[target] else {
                throw Fault(place: node.place, what: "there is no schema at \(target)")
            }
            node.reference = found
        }
    }

    /// Holds a value against the schema in a file, or against a part of it: `state.schema.json`,
    /// `request.schema.json#/$defs/explain`.
    public func violations(of value: JSONValue, against name: String) -> [Violation] {
        guard let node = places[name.contains("#") ? name : name + "#"] else {
            return [Violation(pointer: "", what: "there is no schema \(name)")]
        }
        var violations: [Violation] = []
        check(value, node, &violations)
        return violations
    }

    /// One schema. A class, since checking a value would copy all of a structure; nothing changes after reading.
    final class Node: @unchecked Sendable {
        let place: String
        /// For the schemas `true` and `false`.
        var allowsAnything: Bool?
        var types: [JSONType] = []
        var allowed: [JSONValue]?
        /// What `$ref` says, and where that is.
        var target: String?
        var reference: Int?

        var properties: [String: Int] = [:]
        var patternProperties: [(pattern: NSRegularExpression, node: Int)] = []
        var additionalProperties: Int?
        var propertyNames: Int?
        var required: [String] = []
        var minProperties: Int?
        var dependentSchemas: [(key: String, node: Int)] = []

        var prefixItems: [Int] = []
        var items: Int?
        var minItems: Int?
        var maxItems: Int?

        var minimum: Double?
        var exclusiveMinimum: Double?
        var maximum: Double?
        var exclusiveMaximum: Double?
        var minLength: Int?
        var pattern: NSRegularExpression?
        /// `format`: an ISO 8601 moment.
        var isDateTime = false

        var not: Int?
        var allOf: [Int] = []
        var anyOf: [Int] = []
        var oneOf: [Int] = []
        var condition: Int?
        var consequence: Int?
        var alternative: Int?

        init(place: String) { self.place = place }
    }

    enum JSONType: String, Sendable {
        case null, boolean, number, integer, string, array, object
    }
}

// MARK: Reading

extension JSONSchemas {
    private mutating func compile(_ schema: JSONValue, at place: String) throws(Fault) -> Int {
        let index = nodes.count
        places[place] = index
        let node = Node(place: place)
        nodes.append(node)
        switch schema {
        case .bool(let allows): node.allowsAnything = allows
        case .object(let object):
            for member in object.members { try read(member.key, member.value, into: node) }
        default: throw Fault(place: place, what: "a schema is an object, true or false")
        }
        return index
    }

    private mutating func read(_ keyword: String, _ value: JSONValue, into node: Node) throws(Fault) {
        let place = "\(node.place)/\(keyword)"
        switch keyword {
        case "$schema":
            guard value == "https://json-schema.org/draft/2020-12/schema" else {
                throw Fault(place: place, what: "another draft")
            }
        case "title", "description": _ = try text(value, place)
        case "$defs": _ = try map(value, place)
        case "$ref":
            let target = try text(value, place)
            node.target = target.hasPrefix("#") ? node.place.prefix { $0 != "#" } + target : target
            if node.target?.contains("#") == false { node.target? += "#" }
        case "type":
            for name in value.array ?? [value] {
                guard let type = JSONType(rawValue: try text(name, place)) else {
                    throw Fault(place: place, what: "no type")
                }
                node.types.append(type)
            }
        case "const": node.allowed = [value]
        case "enum": node.allowed = try list(value, place)
        case "properties": node.properties = Dictionary(uniqueKeysWithValues: try map(value, place).map { ($0, $1) })
        case "patternProperties":
            for (pattern, schema) in try map(value, place) {
                node.patternProperties.append((try expression(.string(pattern), place), schema))
            }
        case "additionalProperties": node.additionalProperties = try compile(value, at: place)
        case "propertyNames": node.propertyNames = try compile(value, at: place)
        case "required": for name in try list(value, place) { node.required.append(try text(name, place)) }
        case "minProperties": node.minProperties = try count(value, place)
        case "dependentSchemas": node.dependentSchemas = try map(value, place)
        case "prefixItems": node.prefixItems = try schemas(value, place)
        case "items": node.items = try compile(value, at: place)
        case "minItems": node.minItems = try count(value, place)
        case "maxItems": node.maxItems = try count(value, place)
        case "minimum": node.minimum = try number(value, place)
        case "exclusiveMinimum": node.exclusiveMinimum = try number(value, place)
        case "maximum": node.maximum = try number(value, place)
        case "exclusiveMaximum": node.exclusiveMaximum = try number(value, place)
        case "minLength": node.minLength = try count(value, place)
        case "format":
            guard value == "date-time" else { throw Fault(place: place, what: "an unknown format") }
            node.isDateTime = true
        case "pattern": node.pattern = try expression(value, place)
        case "not": node.not = try compile(value, at: place)
        case "allOf": node.allOf = try schemas(value, place)
        case "anyOf": node.anyOf = try schemas(value, place)
        case "oneOf": node.oneOf = try schemas(value, place)
        case "if": node.condition = try compile(value, at: place)
        case "then": node.consequence = try compile(value, at: place)
        case "else": node.alternative = try compile(value, at: place)
        default: throw Fault(place: place, what: "an unknown keyword")
        }
    }

    private mutating func map(_ value: JSONValue, _ place: String) throws(Fault) -> [(key: String, node: Int)] {
        guard let object = value.object else { throw Fault(place: place, what: "no object of schemas") }
        var result: [(key: String, node: Int)] = []
        for member in object.members {
            result.append((member.key, try compile(member.value, at: "\(place)/\(JSONPointer.escape(member.key))")))
        }
        return result
    }

    private mutating func schemas(_ value: JSONValue, _ place: String) throws(Fault) -> [Int] {
        var result: [Int] = []
        for (index, schema) in try list(value, place).enumerated() {
            result.append(try compile(schema, at: "\(place)/\(index)"))
        }
        return result
    }

    private func list(_ value: JSONValue, _ place: String) throws(Fault) -> [JSONValue] {
        guard let elements = value.array, !elements.isEmpty else { throw Fault(place: place, what: "no list") }
        return elements
    }

    private func text(_ value: JSONValue, _ place: String) throws(Fault) -> String {
        guard let text = value.string else { throw Fault(place: place, what: "no text") }
        return text
    }

    private func number(_ value: JSONValue, _ place: String) throws(Fault) -> Double {
        guard let number = value.number else { throw Fault(place: place, what: "no number") }
        return number
    }

    private func count(_ value: JSONValue, _ place: String) throws(Fault) -> Int {
        guard let count = Int(exactly: try number(value, place)), count >= 0 else {
            throw Fault(place: place, what: "no count")
        }
        return count
    }

    private func expression(_ value: JSONValue, _ place: String) throws(Fault) -> NSRegularExpression {
        let pattern = try text(value, place)
        // ICU's `$` lets a line break follow, that of JSON Schema does not.
        let isAnchored = pattern.hasSuffix("$") && !pattern.hasSuffix("\\$")
        let exact = isAnchored ? pattern.dropLast() + "\\z" : pattern
        guard let expression = try? NSRegularExpression(pattern: exact) else {
            throw Fault(place: place, what: "no regular expression: \(pattern)")
        }
        return expression
    }
}
