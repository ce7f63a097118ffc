internal import JSON

/// Reads the geometries of GeoJSON (RFC 7946) that have coordinates.
enum GeoJSON {
    /// The geometries of a FeatureCollection, a Feature or a geometry object.
    ///
    /// - Returns: `nil` where any of them is none that can be read.
    static func geometries(_ json: JSONValue) -> [FeatureGeometry]? {
        guard let object = json.object else { return nil }
        switch object["type"]?.string {
        case "FeatureCollection":
            guard let features = object["features"]?.array else { return nil }
            var found: [FeatureGeometry] = []
            for feature in features {
                guard let geometry = feature.object?["geometry"].flatMap(geometry) else { return nil }
                found.append(geometry)
            }
            return found
        case "Feature": return object["geometry"].flatMap(geometry).map { [$0] }
        default: return geometry(json).map { [$0] }
        }
    }

    static func geometry(_ json: JSONValue) -> FeatureGeometry? {
        guard let object = json.object, let coordinates = object["coordinates"] else { return nil }
        return switch object["type"]?.string {
        case "Point": coordinate(coordinates).map { .point($0) }
        case "MultiPoint": list(coordinates, coordinate).map { .multiPoint($0) }
        case "LineString": list(coordinates, coordinate).map { .lineString($0) }
        case "MultiLineString": list(coordinates) { list($0, coordinate) }.map { .multiLineString($0) }
        case "Polygon": list(coordinates) { list($0, coordinate) }.map { .polygon($0) }
        case "MultiPolygon":
            list(coordinates) { polygon in list(polygon) { list($0, coordinate) } }.map {
                .multiPolygon($0)
            }
        default: nil
        }
    }

    private static func coordinate(_ json: JSONValue) -> Coordinate? {
        guard let numbers = json.array, numbers.count >= 2, let longitude = numbers[0].number,
            let latitude = numbers[1].number
        else { return nil }
        return Coordinate(longitude: longitude, latitude: latitude)
    }

    private static func list<Element>(_ json: JSONValue, _ read: (JSONValue) -> Element?)
        -> [Element]?
    {
        guard let elements = json.array else { return nil }
        var list: [Element] = []
        for element in elements {
            guard let item = read(element) else { return nil }
            list.append(item)
        }
        return list
    }
}
