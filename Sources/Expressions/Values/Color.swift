internal import JSON

/// A colour in sRGB.
///
/// Parts are kept as written, not multiplied by alpha, so that fading to a transparent colour does not pass through
/// black. Upstream's outputs are premultiplied: ``premultiplied``.
public struct Color: Sendable, Hashable {
    /// 0…1, not multiplied by ``alpha``.
    public let red, green, blue: Double
    /// 0…1.
    public let alpha: Double

    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// From parts that have been multiplied by alpha already.
    init(premultipliedRed red: Double, green: Double, blue: Double, alpha: Double) {
        let factor = alpha == 0 ? 0 : 1 / alpha
        self.init(red: red * factor, green: green * factor, blue: blue * factor, alpha: alpha)
    }

    /// Red, green and blue multiplied by alpha.
    public var premultiplied: (red: Double, green: Double, blue: Double) {
        (red * alpha, green * alpha, blue * alpha)
    }
}

extension Color {
    /// `rgba(85,255,0,0.5)`: what `to-string` gives.
    var text: String {
        func part(_ value: Double) -> String { NumberText.text(of: (value * 255 + 0.5).rounded(.down)) }
        return "rgba(\(part(red)),\(part(green)),\(part(blue)),\(NumberText.text(of: alpha)))"
    }

    /// `#rrggbb`, or `#rrggbbaa` where it is not opaque.
    public var hexText: String {
        let parts = alpha < 1 ? [red, green, blue, alpha] : [red, green, blue]
        return parts.reduce(into: "#") { text, part in
            let byte = part.isNaN ? 0 : Int((min(max(part, 0), 1) * 255).rounded())
            text += byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
        }
    }

    var json: JSONValue {
        let (red, green, blue) = premultiplied
        return .object(
            JSONObject([
                ("r", Value.number(red).json), ("g", Value.number(green).json),
                ("b", Value.number(blue).json),
                ("a", Value.number(alpha).json),
            ]))
    }
}
