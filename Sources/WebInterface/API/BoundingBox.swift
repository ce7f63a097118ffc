internal import Geometry

/// A box as GeoJSON and OGC API write it: west, south, east, north in degrees. Where west is greater than east, it
/// crosses the 180° meridian (RFC 7946, §5.2).
struct BoundingBox: Equatable {
    private let west, south, east, north: Double

    init(_ text: String) throws(BadRequest) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
        guard parts.count == 4, parts.allSatisfy(\.isFinite) else {
            throw BadRequest(reason: "bbox: \"\(text)\" is not west,south,east,north in degrees")
        }
        (west, south, east, north) = (parts[0], parts[1], parts[2], parts[3])
        guard (-180...180).contains(west), (-180...180).contains(east) else {
            throw BadRequest(
                reason: "bbox: west and east are within ±180; a box across the 180° meridian has west > east")
        }
        guard (-90...90).contains(south), (-90...90).contains(north), south <= north else {
            throw BadRequest(reason: "bbox: south and north are within ±90, and south is not above north")
        }
    }

    func contains(_ position: Position) -> Bool {
        guard (south...north).contains(position.latitude) else { return false }
        return contains(longitude: position.longitude)
            // −180° and 180° are one meridian.
            || abs(position.longitude) == 180 && contains(longitude: -position.longitude)
    }

    private func contains(longitude: Double) -> Bool {
        west <= east ? (west...east).contains(longitude) : longitude >= west || longitude <= east
    }
}
