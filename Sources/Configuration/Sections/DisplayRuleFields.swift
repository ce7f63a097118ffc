internal import DisplayRules
internal import JSON
internal import SettingsFile
internal import YAML

/// An entry of `displayRules` as it was read.
struct DisplayRuleDraft {
    var place: YAMLPlace
    var name: String?
    var match = Match()
    var when: YAMLNode?
    var until: YAMLNode?
    var hysteresis: (value: Hysteresis, node: YAMLNode)?
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
                Field("until", .expression, \.until, "What ends the rule, once its `when` has begun it."),
                Field("hysteresis", .hysteresis, "Keeps the rule's steps over an input from flickering.") {
                    draft, hysteresis, node in draft.hysteresis = (hysteresis, node)
                },
                Field("set", .properties, "Display properties: values or MapLibre style expressions.", required: true) {
                    draft, entries, _ in draft.properties = entries
                },
            ])
    }

    struct HysteresisDraft {
        var get: String?
        var margin: Double?
        var hold: Duration?
    }

    fileprivate static var hysteresisMapping: Mapping<HysteresisDraft> {
        Mapping(fields: [
            Field("get", .text, "The input: a number among the location's fields and properties.", required: true) {
                draft, name, _ in draft.get = name
            },
            Field(
                "margin", .number("a distance: a number above 0", in: Double.leastNonzeroMagnitude...1e9), \.margin,
                "How far beyond a limit its band is left at once."),
            Field("hold", .duration(in: .milliseconds(1) ... .longest), \.hold, "When its band is left all the same."),
        ])
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
        var schema: JSONValue { ["type": "array", "items": DisplayRuleDraft.mapping.schema] }
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

extension ValueKind where Value == Hysteresis {
    fileprivate static var hysteresis: ValueKind {
        let draft = ValueKind<DisplayRuleDraft.HysteresisDraft>.mapping(
            DisplayRuleDraft.hysteresisMapping, startingWith: DisplayRuleDraft.HysteresisDraft())
        return draft.then { draft, node, context in
            guard let property = draft.get else { return nil }
            // One that is there and wrong has been reported.
            let keys = node.mapping?.map(\.key) ?? []
            if !keys.contains("margin"), !keys.contains("hold") {
                context.error(node, "neither margin nor hold: the band would never be left")
                return nil
            }
            return Hysteresis(property: property, margin: draft.margin, hold: draft.hold)
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
        var schema: JSONValue {
            [
                "type": "object", "additionalProperties": false, "properties": .object(JSONObject(known)),
                "patternProperties": ["^x-": [:]],
            ]
        }
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
