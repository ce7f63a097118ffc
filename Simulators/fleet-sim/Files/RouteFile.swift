import Foundation
import GPX
import Geometry
import JSON

/// The line of a file: a GPX route, else the first segment of a GPX track, or a GeoJSON LineString.
struct RouteFile {
    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    let points: [Position]

    /// Of a GeoJSON file. A million points are some 40 MB.
    private static let largest = 64 << 20

    init(path: String) throws {
        points = try Self.isJSON(path) ? Self.geoJSON(path) : Self.gpx(path)
    }

    /// XML begins with `<`, whatever the file's name.
    private static func isJSON(_ path: String) throws -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Fault(description: "\(path): \(String(cString: strerror(errno)))")
        }
        defer { try? file.close() }
        let start = try file.read(upToCount: 1_024) ?? Data()
        return start.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "{")
    }

    private static func gpx(_ path: String) throws -> [Position] {
        let document = try GPXDocument(path: path)
        if let cut = document.cut { throw cut }
        if let route = document.routes.first(where: { $0.points.count > 1 }) { return route.points.map(\.position) }
        let segments = document.tracks.flatMap(\.segments)
        if let segment = segments.first(where: { $0.points.count > 1 }) { return segment.points.map(\.position) }
        throw Fault(
            description: "\(path): no route (rte) and no track segment (trkseg) with two points or more; "
                + "\(document.waypoints.count) waypoints, \(document.rejectedPoints) points without a readable lat and lon"
        )
    }

    private static func geoJSON(_ path: String) throws -> [Position] {
        let data = try Data(contentsOf: URL(filePath: path))
        guard data.count <= largest else { throw Fault(description: "\(path): larger than 64 MiB") }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONParser().parse(Array(data))
        } catch {
            throw Fault(description: "\(path): \(error.detail)")
        }
        guard let coordinates = lineString(root) else {
            throw Fault(description: "\(path): no LineString; a Feature or FeatureCollection may be round it")
        }
        return try coordinates.enumerated().map { index, value in
            guard let pair = value.array, pair.count >= 2, let longitude = pair[0].number,
                let latitude = pair[1].number,
                let position = Position(latitude: latitude, longitude: longitude)
            else { throw Fault(description: "\(path): coordinates/\(index): not [longitude, latitude] in degrees") }
            return position
        }
    }

    private static func lineString(_ value: JSONValue) -> [JSONValue]? {
        guard let object = value.object else { return nil }
        switch object["type"]?.string {
        case "LineString": return object["coordinates"]?.array.flatMap { $0.count > 1 ? $0 : nil }
        case "Feature": return object["geometry"].flatMap(lineString)
        case "FeatureCollection": return object["features"]?.array?.lazy.compactMap(lineString).first
        default: return nil
        }
    }
}
