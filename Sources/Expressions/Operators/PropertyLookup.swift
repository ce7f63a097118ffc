internal import JSON

/// `["get", name]` and `["has", name]` of a constant name: the feature's own property.
final class PropertyLookup: Node {
    let name: PropertyName
    private let asksForPresence: Bool

    init(_ name: PropertyName, asksForPresence: Bool, key: String, children: [Node]) {
        self.name = name
        self.asksForPresence = asksForPresence
        super.init(asksForPresence ? .boolean : .value, key: key, children: children, traits: .feature)
    }

    /// The node for a name that may be constant.
    static func node(name: Node, asksForPresence: Bool, _ context: ParsingContext) -> Node {
        guard case .string(let text)? = (name as? Literal)?.value else {
            return ComputedPropertyLookup(name, asksForPresence: asksForPresence, context)
        }
        return PropertyLookup(
            context.environment.propertyName(text), asksForPresence: asksForPresence, key: context.key,
            children: [name])
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        let value = feature.property(name)
        return asksForPresence ? .bool(value != nil) : value ?? .null
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        let value = feature.property(name)
        if asksForPresence { return value != nil }
        if case .bool(let bool)? = value { return bool }
        throw EvaluationError(key, .unexpectedType(.boolean, value ?? .null))
    }
}

/// `["get", name]` and `["has", name]` of a name that is computed.
final class ComputedPropertyLookup: Node {
    private let name: Node
    private let environment: CompileEnvironment
    private let asksForPresence: Bool

    init(_ name: Node, asksForPresence: Bool, _ context: ParsingContext) {
        environment = context.environment
        self.name = name
        self.asksForPresence = asksForPresence
        super.init(
            asksForPresence ? .boolean : .value, key: context.key, children: [name], traits: .feature)
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        let value = feature.property(environment.propertyName(try name.string(feature, context)))
        return asksForPresence ? .bool(value != nil) : value ?? .null
    }
}

/// `["get", name, object]` and `["has", name, object]`.
final class MemberLookup: Node {
    private let name, object: Node
    private let asksForPresence: Bool

    init(name: Node, object: Node, asksForPresence: Bool, key: String) {
        self.name = name
        self.object = object
        self.asksForPresence = asksForPresence
        super.init(asksForPresence ? .boolean : .value, key: key, children: [name, object])
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        let name = try name.string(feature, context)
        let value = try object.evaluate(feature, context)
        guard case .object(let members) = value else {
            throw EvaluationError(key, .unexpectedType(.object, value))
        }
        let member = members[name]
        return asksForPresence ? .bool(member != nil) : member.map { Value($0) } ?? .null
    }
}

/// `properties`, `id`, `geometry-type` and `feature-state`.
final class FeatureLookup: Node {
    enum Part {
        case properties, id, geometryType
        case state(name: Node)
    }

    let part: Part

    init(_ part: Part, key: String) {
        self.part = part
        let type: ExpressionType
        var children: [Node] = []
        switch part {
        case .properties: type = .object
        case .geometryType: type = .string
        case .id: type = .value
        case .state(let name):
            type = .value
            children = [name]
        }
        super.init(type, key: key, children: children, traits: .feature)
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        switch part {
        case .properties: return .object(feature.properties)
        case .id: return feature.id
        case .geometryType:
            guard let geometry = feature.geometry else { return .null }
            return .string(context.tile == nil ? geometry.type : geometry.simpleType)
        case .state(let name): return feature.state(try name.string(feature, context)) ?? .null
        }
    }
}

/// `["global-state", name]`: bound when compiled, but still not folded, as upstream reports its types.
final class GlobalStateLookup: Node {
    private let value: Value

    private init(_ value: Value, key: String) {
        self.value = value
        super.init(.value, key: key, children: [])
    }

    override var folding: Folding { .never }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value { value }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 1 else {
            return context.error("Expected 1 argument, but found \(arguments.count) instead.")
        }
        switch arguments[1] {
        case .null: return context.error("Global state property must be defined.")
        case .string(let name):
            return GlobalStateLookup(
                context.environment.globalState[name].map { Value($0) } ?? .null, key: context.key)
        default:
            return context.error(
                "Global state property must be string, but found \(arguments[1].ecmaTypeName) instead.")
        }
    }
}
