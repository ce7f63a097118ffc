/// The space in which colours between two stops are found.
enum ColorSpace: Sendable {
    case rgb, lab, hcl
}

/// The number that lies `share` of the way from `a` to `b`.
func interpolate(_ a: Double, _ b: Double, _ share: Double) -> Double {
    a + share * (b - a)
}

extension Color {
    /// The colour that lies `share` (0…1) of the way to another one.
    func interpolated(to other: Color, share: Double, in space: ColorSpace) -> Color {
        switch space {
        case .rgb:
            return Color(
                red: interpolate(red, other.red, share), green: interpolate(green, other.green, share),
                blue: interpolate(blue, other.blue, share), alpha: interpolate(alpha, other.alpha, share))
        case .lab:
            let (from, to) = (LABColor(self), LABColor(other))
            return LABColor(
                lightness: interpolate(from.lightness, to.lightness, share),
                a: interpolate(from.a, to.a, share),
                b: interpolate(from.b, to.b, share), alpha: interpolate(from.alpha, to.alpha, share)
            ).color
        case .hcl:
            return HCLColor(self).interpolated(to: HCLColor(other), share: share).color
        }
    }
}

extension HCLColor {
    /// The hue goes the shorter way round. A grey takes the other colour's hue, and black or white its chroma too.
    fileprivate func interpolated(to other: HCLColor, share: Double) -> HCLColor {
        func isExtreme(_ lightness: Double) -> Bool { lightness == 0 || lightness == 1 }
        var mixed = HCLColor(
            hue: .nan, chroma: interpolate(chroma, other.chroma, share),
            lightness: interpolate(lightness, other.lightness, share),
            alpha: interpolate(alpha, other.alpha, share))
        switch (hue.isNaN, other.hue.isNaN) {
        case (false, false):
            var difference = other.hue - hue
            if difference > 180 {
                difference -= 360
            } else if difference < -180 {
                difference += 360
            }
            mixed.hue = hue + share * difference
        case (false, true):
            mixed.hue = hue
            if isExtreme(other.lightness) { mixed.chroma = chroma }
        case (true, false):
            mixed.hue = other.hue
            if isExtreme(lightness) { mixed.chroma = other.chroma }
        case (true, true): break
        }
        return mixed
    }
}
