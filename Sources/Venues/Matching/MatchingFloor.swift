internal import Geometry

/// A place on a floor where devices can be.
struct Spot: Equatable {
    var region: Int
    var point: PlanePoint
    /// Metres from where it was looked for.
    var distance: Double
}

/// One floor, as something that devices keep to.
protocol MatchingFloor: Sendable {
    /// The nearest spot of each region that has one so near, nearest first. With 0, spots are the point itself, but for rounding.
    func spots(within distance: Double, of point: PlanePoint) -> [Spot]
    /// Whether a way leads from spot to spot that may be no longer than that.
    func isReachable(from start: Spot, to end: Spot, within distance: Double) -> Bool
}
