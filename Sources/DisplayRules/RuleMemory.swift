internal import Expressions
internal import Locations

/// What has to be remembered of one location for its rules: which bands are held, and which rules with `until` are on. An
/// entry belongs to what a rule says, so it survives when other rules change.
public struct RuleMemory: Sendable {
    struct Entry: Sendable {
        /// What the rule says.
        let rule: Identifier
        /// For rules with `until`.
        var isOn = false
        var band: HeldBand?

        /// The rule's input as its steps take it; `nil` where that is as it is, since no band is held or it is no number
        /// now.
        func held(by rule: DisplayRule, _ feature: LocationFeature) -> Double? {
            guard let hysteresis = rule.hysteresis, case .number? = feature.property(hysteresis.name) else {
                return nil
            }
            return band?.value
        }
    }

    /// In the order of the cascade's rules with a memory.
    private(set) var entries: [Entry] = []
    /// When time alone changes something; monotonic.
    public private(set) var nextDeadline: Duration?

    public init() {}

    func entry(_ index: Int) -> Entry? { entries.indices.contains(index) ? entries[index] : nil }

    /// Keeps what belongs to the rules, drops the rest.
    mutating func adapt(to rules: [DisplayRule]) {
        if entries.count == rules.count, zip(entries, rules).allSatisfy({ $0.rule == $1.content }) { return }
        var known = entries
        entries = rules.map { rule in
            // Of two rules that say the same, each finds its own.
            if let index = known.firstIndex(where: { $0.rule == rule.content }) { return known.remove(at: index) }
            return Entry(rule: rule.content)
        }
    }

    /// Takes in how the location is now.
    ///
    /// - Parameter errors: Gets what failed in conditions.
    /// - Returns: Whether anything differs from before.
    @discardableResult
    mutating func advance(
        _ location: Location, by rules: [DisplayRule], at now: Duration, errors: inout [RuleError]
    ) -> Bool {
        adapt(to: rules)
        return LocationFeature.with(location) { advance($0, by: rules, at: now, errors: &errors) }
    }

    private mutating func advance(
        _ feature: LocationFeature, by rules: [DisplayRule], at now: Duration, errors: inout [RuleError]
    ) -> Bool {
        nextDeadline = nil
        var hasChanged = false
        for (index, rule) in rules.enumerated() {
            if let until = rule.until {
                let wasOn = entries[index].isOn
                // When both hold, the rule is on.
                if rule.holds(rule.when, "when", feature, &errors) {
                    entries[index].isOn = true
                } else if wasOn, rule.holds(until, "until", feature, &errors) {
                    entries[index].isOn = false
                }
                if entries[index].isOn != wasOn { hasChanged = true }
            }
            guard let hysteresis = rule.hysteresis, case .number(let value)? = feature.property(hysteresis.name),
                !value.isNaN
            else { continue }
            let before = entries[index].band?.index
            var band = entries[index].band ?? HeldBand(value, hysteresis)
            band.take(value, hysteresis, at: now)
            entries[index].band = band
            if band.index != before { hasChanged = true }
            if let leftAt = band.leftAt, let hold = hysteresis.settings.hold {
                nextDeadline = min(nextDeadline ?? leftAt + hold, leftAt + hold)
            }
        }
        return hasChanged
    }
}

/// A rule's hysteresis with what it applies to.
struct RuleHysteresis: Sendable {
    let settings: Hysteresis
    let name: PropertyName
    /// Where the bands meet, ascending. A band begins at its lower limit.
    let boundaries: [Double]

    func band(of value: Double) -> Int { boundaries.count { $0 <= value } }
}

/// The band in which an input counts.
struct HeldBand: Sendable, Equatable {
    private(set) var index: Int
    /// Since when the input has been outside, without a break.
    private(set) var leftAt: Duration?
    /// The input as steps are to take it.
    private(set) var value: Double

    init(_ value: Double, _ hysteresis: RuleHysteresis) {
        index = hysteresis.band(of: value)
        self.value = value
    }

    mutating func take(_ value: Double, _ hysteresis: RuleHysteresis, at now: Duration) {
        let band = hysteresis.band(of: value)
        guard band != index else { return enter(band, value) }
        let low = index > 0 ? hysteresis.boundaries[index - 1] : -.infinity
        let high = index < hysteresis.boundaries.count ? hysteresis.boundaries[index] : .infinity
        // As with the limits themselves: at the upper one the next band begins, at the lower one it has not ended.
        let isFar = hysteresis.settings.margin.map { value >= high + $0 || value < low - $0 } ?? false
        let since = leftAt ?? now
        if isFar || hysteresis.settings.hold.map({ now - since >= $0 }) ?? false { return enter(band, value) }
        leftAt = since
        self.value = value < low ? low : high.nextDown
    }

    private mutating func enter(_ band: Int, _ value: Double) {
        (index, self.value, leftAt) = (band, value, nil)
    }
}

extension DisplayRule {
    /// Whether what it does depends on what was before.
    var needsMemory: Bool { until != nil || hysteresis != nil }

    /// An error in a condition means no.
    func holds(
        _ condition: Expression?, _ name: String, _ feature: LocationFeature, _ errors: inout [RuleError]
    ) -> Bool {
        guard let condition else { return true }
        do throws(EvaluationError) {
            return try condition.holds(for: feature)
        } catch {
            errors.append(RuleError(self.name, name, error))
            return false
        }
    }

    /// Evaluates one of its values.
    ///
    /// - Parameter held: The input of the rule's hysteresis as its steps take it; `nil`: as it is.
    func evaluate(
        _ expression: Expression, _ feature: LocationFeature, held: Double?
    ) throws(EvaluationError) -> Value {
        guard let hysteresis else { return try expression.evaluate(feature) }
        return try feature.holding(held, hysteresis.name) { (feature) throws(EvaluationError) in
            try expression.evaluate(feature)
        }
    }
}
