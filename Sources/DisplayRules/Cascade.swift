internal import Expressions
public import Locations

/// The rules for one kind of location, turned round: for each property what may set it, strongest first.
public struct Cascade: Sendable {
    private struct Candidate: Sendable {
        /// Index of the rule.
        let rule: Int
        let expression: Expression
    }

    private final class Slot: Sendable {
        let property: DisplayProperty
        let candidates: [Candidate]
        /// What is shown, where that is the same for every location.
        let constant: Display.Item?

        init(_ property: DisplayProperty, _ candidates: [Candidate], _ rules: [DisplayRule]) {
            (self.property, self.candidates) = (property, candidates)
            let strongest = candidates.first
            let value = strongest.flatMap { rules[$0.rule].when == nil ? $0.expression.constantValue : nil }
            constant = value.flatMap { $0.isMissing ? nil : Display.Item(property: property.name, value: $0) }
        }
    }

    private let rules: [DisplayRule]
    private let slots: [Slot]
    private let hasConditions: Bool

    /// - Parameter rules: Strongest first.
    init(_ rules: [DisplayRule]) {
        self.rules = rules
        hasConditions = rules.contains { $0.when != nil }
        var properties: [DisplayProperty] = []
        for rule in rules.reversed() {
            for (property, _) in rule.settings where !properties.contains(where: { $0.name == property.name }) {
                properties.append(property)
            }
        }
        let rank = DisplayProperty.known.map(\.name)
        let ordered = properties.enumerated().sorted { a, b in
            let first = rank.firstIndex(of: a.element.name) ?? rank.count + a.offset
            return first < rank.firstIndex(of: b.element.name) ?? rank.count + b.offset
        }
        slots = ordered.map { (_, property) in
            let candidates: [Candidate] = rules.enumerated().compactMap { (index, rule) in
                let setting = rule.settings.first { $0.property.name == property.name }?.setting
                guard case .expression(let expression) = setting else { return nil }
                return Candidate(rule: index, expression: expression)
            }
            return Slot(property, candidates, rules)
        }
    }

    /// Evaluates the rules for a location.
    ///
    /// A result of null passes on to what is inherited, and in the end leaves the property out. A failing expression does
    /// too, but in the end gives the property's default.
    ///
    /// - Parameter errors: Gets what failed.
    public func resolve(_ location: Location, errors: inout [RuleError]) -> Display {
        let feature = LocationFeature(location)
        let globals = EvaluationGlobals.none
        var conditions = hasConditions ? [Bool?](repeating: nil, count: rules.count) : []
        var display = Display(capacity: slots.count)
        for slot in slots {
            if let constant = slot.constant {
                display.add(constant)
                continue
            }
            var failed = false
            var value = Value.null
            for index in slot.candidates.indices {
                if hasConditions {
                    let candidate = slot.candidates[index]
                    let holds = conditions[candidate.rule] ?? condition(candidate.rule, feature, &errors)
                    conditions[candidate.rule] = holds
                    guard holds else { continue }
                }
                do throws(EvaluationError) {
                    value = try slot.candidates[index].expression.evaluate(feature, globals: globals)
                } catch {
                    if error.isMissingResult { continue }
                    failed = true
                    errors.append(RuleError(rules[slot.candidates[index].rule].name, slot.property.name, error))
                    continue
                }
                if !value.isMissing { break }
                value = .null
            }
            if case .null = value, failed { value = slot.property.defaultValue }
            if !value.isMissing { display.add(Display.Item(property: slot.property.name, value: value)) }
        }
        return display
    }

    /// An error in a condition means that the rule does not apply.
    private func condition(_ index: Int, _ feature: LocationFeature, _ errors: inout [RuleError]) -> Bool {
        guard let when = rules[index].when else { return true }
        do throws(EvaluationError) {
            return try when.holds(for: feature)
        } catch {
            errors.append(RuleError(rules[index].name, "when", error))
            return false
        }
    }
}

/// An expression of a rule that failed for a location.
public struct RuleError: Sendable {
    public let rule: String
    /// The property's name, or `when`.
    public let property: String
    private let error: EvaluationError

    init(_ rule: String, _ property: String, _ error: EvaluationError) {
        (self.rule, self.property, self.error) = (rule, property, error)
    }

    /// What is wrong and where in the expression.
    public var message: String { error.description }
}
