/// A coordinate reference system that a map may have beside degrees on WGS 84. It never changes: another configuration brings
/// another one.
public protocol CoordinateSystem: AnyObject, Sendable {
    /// Where a position is in it; `nil` where the system has no place for it that leads back to the same position.
    func project(_ position: Position) -> ProjectedPosition?
    /// Whether it has the same place for every position, under the same name.
    func isSame(as other: any CoordinateSystem) -> Bool
}

/// A place in a coordinate reference system, in its unit.
public struct ProjectedPosition: Sendable, Hashable {
    /// What the system is called: `EPSG:25832`.
    public var crs: String
    /// To the east, whatever order the system's axes have.
    public var x: Double
    /// To the north.
    public var y: Double

    public init(crs: String, x: Double, y: Double) { (self.crs, self.x, self.y) = (crs, x, y) }
}
