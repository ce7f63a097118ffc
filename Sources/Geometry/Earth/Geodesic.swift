internal import Foundation

/// The WGS 84 ellipsoid (NIMA TR8350.2): semi-major axis and flattening define it, the rest follows.
enum WGS84 {
    static let semiMajorAxis = 6_378_137.0
    static let flattening = 1 / 298.257223563
    static let semiMinorAxis = semiMajorAxis * (1 - flattening)
    /// The IUGG mean radius in metres, for the sphere that stands in where the ellipsoid's series does not converge.
    static let meanRadius = (2 * semiMajorAxis + semiMinorAxis) / 3
}

extension Position {
    /// Metres along the geodesic to another position.
    ///
    /// By T. Vincenty's inverse formula ("Direct and inverse solutions of geodesics on the ellipsoid", Survey Review 176,
    /// 1975): within a millimetre at any latitude and across the 180° meridian. Between points that are nearly opposite
    /// on the earth it does not converge; there the result is the great circle's and may be off by 0.6 %.
    public func distance(to other: Position) -> Double {
        inverse(to: other).distance
    }

    /// The direction in which the geodesic to another position starts: degrees clockwise from true north, 0 ≤ b < 360.
    ///
    /// 0 where both are the same place. As exact as ``distance(to:)``.
    public func bearing(to other: Position) -> Double {
        inverse(to: other).bearing
    }

    /// The place reached by following a geodesic from here; by Vincenty's direct formula, within a millimetre.
    ///
    /// - Parameters:
    ///   - distance: Metres; negative walks backwards.
    ///   - bearing: Degrees clockwise from true north, any finite number.
    /// - Returns: `nil` where an argument is not finite. The longitude is −180 < λ ≤ 180.
    public func destination(distance: Double, bearing: Double) -> Position? {
        guard distance.isFinite, bearing.isFinite else { return nil }
        // More than a turn of the earth only costs accuracy in the series.
        guard abs(distance) < 1e9 else { return nil }
        let (f, b) = (WGS84.flattening, WGS84.semiMinorAxis)
        let azimuth = bearing.truncatingRemainder(dividingBy: 360).radians
        let (sinAzimuth, cosAzimuth) = (sin(azimuth), cos(azimuth))
        let (sinU, cosU) = reducedLatitude

        let sigma1 = atan2(sinU, cosU * cosAzimuth)
        let sinAlpha = cosU * sinAzimuth
        let cosSqAlpha = 1 - sinAlpha * sinAlpha
        let series = Series(cosSqAlpha: cosSqAlpha)

        var sigma = distance / (b * series.a)
        var cos2SigmaM = 0.0
        for _ in 0..<100 {
            cos2SigmaM = cos(2 * sigma1 + sigma)
            let next =
                distance / (b * series.a)
                + series.deltaSigma(sinSigma: sin(sigma), cosSigma: cos(sigma), cos2SigmaM: cos2SigmaM)
            let change = abs(next - sigma)
            sigma = next
            if change < 1e-13 { break }
        }
        let (sinSigma, cosSigma) = (sin(sigma), cos(sigma))
        cos2SigmaM = cos(2 * sigma1 + sigma)

        let toward = sinU * sinSigma - cosU * cosSigma * cosAzimuth
        let latitude = atan2(
            sinU * cosSigma + cosU * sinSigma * cosAzimuth,
            (1 - f) * (sinAlpha * sinAlpha + toward * toward).squareRoot())
        let lambda = atan2(sinSigma * sinAzimuth, cosU * cosSigma - sinU * sinSigma * cosAzimuth)
        let c = f / 16 * cosSqAlpha * (4 + f * (4 - 3 * cosSqAlpha))
        let l =
            lambda - (1 - c) * f * sinAlpha
            * (sigma + c * sinSigma * (cos2SigmaM + c * cosSigma * (2 * cos2SigmaM * cos2SigmaM - 1)))
        return Position(
            latitude: min(max(latitude.degrees, -90), 90), longitude: wrapped(longitude + l.degrees))
    }

    private func inverse(to other: Position) -> (distance: Double, bearing: Double) {
        let f = WGS84.flattening
        // The short way round, whichever side of 180° the two are on.
        let l = wrapped(other.longitude - longitude).radians
        let (sinU1, cosU1) = reducedLatitude
        let (sinU2, cosU2) = other.reducedLatitude

        var lambda = l
        for _ in 0..<100 {
            let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
            let east = cosU2 * sinLambda
            let north = cosU1 * sinU2 - sinU1 * cosU2 * cosLambda
            let sinSigma = (east * east + north * north).squareRoot()
            guard sinSigma > 0 else { break }  // the same place, or exactly opposite
            let cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cosU1 * cosU2 * sinLambda / sinSigma
            let cosSqAlpha = 1 - sinAlpha * sinAlpha
            // Along the equator the middle of the line has no latitude to measure from.
            let cos2SigmaM = cosSqAlpha > 1e-12 ? cosSigma - 2 * sinU1 * sinU2 / cosSqAlpha : 0
            let c = f / 16 * cosSqAlpha * (4 + f * (4 - 3 * cosSqAlpha))
            let next =
                l + (1 - c) * f * sinAlpha
                * (sigma + c * sinSigma * (cos2SigmaM + c * cosSigma * (2 * cos2SigmaM * cos2SigmaM - 1)))
            guard abs(next) <= .pi else { break }  // nearly opposite: the series leaves the short way
            let change = abs(next - lambda)
            lambda = next
            guard change < 1e-13 else { continue }

            let series = Series(cosSqAlpha: cosSqAlpha)
            let delta = series.deltaSigma(sinSigma: sinSigma, cosSigma: cosSigma, cos2SigmaM: cos2SigmaM)
            return (WGS84.semiMinorAxis * series.a * (sigma - delta), compass(east: east, north: north))
        }
        return greatCircle(to: other, longitudeDifference: l)
    }

    private func greatCircle(to other: Position, longitudeDifference l: Double) -> (distance: Double, bearing: Double) {
        let (phi1, phi2) = (latitude.radians, other.latitude.radians)
        let east = cos(phi2) * sin(l)
        let north = cos(phi1) * sin(phi2) - sin(phi1) * cos(phi2) * cos(l)
        let along = sin(phi1) * sin(phi2) + cos(phi1) * cos(phi2) * cos(l)
        let sigma = atan2((east * east + north * north).squareRoot(), along)
        return (WGS84.meanRadius * sigma, compass(east: east, north: north))
    }

    /// Sine and cosine of the latitude on the auxiliary sphere.
    private var reducedLatitude: (sin: Double, cos: Double) {
        let u = atan2((1 - WGS84.flattening) * sin(latitude.radians), cos(latitude.radians))
        return (sin(u), cos(u))
    }
}

/// Vincenty's A and B, which depend on the geodesic's inclination alone.
private struct Series {
    let a: Double
    let b: Double

    init(cosSqAlpha: Double) {
        let (major, minor) = (WGS84.semiMajorAxis, WGS84.semiMinorAxis)
        let uSq = cosSqAlpha * (major * major - minor * minor) / (minor * minor)
        a = 1 + uSq / 16384 * (4096 + uSq * (-768 + uSq * (320 - 175 * uSq)))
        b = uSq / 1024 * (256 + uSq * (-128 + uSq * (74 - 47 * uSq)))
    }

    func deltaSigma(sinSigma: Double, cosSigma: Double, cos2SigmaM: Double) -> Double {
        let squared = cos2SigmaM * cos2SigmaM
        let third = b / 6 * cos2SigmaM * (4 * sinSigma * sinSigma - 3) * (4 * squared - 3)
        return b * sinSigma * (cos2SigmaM + b / 4 * (cosSigma * (2 * squared - 1) - third))
    }
}
