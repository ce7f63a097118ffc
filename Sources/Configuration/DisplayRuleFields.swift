internal import DisplayRules
internal import JSON
internal import YAML

/// An entry of `displayRules` as it was read.
struct DisplayRuleDraft {
    var place: YAMLPlace
    var name: String?
    var match = Match()
    var when: YAMLNode?
    var properties: [YAMLEntry] = []

    /// Constants that pick the locations; `nil` where a key is not there.
    struct Match {
        var source: [(value: String, node: YAMLNode)]?
        var type: [String]?
        var location: [String]?
        var building: [String]?
        var floor: [Int]?
    }

    static var mapping: Mapping<DisplayRuleDraft> {
        Mapping(
            fields: [
                Field("name", .text, \.name, "What explains the rule to people."),
                Field(
                    "match", .mapping(matchMapping, startingWith: Match()), \.match,
                    "Which locations the rule is for; without it, all."),
                Field("when", .expression, \.when, "A condition: a MapLibre style expression."),
                Field("set", .properties, "Display properties: values or MapLibre style expressions.", required: true) {
                    draft, entries, _ in draft.properties = entries
                },
            ],
            notYet: NotYet.displayRule)
    }

    private static var matchMapping: Mapping<Match> {
        Mapping(fields: [
            Field("source", .placedOneOrMore(of: .text), \.source, "Source ids."),
            Field("type", .oneOrMore(of: .text), \.type, "Location types."),
            Field("location", .oneOrMore(of: .text), \.location, "Location ids."),
            Field("building", .oneOrMore(of: .text), \.building, "Buildings."),
            Field("floor", .oneOrMore(of: .integer(in: -1_000_000...1_000_000)), \.floor, "Floor indices."),
        ])
    }
}

extension ValueKind where Value == [DisplayRuleDraft] {
    static var displayRules: ValueKind {
        let schema: JSONValue = ["type": "array", "items": DisplayRuleDraft.mapping.schema]
        return ValueKind(schema: schema) { node, context in
            guard let nodes = node.sequence else {
                context.expected("a list of display rules", node)
                return nil
            }
            return nodes.enumerated().map { index, node in
                var draft = DisplayRuleDraft(place: node.place)
                DisplayRuleDraft.mapping.read(node, into: &draft, context.entering(index))
                return draft
            }
        }
    }
}

extension ValueKind where Value == YAMLNode {
    /// Read later, by the module that knows expressions.
    static var expression: ValueKind {
        ValueKind(schema: ["type": ["array", "boolean"]]) { node, context in
            guard node.isNull else { return node }
            context.expected("a condition such as [\"==\", [get, status], live]", node)
            return nil
        }
    }
}

extension ValueKind where Value == [YAMLEntry] {
    static var properties: ValueKind {
        let known = DisplayProperty.known.map { ($0.name, JSONValue.object(JSONObject())) }
        let schema: JSONValue = [
            "type": "object", "additionalProperties": false, "properties": .object(JSONObject(known)),
            "patternProperties": ["^x-": [:]],
        ]
        return ValueKind(schema: schema) { node, context in
            if let entries = node.mapping { return entries }
            context.expected("a mapping of display properties", node)
            return nil
        }
    }
}

extension ValueKind {
    /// A value or a list of them, each with its node.
    static func placedOneOrMore<Element>(
        of element: ValueKind<Element>
    ) -> ValueKind where Value == [(value: Element, node: YAMLNode)] {
        let list = ValueKind.list(of: element, atLeast: 1)
        return ValueKind(schema: ["anyOf": [element.schema, list.schema]]) { node, context in
            if node.sequence != nil { return list.read(node, context) }
            return element.read(node, context).map { [(value: $0, node: node)] }
        }
    }

    /// A value or a list of them.
    static func oneOrMore<Element>(of element: ValueKind<Element>) -> ValueKind where Value == [Element] {
        ValueKind<[(value: Element, node: YAMLNode)]>.placedOneOrMore(of: element).then { values, _, _ in
            values.map(\.value)
        }
    }
}
