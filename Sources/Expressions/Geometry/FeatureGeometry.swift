/// Degrees of longitude and latitude on WGS 84, unchecked: longitudes beyond ±180 lie in the next copy of the world.
public struct Coordinate: Sendable, Hashable {
    public var longitude: Double
    public var latitude: Double

    public init(longitude: Double, latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
    }
}

/// A feature's geometry, of the kinds of GeoJSON (RFC 7946) that have coordinates.
public enum FeatureGeometry: Sendable {
    case point(Coordinate)
    case multiPoint([Coordinate])
    case lineString([Coordinate])
    case multiLineString([[Coordinate]])
    /// Rings, the outer one first; the last position of a ring repeats its first.
    case polygon([[Coordinate]])
    case multiPolygon([[[Coordinate]]])

    /// The name of the kind, as GeoJSON writes it.
    public var type: String {
        switch self {
        case .point: "Point"
        case .multiPoint: "MultiPoint"
        case .lineString: "LineString"
        case .multiLineString: "MultiLineString"
        case .polygon: "Polygon"
        case .multiPolygon: "MultiPolygon"
        }
    }

    /// The kind of one part.
    var simpleType: String {
        switch self {
        case .point, .multiPoint: "Point"
        case .lineString, .multiLineString: "LineString"
        case .polygon, .multiPolygon: "Polygon"
        }
    }
}
