internal import Expressions
internal import JSON

extension Explanation {
    /// For people: a paragraph a property, then the rules that do not apply. Text from outside is in it as it is.
    public var lines: [String] {
        var lines: [String] = []
        for property in properties {
            if !lines.isEmpty { lines.append("") }
            lines += self.lines(property)
        }
        let others = rules.filter { if case .applies = $0.verdict { false } else { true } }
        guard !others.isEmpty else { return lines }
        if !lines.isEmpty { lines.append("") }
        lines.append("rules that do not apply:")
        for rule in others { lines.append("  \(title(rule, rule.place)): \(reason(rule))") }
        return lines
    }

    /// Of a single property: which rule it comes from, in a few words.
    public var cause: String? {
        guard let property = properties.first else { return nil }
        switch property.origin {
        case .none: return "no rule that applies sets it"
        case .defaultValue: return "the property's default, since a rule failed"
        case .rule(let index):
            guard let candidate = property.candidates.first(where: { $0.rule == index }) else { return nil }
            let inputs = candidate.inputs.isEmpty ? "" : " with \(text(candidate.inputs))"
            return "by \(title(rules[index], candidate.place))\(inputs)"
        }
    }

    private func lines(_ property: Property) -> [String] {
        let value = property.value.map(\.displayJSON.text) ?? "is not set"
        switch property.origin {
        case .none: return ["\(property.name) \(value)"] + property.candidates.flatMap(lines)
        case .defaultValue:
            return ["\(property.name) = \(value), the property's default"] + property.candidates.flatMap(lines)
        case .rule: return ["\(property.name) = \(value)"] + property.candidates.flatMap(lines)
        }
    }

    private func lines(_ candidate: Candidate) -> [String] {
        let rule = rules[candidate.rule]
        let title = title(rule, candidate.place ?? rule.place)
        var lines: [String] = []
        switch candidate.outcome {
        case .used: lines.append("  by \(title)")
        case .overruled(let value?): lines.append("  overrules \(value.displayJSON.text) by \(title)")
        case .overruled(nil): lines.append("  overrules \(title), which gives nothing")
        case .nothing: lines.append("  nothing by \(title): the result is null")
        case .inherited: lines.append("  reset by \(title)")
        case .failed(let failure): lines.append("  failed in \(title): \(text(failure))")
        case .notApplied: return ["  not by \(title): \(reason(rule))"]
        }
        if !candidate.inputs.isEmpty { lines.append("      reads \(text(candidate.inputs))") }
        if let held = candidate.held { lines.append("      held: its steps still take \(text([held]))") }
        if rule.isKeptOn { lines.append("      kept on until its own end: \(text(rule.inputs))") }
        return lines
    }

    private func title(_ rule: Rule, _ place: FilePlace?) -> String {
        let place = place.map { ", \($0.file):\($0.line)" } ?? ""
        return "\"\(rule.name)\" (\(rule.level)\(place))"
    }

    private func reason(_ rule: Rule) -> String {
        switch rule.verdict {
        case .applies: return "it applies"
        case .noMatch(let mismatches):
            return mismatches.map { mismatch in
                let expected = mismatch.expected.map(\.text).joined(separator: " or ")
                return "\(mismatch.key) is \(mismatch.found.isNull ? "unknown" : mismatch.found.text), not \(expected)"
            }.joined(separator: "; ")
        case .conditionIsFalse:
            let inputs = rule.inputs.isEmpty ? "" : " with \(text(rule.inputs))"
            return "its condition\(rule.conditionPlace.map { " at \($0)" } ?? "") is false\(inputs)"
        case .conditionFailed(let failure): return "its condition failed: \(text(failure))"
        }
    }

    private func text(_ failure: Failure) -> String {
        failure.place.map { "\($0): \(failure.message)" } ?? failure.message
    }

    private func text(_ inputs: [Input]) -> String {
        inputs.map { "\($0.name) = \($0.value?.displayJSON.text ?? "unknown")" }.joined(separator: ", ")
    }
}
