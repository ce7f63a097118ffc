internal import Expressions
internal import JSON
public import Locations

/// The rules for one kind of location, turned round: for each property what may set it, strongest first.
///
/// A class, since it has many parts and every state is made with it.
public final class Cascade: Sendable {
    struct Candidate: Sendable {
        /// Index of the rule.
        let rule: Int
        let expression: Expression
        let inputs: InputSet
        let bands: StepBands?
    }

    final class Slot: Sendable {
        let property: DisplayProperty
        let candidates: [Candidate]
        /// What any of the candidates or their conditions reads.
        let inputs: InputSet
        /// What is shown, where that is the same for every location.
        let constant: Value?
        /// Where its value is among the values, if it is not constant.
        let value: Int
        /// Where the outcomes of its candidates begin among the outcomes.
        let outcomes: Int

        init(
            _ property: DisplayProperty, _ candidates: [Candidate], inputs: InputSet, constant: Value?, value: Int,
            outcomes: Int
        ) {
            (self.property, self.candidates, self.inputs) = (property, candidates, inputs)
            (self.constant, self.value, self.outcomes) = (constant, value, outcomes)
        }
    }

    let rules: [DisplayRule]
    /// In the order in which their properties are published.
    let slots: [Slot]
    /// Those of the slots that are not constant, and those of them that have steps.
    let variableSlots: [Slot]
    let bandedSlots: [Slot]
    let outcomeCount: Int
    /// The rules with a condition of their own to be asked, and what it reads.
    let conditions: [(rule: Int, inputs: InputSet)]
    let inputTable: InputTable
    /// The rules whose effect depends on what was before, and for each rule which of them it is.
    let remembering: [DisplayRule]
    let memoryIndex: [Int?]
    /// The inputs that these rules may hold.
    let holdableInputs: [InputSet]

    /// - Parameter rules: Strongest first.
    init(_ rules: [DisplayRule]) {
        self.rules = rules
        remembering = rules.filter(\.needsMemory)
        var count = 0
        let memoryIndex: [Int?] = rules.map { rule in
            guard rule.needsMemory else { return nil }
            defer { count += 1 }
            return count
        }
        self.memoryIndex = memoryIndex
        var table = InputTable()
        let memory = memoryIndex.map { $0.map { InputSet.memory($0) } ?? [] }
        // A rule with `until` is on or off by what is remembered.
        let conditionInputs = rules.indices.map { index in
            rules[index].until == nil ? rules[index].when.map { table.inputs(of: $0) } ?? [] : memory[index]
        }
        conditions = rules.indices.filter { rules[$0].when != nil && rules[$0].until == nil }.map {
            (rule: $0, inputs: conditionInputs[$0])
        }
        holdableInputs = remembering.map { rule in rule.hysteresis.map { table.input($0.name) } ?? [] }
        var slots: [Slot] = []
        var (values, outcomes) = (0, 0)
        for property in DisplayProperty.inOrder(of: rules) {
            let candidates: [Candidate] = rules.enumerated().compactMap { (index, rule) in
                let position = rule.settings.firstIndex { $0.property.name.hasSameBytes(as: property.name) }
                guard let position, case .expression(let expression) = rule.settings[position].setting else {
                    return nil
                }
                return Candidate(
                    rule: index, expression: expression, inputs: table.inputs(of: expression, held: memory[index]),
                    bands: rule.bands[position])
            }
            let constant = candidates.first.flatMap { candidate in
                rules[candidate.rule].when == nil ? Self.constant(of: candidate.expression) : nil
            }
            let inputs = candidates.reduce(InputSet.beginning) { $0.union([$1.inputs, conditionInputs[$1.rule]]) }
            slots.append(
                Slot(property, candidates, inputs: inputs, constant: constant, value: values, outcomes: outcomes))
            guard constant == nil else { continue }
            values += 1
            outcomes += candidates.count
        }
        (self.slots, outcomeCount, inputTable) = (slots, outcomes, table)
        variableSlots = slots.filter { $0.constant == nil }
        bandedSlots = variableSlots.filter { slot in slot.candidates.contains { $0.bands != nil } }
    }

    /// What an expression gives for every location, if it gives anything.
    private static func constant(of expression: Expression) -> Value? {
        if let value = expression.constantValue { return value.isMissing ? nil : value }
        guard expression.isFeatureConstant, let value = try? expression.evaluate(JSONFeature()), !value.isMissing else {
            return nil
        }
        return value
    }

    /// Evaluates the rules for a location that was not seen before.
    ///
    /// A result of null passes on to what is inherited, and in the end leaves the property out. A failing expression does
    /// too, but in the end gives the property's default.
    ///
    /// - Parameter errors: Gets what failed.
    public func resolve(_ location: Location, errors: inout [RuleError]) -> Display {
        resolve(location, memory: freshMemory(of: location), errors: &errors)
    }

    /// Evaluates the rules for a location with what is remembered of it.
    ///
    /// - Parameter memory: As ``advance(_:with:at:errors:)`` left it.
    public func resolve(_ location: Location, memory: RuleMemory, errors: inout [RuleError]) -> Display {
        var evaluation = Evaluation(of: self)
        evaluation.update(by: self, location, memory, changed: .all, errors: &errors)
        return Display(self, evaluation)
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
