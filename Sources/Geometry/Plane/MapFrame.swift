internal import Foundation

/// Where a floor plan lies on the earth.
///
/// The plan's coordinates are turned, scaled and moved (an affine map may stretch them, too) onto the plane that touches
/// the ellipsoid at ``origin``, and from there brought to the ellipsoid along the vertical. What the plane adds to the
/// error of the control points is 4 µm at 1 km from the origin, 4 mm at 10 km and 33 mm at ``reach``, at any latitude.
public struct MapFrame: Sendable, Hashable {
    /// Metres from the origin up to which a point is on the map; beyond is bad input.
    public static let reach = 20_000.0

    private let plane: TangentPlane
    private let transform: PlaneTransform

    init(plane: TangentPlane, transform: PlaneTransform) {
        (self.plane, self.transform) = (plane, transform)
    }

    /// A plan whose place is known without control points.
    ///
    /// - Parameters:
    ///   - origin: Where the plan's 0, 0 lies.
    ///   - rotation: The direction of its y axis in degrees clockwise from true north.
    ///   - scale: Metres in one of its units, more than 0.
    public init(origin: Position, rotation: Double = 0, scale: Double = 1) {
        self.init(plane: TangentPlane(at: origin), transform: PlaneTransform(rotation: rotation, scale: scale))
    }

    /// Where the plane touches: the middle of the control points.
    public var origin: Position { plane.origin }

    /// Metres in one of the plan's units; of an affine map the mean.
    public var scale: Double { abs(transform.determinant).squareRoot() }

    /// The direction of the plan's y axis at the origin: degrees clockwise from true north, 0 ≤ r < 360.
    public var rotation: Double { compass(east: transform.eastByY, north: transform.northByY) }

    /// Whether the plan's y axis is to the right of its x axis, as in an image.
    public var isMirrored: Bool { transform.determinant < 0 }

    /// How much more an affine map stretches the plan in one direction than across it, from 1 on.
    public var stretch: Double { transform.stretch }

    /// Returns the position of a point of the plan.
    ///
    /// - Parameters:
    ///   - x: The plan's units along its x axis.
    ///   - y: Its units along its y axis; in a right-handed plan anticlockwise from x (VDA 5050 3.0, §6.3: z up).
    /// - Returns: `nil` farther than ``reach`` from the origin, which on a floor plan is bad input.
    public func position(x: Double, y: Double) -> Position? {
        let (east, north) = transform.apply(x: x, y: y)
        guard east * east + north * north <= Self.reach * Self.reach else { return nil }  // NaN, too
        return plane.position(east: east, north: north)
    }

    /// Returns the direction of what points in a direction of the plan.
    ///
    /// - Parameters:
    ///   - heading: Degrees from the plan's y axis toward its x axis.
    ///   - position: Where it is; north is another way there than at the origin (by 0.01° at 1 km and 57° N). `nil`:
    ///     at the origin.
    /// - Returns: Degrees clockwise from true north, 0 ≤ h < 360.
    public func heading(_ heading: Double, at position: Position? = nil) -> Double {
        let (x, y) = (sin(heading.radians), cos(heading.radians))
        let grid = compass(
            east: transform.eastByX * x + transform.eastByY * y, north: transform.northByX * x + transform.northByY * y)
        guard let position else { return grid }
        let convergence =
            wrapped(position.longitude - origin.longitude) * sin((position.latitude + origin.latitude).radians / 2)
        return normalizedDirection(grid + convergence)
    }

    /// Returns where a position is on the plan: the way back from ``position(x:y:)``, to a micrometre.
    ///
    /// Of a frame made of an origin alone, these are metres east and north of that.
    ///
    /// - Returns: `nil` farther than ``reach`` from the origin.
    public func point(of position: Position) -> PlanePoint? {
        // Most of the earth is told apart by its latitude alone: a degree is 111 km.
        guard abs(position.latitude - origin.latitude) < 1 else { return nil }
        let (east, north, up) = plane.point(of: position)
        guard east * east + north * north <= Self.reach * Self.reach, up > -Self.reach else { return nil }
        let (dx, dy) = (east - transform.east, north - transform.north)
        return PlanePoint(
            x: (transform.northByY * dx - transform.eastByY * dy) / transform.determinant,
            y: (transform.eastByX * dy - transform.northByX * dx) / transform.determinant)
    }
}
