public import Expressions
public import JSON
public import Locations

extension Explanation {
    /// What is published of the properties: the styled state's `display`.
    public var display: JSONObject {
        JSONObject(properties.compactMap { property in property.value.map { (property.name, $0.displayJSON) } })
    }

    /// For programs; docs/explain-and-test.md has the shape. Members are added, never changed.
    public var json: JSONValue {
        [
            "display": .object(display), "properties": .array(properties.map(json)),
            "rules": .array(rules.map(json)),
        ]
    }

    /// The same with the location that it is about.
    public func json(of location: Location) -> JSONValue {
        var object = JSONObject([("id", .string(location.id.text)), ("source", .string(location.source.text))])
        for member in json.object?.members ?? [] { object.append(member.key, member.value) }
        return .object(object)
    }

    /// The explanation of one property alone; without any property where no rule sets it.
    public func only(_ property: String) -> Explanation {
        var result = self
        result.properties = properties.filter { $0.name.hasSameBytes(as: property) }
        return result
    }

    private func json(_ property: Property) -> JSONValue {
        var object = JSONObject([
            ("property", .string(property.name)), ("value", property.value?.displayJSON ?? .null),
        ])
        switch property.origin {
        case .rule(let index):
            object.append("rule", .string(rules[index].name))
            object.append("level", .string("\(rules[index].level)"))
            if let winner = property.candidates.first(where: { $0.rule == index }) {
                object.append(winner.place)
                if !winner.inputs.isEmpty { object.append("inputs", winner.inputs.json) }
            }
        case .defaultValue: object.append("fallback", "default")
        case .none: break
        }
        object.append("candidates", .array(property.candidates.map(json)))
        return .object(object)
    }

    private func json(_ candidate: Candidate) -> JSONValue {
        let rule = rules[candidate.rule]
        var object = JSONObject([("rule", .string(rule.name)), ("level", .string("\(rule.level)"))])
        object.append(candidate.place)
        let outcome: String
        var value: Value?
        var failure: Failure?
        switch candidate.outcome {
        case .used(let used): (outcome, value) = ("used", used)
        case .overruled(let other): (outcome, value) = ("overruled", other)
        case .nothing: outcome = "null"
        case .inherited: outcome = "inherited"
        case .failed(let why): (outcome, failure) = ("failed", why)
        case .notApplied: outcome = "not-applied"
        }
        object.append("outcome", .string(outcome))
        if let value { object.append("value", value.displayJSON) }
        if let failure { object.append("error", failure.json) }
        if !candidate.inputs.isEmpty { object.append("inputs", candidate.inputs.json) }
        if let held = candidate.held { object.append("held", [held].json) }
        return .object(object)
    }

    private func json(_ rule: Rule) -> JSONValue {
        var object = JSONObject([("rule", .string(rule.name)), ("level", .string("\(rule.level)"))])
        object.append(rule.place)
        if case .applies = rule.verdict { object.append("applies", true) } else { object.append("applies", false) }
        switch rule.verdict {
        case .applies: break
        case .noMatch(let mismatches):
            object.append("reason", "no-match")
            object.append(
                "mismatches",
                .array(
                    mismatches.map { ["key": .string($0.key), "expected": .array($0.expected), "found": $0.found] }))
        case .conditionIsFalse: object.append("reason", "condition-false")
        case .conditionFailed(let failure):
            object.append("reason", "condition-failed")
            object.append("error", failure.json)
        }
        if rule.isKeptOn { object.append("keptOn", true) }
        if !rule.inputs.isEmpty { object.append("inputs", rule.inputs.json) }
        return .object(object)
    }
}

extension Explanation.Failure {
    fileprivate var json: JSONValue {
        var object = JSONObject([("message", .string(message))])
        object.append(place)
        return .object(object)
    }
}

extension [Explanation.Input] {
    fileprivate var json: JSONValue {
        .object(JSONObject(map { ($0.name, $0.value?.displayJSON ?? .null) }))
    }
}

extension JSONObject {
    fileprivate mutating func append(_ place: FilePlace?) {
        guard let place else { return }
        append("file", .string(place.file))
        append("line", .number(Double(place.line)))
        append("column", .number(Double(place.column)))
    }
}

extension Value {
    /// The value as a styled state has it: colours as `#rrggbb` or `#rrggbbaa`, images by name.
    public var displayJSON: JSONValue {
        switch self {
        case .color(let color): .string(color.hexText)
        case .image(let image): .string(image.name)
        default: json
        }
    }
}
