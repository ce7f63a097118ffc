internal import Expressions
internal import Locations

/// What the expressions of a cascade came to for one location, so that only those are evaluated again that read something
/// that has changed. What was not looked at, since its rule does not apply or a stronger one was used, is not known.
struct Evaluation: Sendable {
    /// What a property came to. As small as its value: there is one for each property of each location.
    struct Property: Sendable {
        var value = Value.null
        /// The index of the candidate that gave the value; a large number where none did.
        var winner = UInt16.max
        /// The candidates before that which gave nothing, and those of them that failed: a bit each. Of more than 16 it is
        /// not remembered.
        var fruitless: UInt16 = 0
        var failed: UInt16 = 0
    }

    /// What is remembered for a rule, as far as expressions see it.
    struct Remembered: Sendable, Equatable {
        var isOn = false
        /// The input as steps take it; `nil`: as it is.
        var held: Double?
    }

    /// What decides which rules apply.
    struct Conditions: Sendable {
        /// The conditions that were asked, and those of them that hold: a bit each. Of more than 64 it is not remembered.
        var known: UInt64 = 0
        var holding: UInt64 = 0
        /// Of the rules with a memory.
        var remembered: [Remembered]
    }

    /// Of the slots that are not constant.
    private(set) var properties: [Property]
    private(set) var conditions: Conditions

    init(of cascade: Cascade) {
        properties = []
        properties.reserveCapacity(cascade.variableSlots.count)
        for _ in 0..<cascade.variableSlots.count { properties.append(Property()) }
        conditions = Conditions(
            remembered: cascade.needsMemory
                ? Array(repeating: Remembered(), count: cascade.remembering.count) : [])
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
            if cascade.needsMemory { conditions.take(memory, cascade, feature, &changed) }
            conditions.forget(whatReads: changed, cascade)
            var pass = EvaluationPass(cascade: cascade, feature: feature, changed: changed)
            pass.run(&properties, &conditions, &errors)
            return pass.count
        }
    }
}

extension Evaluation.Conditions {
    /// Takes in what is remembered of the location.
    ///
    /// - Parameter changed: Gets what of that has changed.
    fileprivate mutating func take(
        _ memory: RuleMemory, _ cascade: Cascade, _ feature: LocationFeature, _ changed: inout InputSet
    ) {
        var memory = memory
        memory.adapt(to: cascade.remembering)
        for (index, rule) in cascade.remembering.enumerated() {
            let entry = memory.entries[index]
            let now = Evaluation.Remembered(isOn: entry.isOn, held: entry.held(by: rule, feature))
            // What is not held is read as it is.
            let isFreeAndChanged = now.held == nil && cascade.holdableInputs[index].meets(changed)
            guard remembered[index] != now || isFreeAndChanged else { continue }
            remembered[index] = now
            changed.insert(.memory(index))
        }
    }

    fileprivate mutating func forget(whatReads changed: InputSet, _ cascade: Cascade) {
        for number in cascade.conditions.indices where cascade.conditions[number].inputs.meets(changed) {
            known &= ~(1 << number)
        }
    }
}
