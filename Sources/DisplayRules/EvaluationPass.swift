internal import Expressions

/// One way through a cascade's slots.
struct EvaluationPass {
    let cascade: Cascade
    let feature: LocationFeature
    let changed: InputSet
    /// How many expressions were evaluated.
    private(set) var count = 0

    init(cascade: Cascade, feature: LocationFeature, changed: InputSet) {
        (self.cascade, self.feature, self.changed) = (cascade, feature, changed)
    }

    mutating func run(
        _ properties: inout [Evaluation.Property], _ conditions: inout Evaluation.Conditions,
        _ errors: inout [RuleError]
    ) {
        properties.withUnsafeMutableBufferPointer { properties in
            for slot in cascade.variableSlots {
                slot._withUnsafeGuaranteedRef { slot in
                    guard slot.inputs.meets(changed) else { return }
                    update(&properties[slot.index], slot, &conditions, &errors)
                }
            }
        }
    }

    private mutating func update(
        _ property: inout Evaluation.Property, _ slot: Cascade.Slot, _ conditions: inout Evaluation.Conditions,
        _ errors: inout [RuleError]
    ) {
        let before = (fruitless: property.fruitless, failed: property.failed)
        (property.fruitless, property.failed) = (0, 0)
        var hasFailed = false
        func ask(_ candidate: Cascade.Candidate, _ index: Int) -> Bool {
            guard holds(candidate, &conditions, &errors) else { return false }
            let bit: UInt16 = 1 << index
            if !candidate.inputs.meets(changed) {
                if property.winner == index { return true }
                if before.fruitless & bit != 0 {
                    property.fruitless |= bit
                    property.failed |= before.failed & bit
                    hasFailed = hasFailed || before.failed & bit != 0
                    return false
                }
            }
            count += 1
            do throws(EvaluationError) {
                let value = try value(of: candidate, conditions)
                if !value.isMissing {
                    (property.value, property.winner) = (value, UInt16(clamping: index))
                    return true
                }
            } catch {
                if !error.isMissingResult {
                    errors.append(RuleError(cascade.rules[candidate.rule].name, slot.property.name, error))
                    property.failed |= bit
                    hasFailed = true
                }
            }
            property.fruitless |= bit
            return false
        }
        if ask(slot.strongest, 0) { return }
        for index in slot.others.indices where ask(slot.others[index], index + 1) { return }
        property.value = hasFailed ? slot.property.defaultValue : .null
        property.winner = .max
    }

    private func value(
        of candidate: Cascade.Candidate, _ conditions: Evaluation.Conditions
    ) throws(EvaluationError) -> Value {
        guard let memory = candidate.memory else { return try candidate.expression.evaluate(feature) }
        return try cascade.rules[candidate.rule].evaluate(
            candidate.expression, feature, held: conditions.remembered[memory].held)
    }

    /// Whether a candidate's rule applies.
    private mutating func holds(
        _ candidate: Cascade.Candidate, _ conditions: inout Evaluation.Conditions, _ errors: inout [RuleError]
    ) -> Bool {
        switch candidate.condition {
        case .none: return true
        case .remembered(let memory): return conditions.remembered[memory].isOn
        case .asked(let number):
            let bit: UInt64 = 1 << number
            if conditions.known & bit != 0 { return conditions.holding & bit != 0 }
            count += 1
            let holds = cascade.rules[candidate.rule].holds(cascade.conditions[number].when, "when", feature, &errors)
            conditions.known |= bit
            if holds { conditions.holding |= bit } else { conditions.holding &= ~bit }
            return holds
        }
    }
}
