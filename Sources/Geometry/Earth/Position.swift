/// A place on the earth's surface: geodetic degrees on WGS 84.
///
/// Equality compares the two numbers: 180° and −180° are one meridian but two values, and so are the longitudes at a pole.
public struct Position: Sendable, Hashable {
    /// Degrees north of the equator, −90…90.
    public let latitude: Double
    /// Degrees east of Greenwich, −180…180.
    public let longitude: Double

    /// `nil` when a number is out of its range or not finite, so that every `Position` can be drawn.
    public init?(latitude: Double, longitude: Double) {
        // NaN is in no range.
        guard (-90.0...90.0).contains(latitude), (-180.0...180.0).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}
