/// `rgb` and `rgba`
final class RGBAColor: Node {
    private let parts: [Node]

    init(_ parts: [Node], key: String) {
        self.parts = parts
        super.init(.color, key: key, children: parts)
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        var numbers: [Double] = []
        for part in parts { numbers.append(try part.number(feature, context)) }
        // Upstream's `rgb` speaks of an alpha of 1 that nobody wrote.
        if numbers.count == 3 { numbers.append(1) }
        if let fault = RGBA.fault(in: numbers.map { .number($0) }) {
            throw EvaluationError(key, .other(fault))
        }
        return .color(
            Color(
                red: numbers[0] / 255, green: numbers[1] / 255, blue: numbers[2] / 255, alpha: numbers[3]))
    }
}

/// `to-rgba`: red, green and blue from 0 to 255, alpha from 0 to 1.
final class ColorParts: Node {
    private let color: Node

    init(_ color: Node, key: String) {
        self.color = color
        super.init(.array(of: .number, length: 4), key: key, children: [color])
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        let value = try color.evaluate(feature, context)
        guard case .color(let color) = value else {
            throw EvaluationError(key, .unexpectedType(.color, value))
        }
        return .array([
            .number(color.red * 255), .number(color.green * 255), .number(color.blue * 255),
            .number(color.alpha),
        ])
    }
}
