internal import Glibc

/// A function of one number.
final class UnaryCalculation: NumberNode {
    enum Function: Sendable {
        case negate, sqrt, ln, log10, log2, sin, cos, tan, asin, acos, atan, abs, ceil, floor, round
    }

    private let function: Function
    private let argument: Node

    init(_ function: Function, _ argument: Node, key: String) {
        self.function = function
        self.argument = argument
        super.init(.number, key: key, children: [argument])
    }

    override func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        let x = try argument.number(feature, context)
        return switch function {
        case .negate: -x
        case .sqrt: x.squareRoot()
        case .ln: log(x)
        case .log10: log(x) / .ln10
        case .log2: log(x) / .ln2
        case .sin: Glibc.sin(x)
        case .cos: Glibc.cos(x)
        case .tan: Glibc.tan(x)
        case .asin: Glibc.asin(x)
        case .acos: Glibc.acos(x)
        case .atan: Glibc.atan(x)
        case .abs: x.magnitude
        case .ceil: x.rounded(.up)
        case .floor: x.rounded(.down)
        case .round: x.rounded(.toNearestOrAwayFromZero)
        }
    }
}

/// `-`, `/`, `%` and `^`.
final class BinaryCalculation: NumberNode {
    enum Function: Sendable {
        case subtract, divide, remainder, power
    }

    private let function: Function
    private let left, right: Node

    init(_ function: Function, _ arguments: [Node], key: String) {
        self.function = function
        left = arguments[0]
        right = arguments[1]
        super.init(.number, key: key, children: arguments)
    }

    override func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        let x = try left.number(feature, context)
        let y = try right.number(feature, context)
        switch function {
        case .subtract: return x - y
        case .divide: return x / y
        case .remainder: return fmod(x, y)
        case .power:
            // ECMAScript does not follow C where the exponent says nothing about a base of ±1.
            if y.isNaN || (y.isInfinite && x.magnitude == 1) { return .nan }
            return pow(x, y)
        }
    }
}

extension Double {
    static let ln2 = 0.693_147_180_559_945_309_417
    static let ln10 = 2.302_585_092_994_045_684_018
    static let e = 2.718_281_828_459_045_235_36
}

/// `+`, `*`, `min` and `max`.
final class Aggregation: NumberNode {
    enum Function: Sendable {
        case sum, product, minimum, maximum
    }

    private let function: Function
    private let arguments: NodeList

    init(_ function: Function, _ arguments: [Node], key: String) {
        self.function = function
        self.arguments = NodeList(arguments)
        super.init(.number, key: key, children: arguments)
    }

    override func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        var result: Double =
            switch function {
            case .sum: 0
            case .product: 1
            case .minimum: .infinity
            case .maximum: -.infinity
            }
        try arguments.forEach { (argument) throws(EvaluationError) in
            let number = try argument.number(feature, context)
            switch function {
            case .sum: result += number
            case .product: result *= number
            case .minimum: result = number < result || number.isNaN ? number : result
            case .maximum: result = number > result || number.isNaN ? number : result
            }
        }
        return result
    }
}
