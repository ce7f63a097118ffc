internal import Expressions
public import Locations

/// The rules for one kind of location, turned round: for each property what may set it, strongest first.
///
/// A class, since it has many parts and every state is made with it.
public final class Cascade: Sendable {
    struct Candidate: Sendable {
        /// Index of the rule.
        let rule: Int
        let expression: Expression
        let bands: StepBands?
    }

    final class Slot: Sendable {
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

    let rules: [DisplayRule]
    let slots: [Slot]
    /// Those of the slots that have steps.
    let bandedSlots: [Int]
    /// The rules whose effect depends on what was before, and for each rule which of them it is.
    let remembering: [DisplayRule]
    let memoryIndex: [Int?]
    private let hasConditions: Bool

    /// - Parameter rules: Strongest first.
    init(_ rules: [DisplayRule]) {
        self.rules = rules
        remembering = rules.filter(\.needsMemory)
        var count = 0
        memoryIndex = rules.map { rule in
            guard rule.needsMemory else { return nil }
            defer { count += 1 }
            return count
        }
        hasConditions = rules.contains { $0.when != nil }
        slots = DisplayProperty.inOrder(of: rules).map { property in
            let candidates: [Candidate] = rules.enumerated().compactMap { (index, rule) in
                let position = rule.settings.firstIndex { $0.property.name.hasSameBytes(as: property.name) }
                guard let position, case .expression(let expression) = rule.settings[position].setting else {
                    return nil
                }
                return Candidate(rule: index, expression: expression, bands: rule.bands[position])
            }
            return Slot(property, candidates, rules)
        }
        bandedSlots = slots.indices.filter { [slots] index in slots[index].candidates.contains { $0.bands != nil } }
    }

    /// Evaluates the rules for a location.
    ///
    /// A result of null passes on to what is inherited, and in the end leaves the property out. A failing expression does
    /// too, but in the end gives the property's default.
    ///
    /// - Parameter errors: Gets what failed.
    public func resolve(_ location: Location, errors: inout [RuleError]) -> Display {
        if needsMemory { return resolve(location, memory: freshMemory(of: location), errors: &errors) }
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
