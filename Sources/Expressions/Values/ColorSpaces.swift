internal import Glibc

extension Color {
    /// HSL as CSS Color 4, §7.1, converts it.
    ///
    /// - Parameters:
    ///   - hue: Degrees; any number, it wraps.
    ///   - saturation: 0…100.
    ///   - lightness: 0…100.
    init(hue: Double, saturation: Double, lightness: Double, alpha: Double) {
        let turns = hue.wrappedDegrees / 30
        let light = lightness / 100
        let reach = saturation / 100 * min(light, 1 - light)
        func part(_ offset: Double) -> Double {
            let k = (offset + turns).truncatingRemainder(dividingBy: 12)
            return light - reach * max(-1, min(k - 3, 9 - k, 1))
        }
        self.init(red: part(0), green: part(8), blue: part(4), alpha: alpha)
    }
}

extension Double {
    /// The same angle in 0..<360.
    fileprivate var wrappedDegrees: Double {
        let rest = truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }
}

/// CIE L*a*b* under the D50 white point, with sRGB adapted by Bradford's matrix.
struct LABColor {
    var lightness, a, b, alpha: Double

    private static let white = (x: 0.96422, y: 1.0, z: 0.82521)
    /// Below this the cube root turns into a straight line (CIE 15: δ = 6/29).
    private static let delta = 6.0 / 29

    init(lightness: Double, a: Double, b: Double, alpha: Double) {
        self.lightness = lightness
        self.a = a
        self.b = b
        self.alpha = alpha
    }

    init(_ color: Color) {
        func linear(_ part: Double) -> Double {
            part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        func f(_ t: Double) -> Double {
            t > pow(Self.delta, 3) ? pow(t, 1.0 / 3) : t / (3 * Self.delta * Self.delta) + 4.0 / 29
        }
        let (r, g, b) = (linear(color.red), linear(color.green), linear(color.blue))
        let y = f((0.2225045 * r + 0.7168786 * g + 0.0606169 * b) / Self.white.y)
        var x = y
        var z = y
        if r != g || g != b {  // greys have no tint, not even one of rounding
            x = f((0.4360747 * r + 0.3850649 * g + 0.1430804 * b) / Self.white.x)
            z = f((0.0139322 * r + 0.0971045 * g + 0.7141733 * b) / Self.white.z)
        }
        self.init(
            lightness: max(0, 116 * y - 16), a: 500 * (x - y), b: 200 * (y - z), alpha: color.alpha)
    }

    /// Parts outside sRGB are clipped.
    var color: Color {
        func inverse(_ t: Double) -> Double {
            t > Self.delta ? t * t * t : 3 * Self.delta * Self.delta * (t - 4.0 / 29)
        }
        func companded(_ part: Double) -> Double {
            min(max(part <= 0.00304 ? 12.92 * part : 1.055 * pow(part, 1 / 2.4) - 0.055, 0), 1)
        }
        let fy = (lightness + 16) / 116
        let x = Self.white.x * inverse(a.isNaN ? fy : fy + a / 500)
        let y = Self.white.y * inverse(fy)
        let z = Self.white.z * inverse(b.isNaN ? fy : fy - b / 200)
        return Color(
            red: companded(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
            green: companded(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
            blue: companded(0.0719453 * x - 0.2289914 * y + 1.4052427 * z), alpha: alpha)
    }
}

/// L*a*b* in polar form.
struct HCLColor {
    /// Degrees 0..<360; NaN for greys, which have no hue.
    var hue: Double
    var chroma, lightness, alpha: Double

    init(hue: Double, chroma: Double, lightness: Double, alpha: Double) {
        self.hue = hue
        self.chroma = chroma
        self.lightness = lightness
        self.alpha = alpha
    }

    init(_ color: Color) {
        let lab = LABColor(color)
        let chroma = (lab.a * lab.a + lab.b * lab.b).squareRoot()
        let isGrey = (chroma * 10_000).rounded() == 0
        self.init(
            hue: isGrey ? .nan : (atan2(lab.b, lab.a) * 180 / .pi).wrappedDegrees, chroma: chroma,
            lightness: lab.lightness, alpha: lab.alpha)
    }

    var color: Color {
        let angle = hue.isNaN ? 0 : hue * .pi / 180
        return LABColor(
            lightness: lightness, a: cos(angle) * chroma, b: sin(angle) * chroma, alpha: alpha
        ).color
    }
}
