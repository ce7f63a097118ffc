internal import Expressions
internal import JSON

/// Numbers what a cascade is made of: its conditions, its rules with a memory, and what all of them read.
struct CascadeParts {
    private(set) var table = InputTable()
    private(set) var conditions: [(when: Expression, inputs: InputSet)] = []
    private(set) var remembering: [DisplayRule] = []
    private(set) var holdableInputs: [InputSet] = []
    private let rules: [DisplayRule]
    private var variableCount = 0
    /// Of each rule.
    private var parts: [(condition: Cascade.Candidate.Condition, inputs: InputSet, memory: Int?)] = []

    init(_ rules: [DisplayRule]) {
        self.rules = rules
        for rule in rules { add(rule) }
    }

    private mutating func add(_ rule: DisplayRule) {
        let memory = rule.needsMemory ? remembering.count : nil
        if rule.needsMemory {
            remembering.append(rule)
            holdableInputs.append(rule.hysteresis.map { table.input($0.name) } ?? [])
        }
        if let memory, rule.until != nil {
            parts.append((.remembered(memory), .memory(memory), memory))
        } else if let when = rule.when {
            let inputs = table.inputs(of: when)
            parts.append((.asked(conditions.count), inputs, memory))
            conditions.append((when, inputs))
        } else {
            parts.append((.none, [], memory))
        }
    }

    /// - Returns: `nil` where no rule gives the property a value.
    mutating func slot(of property: DisplayProperty) -> Cascade.Slot? {
        var candidates: [Cascade.Candidate] = []
        var inputs = InputSet.beginning
        for (index, rule) in rules.enumerated() {
            let position = rule.settings.firstIndex { $0.property.name.hasSameBytes(as: property.name) }
            guard let position, case .expression(let expression) = rule.settings[position].setting else { continue }
            let memory = parts[index].memory
            let read = table.inputs(of: expression, held: memory.map { .memory($0) } ?? [])
            candidates.append(
                Cascade.Candidate(
                    index, parts[index].condition, expression, inputs: read, bands: rule.bands[position],
                    memory: expression.inputs.properties.contains(HeldInput.name) ? memory : nil))
            inputs.formUnion([read, parts[index].inputs])
        }
        guard let strongest = candidates.first else { return nil }
        let constant = rules[strongest.rule].when == nil ? Self.constant(of: strongest.expression) : nil
        defer { if constant == nil { variableCount += 1 } }
        return Cascade.Slot(property, candidates, inputs: inputs, constant: constant, index: variableCount)
    }

    /// What an expression gives for every location, if it gives anything.
    private static func constant(of expression: Expression) -> Value? {
        if let value = expression.constantValue { return value.isMissing ? nil : value }
        guard expression.isFeatureConstant, let value = try? expression.evaluate(JSONFeature()), !value.isMissing else {
            return nil
        }
        return value
    }
}
