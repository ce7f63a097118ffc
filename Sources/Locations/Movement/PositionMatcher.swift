public import Geometry

/// A place where devices can be, as a plan has it: on ground that can be walked, or on a route.
public struct MatchedPlace: Sendable, Equatable {
    /// The plan and floor; only places of the same can be compared.
    public var building: Identifier
    public var floor: Int
    /// The part of the floor, a number that only its matcher knows the meaning of: places of two matchers do not compare.
    public var region: Int
    /// In the plan's own plane.
    public var point: PlanePoint
    public var position: Position
    /// Metres from the position that it was found for.
    public var distance: Double

    public init(
        building: Identifier, floor: Int, region: Int, point: PlanePoint, position: Position, distance: Double
    ) {
        (self.building, self.floor, self.region) = (building, floor, region)
        (self.point, self.position, self.distance) = (point, position, distance)
    }
}

/// Knows where devices can be, and what ways lead from place to place. It never changes: another configuration brings
/// another one.
public protocol PositionMatcher: AnyObject, Sendable {
    /// The places where a device can be, one in each part of the floor, nearest first; empty where no plan tells.
    ///
    /// - Parameter distance: Metres from the position, 0 or more. With 0 it is the position itself, but for rounding, or nothing.
    func places(within distance: Double, of place: Place) -> [MatchedPlace]
    /// Whether a way leads from one place to another that is no longer than that; where the plan does not tell, it does.
    ///
    /// - Parameter distance: Metres.
    func isReachable(from start: MatchedPlace, to end: MatchedPlace, within distance: Double) -> Bool
    /// Whether it finds the same everywhere.
    func finds(theSameAs other: any PositionMatcher) -> Bool
}

/// What positions are held against.
public struct PositionMatching: Sendable, Equatable {
    public var matcher: any PositionMatcher

    public init(_ matcher: any PositionMatcher) { self.matcher = matcher }

    public static func == (a: PositionMatching, b: PositionMatching) -> Bool {
        a.matcher === b.matcher || a.matcher.finds(theSameAs: b.matcher)
    }
}
