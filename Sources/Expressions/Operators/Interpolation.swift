internal import JSON

/// `interpolate`, `interpolate-lab` and `interpolate-hcl`: a value between two stops' outputs.
final class Interpolation: Node {
    let input: Node
    private let curve: InterpolationCurve
    private let space: ColorSpace
    private let stops: Stops

    private init(
        type: ExpressionType, curve: InterpolationCurve, space: ColorSpace, input: Node,
        stops: Stops, key: String
    ) {
        self.curve = curve
        self.space = space
        self.input = input
        self.stops = stops
        super.init(type, key: key, children: [input] + stops.nodes)
    }

    private enum Outputs {
        case one(Node)
        case two(Node, Node, share: Double)
    }

    /// The outputs that the input lies between.
    private func outputs(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Outputs {
        let (inputs, outputs) = (stops.inputs, stops.nodes)
        let last = inputs.count - 1
        if last == 0 { return .one(outputs[0]) }
        let value = try input.number(feature, context)
        guard let index = stops.index(below: value) else {
            throw EvaluationError(key, .other("Input is not a number."))
        }
        if value <= inputs[0] { return .one(outputs[0]) }
        if index == last { return .one(outputs[last]) }
        let share = curve.share(of: value, from: inputs[index], to: inputs[index + 1])
        return .two(outputs[index], outputs[index + 1], share: share)
    }

    private func mix(_ a: Value, _ b: Value, _ share: Double) throws(EvaluationError) -> Value {
        switch (a, b) {
        case (.number(let x), .number(let y)): return .number(interpolate(x, y, share))
        case (.color(let x), .color(let y)):
            return .color(x.interpolated(to: y, share: share, in: space))
        case (.array(let x), .array(let y)) where x.count == y.count:
            var mixed: [Value] = []
            for (p, q) in zip(x, y) { mixed.append(try mix(p, q, share)) }
            return .array(mixed)
        default: throw EvaluationError(key, .unexpectedType(type, b))
        }
    }

    override func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        switch try outputs(feature, context) {
        case .one(let node): return try node.number(feature, context)
        case .two(let lower, let upper, let share):
            let start = try lower.number(feature, context)
            return interpolate(start, try upper.number(feature, context), share)
        }
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        if type == .number { return .number(try number(feature, context)) }
        switch try outputs(feature, context) {
        case .one(let node): return try node.evaluate(feature, context)
        case .two(let lower, let upper, let share):
            let start = try lower.evaluate(feature, context)
            return try mix(start, try upper.evaluate(feature, context), share)
        }
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count >= 1, let description = arguments[1].array, !description.isEmpty else {
            return context.error("Expected an interpolation type expression.", at: 1)
        }
        guard let curve = InterpolationCurve(description, context) else { return nil }
        let count = arguments.count
        guard count >= 4 else {
            return context.error("Expected at least 4 arguments, but found only \(count).")
        }
        guard count % 2 == 0 else { return context.error("Expected an even number of arguments.") }
        guard let input = context.parse(arguments[2], at: 2, expecting: .number) else { return nil }

        let space: ColorSpace
        switch arguments.name {
        case "interpolate-lab": space = .lab
        case "interpolate-hcl": space = .hcl
        default: space = .rgb
        }
        var type = space == .rgb ? (context.expected == .value ? nil : context.expected) : .color
        var stops = Stops()
        guard stops.read(arguments, from: 3, type: &type, context) else { return nil }
        let outputType = type ?? .value
        guard outputType.isInterpolatable else {
            return context.error("Type \(outputType) is not interpolatable.")
        }
        return Interpolation(
            type: outputType, curve: curve, space: space, input: input, stops: stops, key: context.key)
    }
}

extension ExpressionType {
    fileprivate var isInterpolatable: Bool {
        switch self {
        case .number, .color, .array(.number, .some): true
        default: false
        }
    }
}
