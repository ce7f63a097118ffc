internal import Expressions
internal import Locations

/// What the expressions of a cascade came to for one location. What is evaluated again, and what that changes:
///
/// - A condition and a candidate keep their outcome as long as nothing that they read changes.
/// - A candidate that was not asked, since its rule does not apply or a stronger one was used, has no outcome to keep.
/// - So of a slot's candidates one at most has given its value, and that is the one that stands among the values.
struct Evaluation: Sendable {
    /// What a candidate came to.
    enum Outcome: UInt8, Sendable {
        case unknown
        /// What is inherited counts.
        case nothing, failed
        /// The value of its slot.
        case value
    }

    /// What is remembered for a rule, as far as expressions see it.
    struct Remembered: Sendable, Equatable {
        var isOn = false
        /// The input as steps take it; `nil`: as it is.
        var held: Double?
    }

    /// Of the slots that are not constant.
    private(set) var values: [Value]
    private(set) var outcomes: [Outcome]
    /// For each rule whether its condition holds; empty where no rule has one.
    private var conditions: [Bool?]
    /// Of the rules with a memory.
    private(set) var remembered: [Remembered]

    init(of cascade: Cascade) {
        values = Array(repeating: .null, count: cascade.variableSlots.count)
        outcomes = Array(repeating: .unknown, count: cascade.outcomeCount)
        conditions = cascade.conditions.isEmpty ? [] : Array(repeating: nil, count: cascade.rules.count)
        remembered = cascade.needsMemory ? Array(repeating: Remembered(), count: cascade.remembering.count) : []
    }

    /// Evaluates what reads something that has changed.
    ///
    /// - Parameters:
    ///   - changed: What of the location.
    ///   - errors: Gets what failed now.
    /// - Returns: How many expressions were evaluated.
    @discardableResult
    mutating func update(
        by cascade: Cascade, _ location: Location, _ memory: RuleMemory, changed: InputSet, errors: inout [RuleError]
    ) -> Int {
        LocationFeature.with(location) { feature in
            var changed = changed
            if cascade.needsMemory { take(memory, cascade, feature, &changed) }
            for (rule, inputs) in cascade.conditions where inputs.meets(changed) { conditions[rule] = nil }
            var count = 0
            for slot in cascade.variableSlots where slot.inputs.meets(changed) {
                count += update(slot, by: cascade, feature, changed, &errors)
            }
            return count
        }
    }

    private mutating func update(
        _ slot: Cascade.Slot, by cascade: Cascade, _ feature: LocationFeature, _ changed: InputSet,
        _ errors: inout [RuleError]
    ) -> Int {
        var count = 0
        var hasFailed = false
        for index in slot.candidates.indices {
            let outcome = slot.outcomes + index
            let rule = slot.candidates[index].rule
            guard holds(rule, cascade, feature, &count, &errors) else {
                outcomes[outcome] = .unknown
                continue
            }
            if outcomes[outcome] == .unknown || slot.candidates[index].inputs.meets(changed) {
                count += 1
                outcomes[outcome] = evaluate(slot, index, cascade, feature, &errors)
            }
            switch outcomes[outcome] {
            case .unknown, .nothing: break
            case .failed: hasFailed = true
            case .value:
                for weaker in outcome + 1..<slot.outcomes + slot.candidates.count { outcomes[weaker] = .unknown }
                return count
            }
        }
        values[slot.value] = hasFailed ? slot.property.defaultValue : .null
        return count
    }

    /// Where it gives a value, that is the slot's from now on.
    private mutating func evaluate(
        _ slot: Cascade.Slot, _ index: Int, _ cascade: Cascade, _ feature: LocationFeature,
        _ errors: inout [RuleError]
    ) -> Outcome {
        let rule = slot.candidates[index].rule
        do throws(EvaluationError) {
            let held = cascade.memoryIndex[rule].flatMap { remembered[$0].held }
            let value = try cascade.rules[rule].evaluate(slot.candidates[index].expression, feature, held: held)
            guard !value.isMissing else { return .nothing }
            values[slot.value] = value
            return .value
        } catch {
            if error.isMissingResult { return .nothing }
            errors.append(RuleError(cascade.rules[rule].name, slot.property.name, error))
            return .failed
        }
    }

    /// Whether a rule applies.
    private mutating func holds(
        _ rule: Int, _ cascade: Cascade, _ feature: LocationFeature, _ count: inout Int, _ errors: inout [RuleError]
    ) -> Bool {
        if let memory = cascade.memoryIndex[rule], cascade.rules[rule].until != nil { return remembered[memory].isOn }
        guard !conditions.isEmpty, cascade.rules[rule].when != nil else { return true }
        if let known = conditions[rule] { return known }
        count += 1
        let holds = cascade.rules[rule].holds(cascade.rules[rule].when, "when", feature, &errors)
        conditions[rule] = holds
        return holds
    }

    private mutating func take(
        _ memory: RuleMemory, _ cascade: Cascade, _ feature: LocationFeature, _ changed: inout InputSet
    ) {
        var memory = memory
        memory.adapt(to: cascade.remembering)
        for (index, rule) in cascade.remembering.enumerated() {
            let entry = memory.entries[index]
            let now = Remembered(isOn: entry.isOn, held: entry.held(by: rule, feature))
            // What is not held is read as it is.
            let isFreeAndChanged = now.held == nil && cascade.holdableInputs[index].meets(changed)
            guard remembered[index] != now || isFreeAndChanged else { continue }
            remembered[index] = now
            changed.insert(.memory(index))
        }
    }
}
