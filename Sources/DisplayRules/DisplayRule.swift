public import Expressions
public import JSON
internal import Locations

/// One rule, compiled: for which locations, when, and what it sets.
public struct DisplayRule: Sendable {
    enum Setting: Sendable {
        /// As if the rule did not set it.
        case inherited
        case expression(Expression)
    }

    public let name: String
    public let match: RuleMatch
    let when: Expression?
    /// What ends it once `when` has begun it; `nil`: the end of `when`.
    let until: Expression?
    let hysteresis: RuleHysteresis?
    /// All that the rule says, without its name: the key to what is remembered for it.
    let content: Identifier
    /// What it says, in the words of a configuration: `when`, `until`, `hysteresis` and `set`, where they are there.
    public let source: JSONObject
    /// Where it stands; `nil` for a rule that stands in no file.
    public let places: RulePlaces?
    /// In the order in which they were written.
    let settings: [(property: DisplayProperty, setting: Setting)]
    /// The steps in each of them.
    let bands: [StepBands?]

    /// Compiles a rule.
    ///
    /// - Parameters:
    ///   - when: A condition; `nil` for always.
    ///   - until: A condition that ends the rule, once `when` has begun it; only beside `when`.
    ///   - set: Values by property; `null` is "inherited".
    ///   - images: Those that `image` finds, so that `coalesce` can fall back.
    ///   - places: Where the parts stand in their file.
    /// - Throws: Every fault in it.
    public init(
        name: String, match: RuleMatch = RuleMatch(), when: JSONValue? = nil, until: JSONValue? = nil,
        hysteresis: Hysteresis? = nil, set: [(String, JSONValue)], images: ImageNames = .all,
        places: RulePlaces? = nil
    ) throws(RuleFaults) {
        var faults: [RuleFault] = []
        let environment = CompileEnvironment(
            availableImages: images, slots: LocationFeature.slotsWithHeld,
            unavailableOperators: ["zoom": "the zoom belongs to the map; use zoomFrom and zoomTo"])
        func compile(_ json: JSONValue, _ specification: PropertySpecification, _ place: RuleFault.Place) -> Expression?
        {
            do {
                return try Expression.compile(json, for: specification, in: environment)
            } catch {
                faults += error.errors.map {
                    RuleFault(place: place, path: $0.path, message: $0.message, suggestion: $0.suggestion)
                }
                return nil
            }
        }
        self.name = name
        self.match = match
        self.places = places
        self.when = when.flatMap { compile($0, .boolean, .when) }
        self.until = until.flatMap { compile($0, .boolean, .until) }
        if until != nil, when == nil {
            faults.append(RuleFault(place: .until, path: [], message: "until needs a when that begins the rule"))
        }
        var settings: [(DisplayProperty, Setting)] = []
        for (key, json) in set {
            guard let property = DisplayProperty.named(key) else {
                faults.append(RuleFault(place: .name(key), path: [], message: "unknown property", suggestion: nil))
                continue
            }
            if json.isNull {
                settings.append((property, .inherited))
            } else if let expression = compile(
                hysteresis.map { HeldInput.rewrite(json, over: $0.property) } ?? json, property.specification,
                .value(key))
            {
                settings.append((property, .expression(expression)))
            }
        }
        self.settings = settings.map { (property: $0.0, setting: $0.1) }
        bands = settings.map { _, setting in
            if case .expression(let expression) = setting { StepBands(expression, hysteresis) } else { nil }
        }
        self.hysteresis = hysteresis.map { hysteresis in
            let boundaries = settings.flatMap { (_, setting) -> [Double] in
                guard case .expression(let expression) = setting else { return [] }
                return expression.stepBoundaries(over: HeldInput.name)
            }
            if boundaries.isEmpty, faults.isEmpty {
                faults.append(
                    RuleFault(
                        place: .hysteresis, path: [],
                        message: "no property here is a step over [get, \(hysteresis.property)]"))
            }
            let name = hysteresis.property
            return RuleHysteresis(
                settings: hysteresis, name: PropertyName(name, slot: LocationFeature.slots[name]),
                boundaries: Set(boundaries).sorted())
        }
        content = Identifier(
            "\(match)\(when?.text ?? "") \(until?.text ?? "") \(hysteresis.map { "\($0)" } ?? "")"
                + JSONValue.object(JSONObject(set)).text)
        var source = JSONObject()
        if let when { source.append("when", when) }
        if let until { source.append("until", until) }
        if let hysteresis { source.append("hysteresis", hysteresis.json) }
        source.append("set", .object(JSONObject(set)))
        self.source = source
        guard faults.isEmpty else { throw RuleFaults(faults: faults) }
    }

    /// Whether the condition is the same for every location, which nobody writes on purpose.
    public var hasConstantCondition: Bool { when?.constantValue != nil }

    /// The images that the rule names for good, by property; whether they exist is the caller's question.
    public var constantImages: [(property: String, name: String)] {
        settings.compactMap { property, setting in
            guard case .resolvedImage? = property.specification.type, case .expression(let expression) = setting
            else { return nil }
            guard expression.isFeatureConstant else { return nil }
            switch try? expression.evaluate(JSONFeature()) {
            case .image(let image): return (property.name, image.name)
            case .string(let name): return (property.name, name)
            default: return nil
            }
        }
    }
}

/// What is wrong with a rule, and where in it.
public struct RuleFault: Error, Equatable {
    public enum Place: Equatable, Sendable {
        case when, until, hysteresis
        /// A property's value.
        case value(String)
        /// A property's name.
        case name(String)
    }

    public var place: Place
    /// The indices that lead into the expression.
    public var path: [Int]
    public var message: String
    /// A name that may have been meant.
    public var suggestion: String?
}

/// All faults of one rule. Never empty.
public struct RuleFaults: Error, Equatable {
    public var faults: [RuleFault]
}
