public import Expressions
public import JSON
public import Locations

/// Why a location is drawn the way it is: each rule with the reason why it applies or not, and each property with all that
/// could have set it.
public struct Explanation: Sendable {
    /// All rules, strongest first.
    public internal(set) var rules: [Rule] = []
    /// Those that some rule sets, in the order in which they are published.
    public var properties: [Property] = []

    public struct Rule: Sendable {
        public var name: String
        public var level: RuleMatch.Level
        public var place: FilePlace?
        public var verdict: Verdict
        /// What its condition read; empty without one, or where it was not asked.
        public var inputs: [Input] = []
        public var conditionPlace: FilePlace?
        /// `when` does not hold any more, but `until` does not hold yet.
        public var isKeptOn = false
    }

    public enum Verdict: Sendable {
        case applies
        /// Its `match` does not let the location through.
        case noMatch([Mismatch])
        case conditionIsFalse
        /// As good as false.
        case conditionFailed(Failure)
    }

    public struct Mismatch: Sendable, Equatable {
        public var key: String
        public var expected: [JSONValue]
        /// `null` where the location has none.
        public var found: JSONValue
    }

    /// One thing that an expression reads.
    public struct Input: Sendable, Equatable {
        public var name: String
        /// `nil` where the location has none.
        public var value: Value?
    }

    public struct Failure: Sendable, Equatable {
        public var message: String
        /// The element of the expression that failed.
        public var place: FilePlace?
    }

    public struct Property: Sendable {
        public var name: String
        /// What is published; `nil`: nothing is.
        public var value: Value?
        public var origin: Origin
        /// Everything that sets it, strongest first.
        public var candidates: [Candidate]
    }

    public enum Origin: Sendable, Equatable {
        /// An index into ``Explanation/rules``.
        case rule(Int)
        /// The property's default, since an expression failed and nothing was inherited.
        case defaultValue
        case none
    }

    /// A rule that sets a property.
    public struct Candidate: Sendable {
        /// An index into ``Explanation/rules``.
        public var rule: Int
        public var place: FilePlace?
        public var outcome: Outcome
        public var inputs: [Input] = []
        /// The input as the rule's steps take it, where hysteresis holds its band.
        public var held: Input?
    }

    public enum Outcome: Sendable, Equatable {
        case used(Value)
        /// A stronger rule was used; what this one would have given, if anything.
        case overruled(Value?)
        /// The result was null: what is inherited counts.
        case nothing
        /// The rule says `null`: what is inherited counts.
        case inherited
        case failed(Failure)
        /// Its rule does not apply.
        case notApplied
    }
}

extension Explanation {
    /// Evaluates the rules for a location as a ``Cascade`` does, and keeps everything.
    ///
    /// - Parameter memory: What is remembered of the location; `nil`: as if it was not seen before.
    public init(of location: Location, by ruleSet: DisplayRuleSet, memory: RuleMemory? = nil) {
        let cascade = ruleSet.cascade(for: location)
        var memory = memory ?? cascade.freshMemory(of: location)
        memory.adapt(to: cascade.remembering)
        var rest = memory.entries[...]
        let entries = ruleSet.rules.map { rule in
            rule.needsMemory && rule.match.holds(for: location) ? rest.popFirst() : nil
        }
        LocationFeature.with(location) { feature in
            rules = zip(ruleSet.rules, entries).map { Self.judge($0, $1, location, feature) }
            properties = DisplayProperty.inOrder(of: ruleSet.rules).map { property in
                explain(property, ruleSet.rules, entries, feature)
            }
        }
    }

    private static func judge(
        _ rule: DisplayRule, _ entry: RuleMemory.Entry?, _ location: Location, _ feature: LocationFeature
    ) -> Rule {
        var result = Rule(name: rule.name, level: rule.match.level, place: rule.places?.rule, verdict: .applies)
        let mismatches = rule.match.mismatches(with: location)
        guard mismatches.isEmpty else {
            result.verdict = .noMatch(mismatches.map { Mismatch(key: $0, expected: $1, found: $2) })
            return result
        }
        guard let when = rule.when else { return result }
        let places = rule.places?.when
        result.inputs = inputs(of: when, feature)
        result.conditionPlace = rule.places?.place(of: places)
        do throws(EvaluationError) {
            if try !when.holds(for: feature) { result.verdict = .conditionIsFalse }
        } catch {
            result.verdict = .conditionFailed(Failure(error, places, rule))
        }
        guard let until = rule.until, let entry else { return result }
        for input in inputs(of: until, feature) where !result.inputs.contains(where: { $0.name == input.name }) {
            result.inputs.append(input)
        }
        if case .applies = result.verdict { return result }
        if entry.isOn { (result.verdict, result.isKeptOn) = (.applies, true) }
        return result
    }

    private func explain(
        _ property: DisplayProperty, _ all: [DisplayRule], _ entries: [RuleMemory.Entry?], _ feature: LocationFeature
    ) -> Property {
        var result = Property(name: property.name, value: nil, origin: .none, candidates: [])
        var hasFailed = false
        for (index, rule) in all.enumerated() {
            guard let position = rule.settings.firstIndex(where: { $0.property.name.hasSameBytes(as: property.name) })
            else { continue }
            let places = rule.places.flatMap { $0.values.indices.contains(position) ? $0.values[position] : nil }
            var candidate = Candidate(rule: index, place: rule.places?.place(of: places), outcome: .notApplied)
            defer { result.candidates.append(candidate) }
            guard case .applies = rules[index].verdict else { continue }
            guard case .expression(let expression) = rule.settings[position].setting else {
                candidate.outcome = .inherited
                continue
            }
            candidate.inputs = Self.inputs(of: expression, feature, rule.hysteresis)
            let held = entries[index]?.held(by: rule, feature)
            if let held, let name = rule.hysteresis?.name, expression.inputs.properties.contains(HeldInput.name),
                Value.number(held) != feature.property(name)
            {
                candidate.held = Input(name: name.text, value: .number(held))
            }
            let isDecided = result.value != nil
            do throws(EvaluationError) {
                let value = try rule.evaluate(expression, feature, held: held)
                if isDecided {
                    candidate.outcome = .overruled(value.isMissing ? nil : value)
                } else if value.isMissing {
                    candidate.outcome = .nothing
                } else {
                    candidate.outcome = .used(value)
                    (result.value, result.origin) = (value, .rule(index))
                }
            } catch {
                if isDecided {
                    candidate.outcome = .overruled(nil)
                } else if error.isMissingResult {
                    candidate.outcome = .nothing
                } else {
                    hasFailed = true
                    candidate.outcome = .failed(Failure(error, places, rule))
                }
            }
        }
        if result.value == nil, hasFailed, !property.defaultValue.isMissing {
            (result.value, result.origin) = (property.defaultValue, .defaultValue)
        }
        return result
    }

    private static func inputs(
        of expression: Expression, _ feature: LocationFeature, _ hysteresis: RuleHysteresis? = nil
    ) -> [Input] {
        let read = expression.inputs
        var inputs: [Input] = []
        func add(_ name: String, _ value: Value?) {
            guard !inputs.contains(where: { $0.name.hasSameBytes(as: name) }) else { return }
            inputs.append(Input(name: name, value: value))
        }
        for property in read.properties {
            let name = property == HeldInput.name ? hysteresis?.name.text ?? property : property
            add(name, feature.property(PropertyName(name, slot: LocationFeature.slots[name])))
        }
        if read.readsID { add("id", feature.id) }
        if read.readsGeometry {
            add("lat", feature.location.position.map { .number($0.latitude) })
            add("lon", feature.location.position.map { .number($0.longitude) })
        }
        if read.readsAnyProperty {
            for member in feature.properties.members { add(member.key, Value(member.value)) }
        }
        return inputs
    }
}

extension Explanation.Failure {
    init(_ error: EvaluationError, _ places: ExpressionPlaces?, _ rule: DisplayRule) {
        guard let places, let file = rule.places?.rule.file else {
            self.init(message: error.description, place: nil)
            return
        }
        self.init(message: error.message, place: places.place(at: error.indices, in: file))
    }
}

extension EvaluationError {
    /// The path as indices: `[2][0]` as 2, 0.
    var indices: [Int] {
        (path ?? "").split { $0 == "[" || $0 == "]" }.compactMap { Int($0) }
    }
}

extension RulePlaces {
    func place(of expression: ExpressionPlaces?) -> FilePlace? {
        expression.map { FilePlace(file: rule.file, line: $0.line, column: $0.column) }
    }
}

extension DisplayProperty {
    /// The properties that rules set: the known ones in their order, then others as they were first written.
    static func inOrder(of rules: [DisplayRule]) -> [DisplayProperty] {
        var properties: [DisplayProperty] = []
        for rule in rules.reversed() {
            for (property, _) in rule.settings
            where !properties.contains(where: { $0.name.hasSameBytes(as: property.name) }) {
                properties.append(property)
            }
        }
        let rank = known.map(\.name)
        let ranked = properties.enumerated().map { offset, property in
            (rank: rank.firstIndex(of: property.name) ?? rank.count + offset, property: property)
        }
        return ranked.sorted { $0.rank < $1.rank }.map(\.property)
    }
}
