internal import Expressions
internal import JSON
public import Locations

/// The rules for one kind of location, turned round: for each property what may set it, strongest first.
///
/// A class, since it has many parts and every state is made with it.
public final class Cascade: Sendable {
    /// Something that may set a property. A class, as are the slots: their constant members are used without counting
    /// references.
    final class Candidate: Sendable {
        enum Condition {
            /// The rule always applies.
            case none
            /// By its number among the conditions.
            case asked(Int)
            /// Whether the rule is on is remembered: by its number among the rules with a memory.
            case remembered(Int)
        }

        /// Index of the rule.
        let rule: Int
        let condition: Condition
        let expression: Expression
        let inputs: InputSet
        let bands: StepBands?
        /// The number of the rule among those with a memory, where the expression reads what that holds.
        let memory: Int?

        init(
            _ rule: Int, _ condition: Condition, _ expression: Expression, inputs: InputSet, bands: StepBands?,
            memory: Int?
        ) {
            (self.rule, self.condition, self.expression) = (rule, condition, expression)
            (self.inputs, self.bands, self.memory) = (inputs, bands, memory)
        }
    }

    /// A property that is set.
    final class Slot: Sendable {
        let property: DisplayProperty
        let strongest: Candidate
        let others: [Candidate]
        /// What any of the candidates or their conditions reads.
        let inputs: InputSet
        /// What is shown, where that is the same for every location.
        let constant: Value?
        /// The member of `display` that this makes, as it is written; empty where it is not the same for every location.
        let writtenConstant: [UInt8]
        /// Its place among the slots that are not constant.
        let index: Int

        /// - Parameter candidates: At least one.
        init(
            _ property: DisplayProperty, _ candidates: [Candidate], inputs: InputSet, constant: Value?, index: Int
        ) {
            (self.property, strongest, others) = (property, candidates[0], Array(candidates.dropFirst()))
            (self.inputs, self.constant, self.index) = (inputs, constant, index)
            writtenConstant = constant.map { Display.member(property.name, $0) } ?? []
        }

        func candidate(_ index: Int) -> Candidate? {
            if index == 0 { return strongest }
            return index <= others.count ? others[index - 1] : nil
        }
    }

    let rules: [DisplayRule]
    /// In the order in which their properties are published.
    let slots: [Slot]
    /// The slots that are not constant. Unmanaged, since counting references to each would take much of the time;
    /// `slots` keeps them.
    let variableSlots: [Unmanaged<Slot>]
    let bandedSlots: [Slot]
    /// Those that have to be asked.
    let conditions: [(when: Expression, inputs: InputSet)]
    let inputTable: InputTable
    /// The rules whose effect depends on what was before, and the inputs that these may hold.
    let remembering: [DisplayRule]
    let holdableInputs: [InputSet]

    /// - Parameter rules: Strongest first.
    init(_ rules: [DisplayRule]) {
        var parts = CascadeParts(rules)
        let slots = DisplayProperty.inOrder(of: rules).compactMap { parts.slot(of: $0) }
        let variableSlots = slots.filter { $0.constant == nil }
        self.rules = rules
        self.slots = slots
        self.variableSlots = variableSlots.map { Unmanaged.passUnretained($0) }
        bandedSlots = variableSlots.filter { slot in ([slot.strongest] + slot.others).contains { $0.bands != nil } }
        (conditions, inputTable) = (parts.conditions, parts.table)
        (remembering, holdableInputs) = (parts.remembering, parts.holdableInputs)
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
