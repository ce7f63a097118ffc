internal import Glibc

/// A constant, a function of one number, or of two.
final class Calculation: NumberNode {
  enum Function: Sendable {
    case negate, sqrt, ln, log10, log2, sin, cos, tan, asin, acos, atan, abs, ceil, floor, round
    case subtract, divide, remainder, power
  }

  let key: String
  let traits: Traits
  private let function: Function
  private let first: any Node
  private let second: (any Node)?

  init(_ function: Function, _ arguments: [any Node], key: String) {
    self.function = function
    self.key = key
    first = arguments[0]
    second = arguments.count > 1 ? arguments[1] : nil
    traits = .of(arguments)
  }

  var children: [any Node] { [first] + (second.map { [$0] } ?? []) }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    let x = try first.number(context)
    let y = try second?.number(context) ?? 0
    switch function {
    case .negate: return -x
    case .sqrt: return x.squareRoot()
    case .ln: return log(x)
    case .log10: return log(x) / .ln10
    case .log2: return log(x) / .ln2
    case .sin: return Glibc.sin(x)
    case .cos: return Glibc.cos(x)
    case .tan: return Glibc.tan(x)
    case .asin: return Glibc.asin(x)
    case .acos: return Glibc.acos(x)
    case .atan: return Glibc.atan(x)
    case .abs: return x.magnitude
    case .ceil: return x.rounded(.up)
    case .floor: return x.rounded(.down)
    case .round: return x.rounded(.toNearestOrAwayFromZero)
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

  let key: String
  let traits: Traits
  private let function: Function
  private let arguments: [any Node]

  init(_ function: Function, _ arguments: [any Node], key: String) {
    self.function = function
    self.arguments = arguments
    self.key = key
    traits = .of(arguments)
  }

  var children: [any Node] { arguments }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    var result: Double =
      switch function {
      case .sum: 0
      case .product: 1
      case .minimum: .infinity
      case .maximum: -.infinity
      }
    for argument in arguments {
      let number = try argument.number(context)
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
