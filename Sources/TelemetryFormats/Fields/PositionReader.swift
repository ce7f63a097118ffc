internal import Geometry
internal import JSON
internal import Locations

/// Reads WGS 84 degrees. A fault here rejects the message: a wrong place is worse than none.
enum PositionReader {
    /// - Returns: `unknown` for 0,0: that is what devices send that have no fix.
    static func degrees(
        latitude: JSONValue, longitude: JSONValue, at pointers: (latitude: String, longitude: String),
        acceptNullIsland: Bool
    ) throws(Rejection) -> Reading<ReportedPosition> {
        let lat = try number(latitude, at: pointers.latitude)
        let lon = try number(longitude, at: pointers.longitude)
        guard (-90...90).contains(lat) else {
            throw Rejection(.positionOutOfRange, at: pointers.latitude, "latitude \(lat) is not within ±90")
        }
        guard (-180...180).contains(lon) else {
            throw Rejection(.positionOutOfRange, at: pointers.longitude, "longitude \(lon) is not within ±180")
        }
        if lat == 0, lon == 0, !acceptNullIsland { return .unknown }
        guard let position = Position(latitude: lat, longitude: lon) else {
            throw Rejection(.positionOutOfRange, "no position: \(lat), \(lon)")
        }
        return .value(.geographic(position))
    }

    /// Reads a point on a plan, given in fractions of a metre.
    static func plan(
        x: JSONValue, y: JSONValue, map: String? = nil, at pointers: (x: String, y: String), perMetre: Double = 1
    ) throws(Rejection) -> Reading<ReportedPosition> {
        let x = try number(x, at: pointers.x) / perMetre
        let y = try number(y, at: pointers.y) / perMetre
        return .value(.plan(x: x, y: y, map: map))
    }

    static func number(_ value: JSONValue, at pointer: String) throws(Rejection) -> Double {
        guard let number = FieldReader.number(value), number.isFinite else {
            throw Rejection(.positionNotANumber, at: pointer, "a coordinate that is no number")
        }
        return number
    }
}
