/// What only a map client knows: `zoom`, and the inputs of heatmaps, gradients and clusters, which have none here.
final class ClientValue: Node {
    enum Kind: Sendable {
        case zoom, heatmapDensity, elevation, lineProgress, accumulated
    }

    let kind: Kind

    init(_ kind: Kind, key: String) {
        self.kind = kind
        super.init(
            kind == .accumulated ? .value : .number, key: key, children: [], traits: kind == .zoom ? .zoom : .client)
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        switch kind {
        case .zoom: .number(context.zoom ?? .nan)
        case .heatmapDensity, .elevation, .lineProgress: .number(0)
        case .accumulated: .null
        }
    }
}

/// `is-supported-script`: every script is, since nothing is drawn here.
final class ScriptSupport: BooleanNode {
    private let text: Node

    init(_ text: Node, key: String) {
        self.text = text
        super.init(.boolean, key: key, children: [text], traits: .client)
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        _ = try text.evaluate(feature, context)
        return true
    }
}

/// `["error", message]`: fails whenever it is evaluated.
final class Failure: Node {
    private let message: Node

    init(_ message: Node, key: String) {
        self.message = message
        super.init(.error, key: key, children: [message])
    }

    override var folding: Folding { .never }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        throw EvaluationError(key, .other(try message.evaluate(feature, context).text))
    }
}
