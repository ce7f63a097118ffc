internal import Glibc
internal import JSON

/// How the way between two stops is divided.
enum InterpolationCurve: Sendable {
    /// Linear is base 1.
    case exponential(base: Double)
    case cubicBezier(UnitBezier)

    /// Reads the operation's first argument: `["linear"]`, `["exponential", base]` or
    /// `["cubic-bezier", x1, y1, x2, y2]`.
    init?(_ description: [JSONValue], _ context: ParsingContext) {
        switch description[0].string {
        case "linear": self = .exponential(base: 1)
        case "exponential":
            guard description.count > 1, let base = description[1].number else {
                _ = context.error("Exponential interpolation requires a numeric base.", at: 1, 1)
                return nil
            }
            self = .exponential(base: base)
        case "cubic-bezier":
            let points = description.dropFirst().compactMap(\.number)
            guard points.count == 4, description.count == 5, points.allSatisfy({ (0...1).contains($0) })
            else {
                _ = context.error(
                    "Cubic bezier interpolation requires four numeric arguments with values between 0 and 1.",
                    at: 1)
                return nil
            }
            self = .cubicBezier(UnitBezier(x1: points[0], y1: points[1], x2: points[2], y2: points[3]))
        default:
            _ = context.error("Unknown interpolation type \(Value(description[0]).text)", at: 1, 0)
            return nil
        }
    }

    /// How far an input between two stops has come, 0…1.
    func share(of input: Double, from lower: Double, to upper: Double) -> Double {
        let (width, progress) = (upper - lower, input - lower)
        switch self {
        case .exponential(1): return progress / width
        case .exponential(let base): return (pow(base, progress) - 1) / (pow(base, width) - 1)
        case .cubicBezier(let curve): return curve.y(at: progress / width)
        }
    }
}

/// A cubic Bézier curve from (0, 0) to (1, 1) as in CSS Easing Functions, with x ascending.
struct UnitBezier: Sendable {
    let x1, y1, x2, y2: Double

    func y(at x: Double) -> Double { Self.point(at: parameter(at: x), y1, y2) }

    private static func point(at t: Double, _ p1: Double, _ p2: Double) -> Double {
        let s = 1 - t
        return 3 * s * s * t * p1 + 3 * s * t * t * p2 + t * t * t
    }

    /// The curve's parameter for an x in 0…1, by halving: x ascends with it.
    private func parameter(at x: Double) -> Double {
        var low = 0.0
        var high = 1.0
        while true {
            let middle = (low + high) / 2
            if middle <= low || middle >= high { return middle }
            if Self.point(at: middle, x1, x2) < x { low = middle } else { high = middle }
        }
    }
}
