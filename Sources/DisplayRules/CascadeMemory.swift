internal import Expressions
public import Locations

extension Cascade {
    /// Whether what it yields depends on what was before.
    public var needsMemory: Bool { !remembering.isEmpty }

    /// Takes in how a location is now, also when only time has passed.
    ///
    /// - Parameters:
    ///   - now: Monotonic.
    ///   - errors: Gets what failed in conditions.
    /// - Returns: Whether the rules may yield something else than before.
    public func advance(
        _ memory: inout RuleMemory, with location: Location, at now: Duration, errors: inout [RuleError]
    ) -> Bool {
        memory.advance(location, by: remembering, at: now, errors: &errors)
    }

    /// As of a location that was not seen before.
    func freshMemory(of location: Location) -> RuleMemory {
        var memory = RuleMemory()
        var errors: [RuleError] = []
        _ = advance(&memory, with: location, at: .zero, errors: &errors)
        return memory
    }

    /// Evaluates the rules for a location with what is remembered of it.
    ///
    /// - Parameter memory: As ``advance(_:with:at:errors:)`` left it.
    public func resolve(_ location: Location, memory: RuleMemory, errors: inout [RuleError]) -> Display {
        resolve(location, memory: memory, errors: &errors) { _, _ in }
    }

    /// - Parameter show: Gets each property's place among the slots, and the rule that its value comes from.
    func resolve(
        _ location: Location, memory: RuleMemory, errors: inout [RuleError], _ show: (_ slot: Int, _ rule: Int) -> Void
    ) -> Display {
        var memory = memory
        memory.adapt(to: remembering)
        let feature = LocationFeature(location)
        var conditions = [Bool?](repeating: nil, count: rules.count)
        var display = Display(capacity: slots.count)
        for (index, slot) in slots.enumerated() {
            var failed = false
            var value = Value.null
            for candidate in slot.candidates {
                let rule = rules[candidate.rule]
                let entry = memoryIndex[candidate.rule].map { memory.entries[$0] }
                let holds =
                    conditions[candidate.rule]
                    ?? (rule.until == nil ? rule.holds(rule.when, "when", feature, &errors) : entry?.isOn ?? false)
                conditions[candidate.rule] = holds
                guard holds else { continue }
                let subject = rule.hysteresis.map { feature.holding(entry?.band?.value, $0.name) } ?? feature
                do throws(EvaluationError) {
                    value = try candidate.expression.evaluate(subject)
                } catch {
                    if error.isMissingResult { continue }
                    failed = true
                    errors.append(RuleError(rule.name, slot.property.name, error))
                    continue
                }
                if value.isMissing {
                    value = .null
                    continue
                }
                show(index, candidate.rule)
                break
            }
            if case .null = value, failed { value = slot.property.defaultValue }
            if !value.isMissing { display.add(Display.Item(property: slot.property.name, value: value)) }
        }
        return display
    }
}

extension LocationFeature {
    /// The same location with a held input. Where the property is no number now, it is read as it is.
    func holding(_ value: Double?, _ name: PropertyName) -> LocationFeature {
        guard case .number? = property(name) else { return LocationFeature(location, held: (nil, name)) }
        return LocationFeature(location, held: (value, name))
    }
}
