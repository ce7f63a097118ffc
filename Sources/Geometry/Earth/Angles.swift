internal import Foundation

/// The direction of a vector, 0 ≤ b < 360.
func compass(east: Double, north: Double) -> Double { normalizedDirection(atan2(east, north).degrees) }

/// A direction in degrees as 0 ≤ b < 360.
public func normalizedDirection(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let positive = rest < 0 ? rest + 360 : rest + 0  // −0 becomes 0
    return positive < 360 ? positive : 0  // −1e-20 + 360 is 360
}

/// A longitude, or the difference of two longitudes or directions, in degrees as −180 < λ ≤ 180.
public func wrapped(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    if rest > 180 { return rest - 360 }
    return rest <= -180 ? rest + 360 : rest
}

extension Double {
    var radians: Double { self * .pi / 180 }
    var degrees: Double { self * 180 / .pi }
}
