internal import Geometry
internal import JSON

/// Reads GeoJSON geometries (RFC 7946), and says everything that is wrong with one.
struct GeometryReader {
    /// Points of a ring at most: what has more is no floor plan, and would take for ever to check.
    static let maximumPoints = 10_000

    let report: (String) -> Void

    /// A Polygon or MultiPolygon; `nil` where something is wrong, which then has been reported.
    func area(_ geometry: JSONValue?) -> GeographicArea? {
        guard let (type, coordinates) = content(geometry, expected: ["Polygon", "MultiPolygon"]) else { return nil }
        let polygons = type == "Polygon" ? [coordinates] : coordinates.array ?? []
        guard !polygons.isEmpty else {
            report("the MultiPolygon has no polygon")
            return nil
        }
        let read = polygons.enumerated().map { index, polygon in
            rings(polygon, type == "Polygon" ? "" : "polygon \(index + 1), ")
        }
        let complete = read.compactMap { $0 }
        return complete.count == read.count ? GeographicArea(complete) : nil
    }

    func line(_ geometry: JSONValue?) -> [Position]? {
        guard let (_, coordinates) = content(geometry, expected: ["LineString"]) else { return nil }
        return line(coordinates, "")
    }

    /// A LineString or MultiLineString.
    func lines(_ geometry: JSONValue?) -> [[Position]]? {
        guard let (type, coordinates) = content(geometry, expected: ["LineString", "MultiLineString"]) else {
            return nil
        }
        if type == "LineString" { return line(coordinates, "").map { [$0] } }
        let lines = coordinates.array ?? []
        guard !lines.isEmpty else {
            report("the MultiLineString has no line")
            return nil
        }
        let read = lines.enumerated().map { line($1, "line \($0 + 1), ") }
        let complete = read.compactMap { $0 }
        return complete.count == read.count ? complete : nil
    }

    private func line(_ coordinates: JSONValue, _ place: String) -> [Position]? {
        guard let line = positions(coordinates, place) else { return nil }
        guard line.count >= 2 else {
            report("\(place)the line has fewer than two points")
            return nil
        }
        return line
    }

    func point(_ geometry: JSONValue?) -> Position? {
        guard let (_, coordinates) = content(geometry, expected: ["Point"]) else { return nil }
        return position(coordinates, "the point")
    }

    private func content(_ geometry: JSONValue?, expected: [String]) -> (type: String, coordinates: JSONValue)? {
        let names = expected.joined(separator: " or ")
        guard let object = geometry?.object, let type = object["type"]?.string else {
            report("has no geometry; expected a \(names)")
            return nil
        }
        guard expected.contains(type) else {
            report("its geometry is a \(type); expected a \(names)")
            return nil
        }
        guard let coordinates = object["coordinates"], coordinates.array != nil else {
            report("the \(type) has no list of coordinates")
            return nil
        }
        return (type, coordinates)
    }

    private func rings(_ polygon: JSONValue, _ place: String) -> [[Position]]? {
        guard let rings = polygon.array, !rings.isEmpty else {
            report("\(place)expected a list of rings")
            return nil
        }
        let read = rings.enumerated().map { ring($1, "\(place)ring \($0 + 1)") }
        let complete = read.compactMap { $0 }
        return complete.count == read.count ? complete : nil
    }

    private func ring(_ json: JSONValue, _ place: String) -> [Position]? {
        guard let ring = positions(json, "\(place), ") else { return nil }
        guard ring.count >= 4 else {
            report("\(place) has fewer than four points, the first one repeated at the end")
            return nil
        }
        guard ring.first == ring.last else {
            report("\(place) is open: its last point is not its first")
            return nil
        }
        guard ring.count <= Self.maximumPoints else {
            report("\(place) has \(ring.count) points, more than \(Self.maximumPoints)")
            return nil
        }
        return ring.dropLast()
    }

    private func positions(_ json: JSONValue, _ place: String) -> [Position]? {
        guard let points = json.array else {
            report("\(place)expected a list of positions")
            return nil
        }
        let read = points.enumerated().map { position($1, "\(place)point \($0 + 1)") }
        let complete = read.compactMap { $0 }
        return complete.count == read.count ? complete : nil
    }

    /// Longitude first; a height behind is not read.
    private func position(_ json: JSONValue, _ place: String) -> Position? {
        guard let numbers = json.array, numbers.count >= 2 else {
            report("\(place): expected [longitude, latitude]")
            return nil
        }
        for number in numbers.prefix(2) where number.number == nil {
            report("\(place): \(number.text.prefix(40)) is no number")
            return nil
        }
        guard let longitude = numbers[0].number, let latitude = numbers[1].number else { return nil }
        guard let position = Position(latitude: latitude, longitude: longitude) else {
            report(
                "\(place): longitude \(JSONNumber.text(of: longitude)), latitude \(JSONNumber.text(of: latitude)) is out"
                    + " of range")
            return nil
        }
        return position
    }
}

extension GeographicArea {
    /// The area in a frame, if its polygons are as they should be.
    ///
    /// - Parameter report: Gets everything that is wrong.
    func checked(in frame: MapFrame, _ report: (String) -> Void) -> PlaneArea? {
        var isSound = true
        for (index, polygon) in polygons.enumerated() {
            let place = polygons.count > 1 ? "polygon \(index + 1), " : ""
            let rings = polygon.map { ring in ring.compactMap { frame.point(of: $0) } }
            guard zip(rings, polygon).allSatisfy({ $0.count == $1.count }) else {
                report("\(place)is more than \(Int(MapFrame.reach / 1_000)) km away from the middle of the others")
                return nil
            }
            for fault in PolygonFault.all(in: rings) {
                report(place + fault.words)
                isSound = false
            }
        }
        guard isSound else { return nil }
        let parts = polygons.compactMap { PlaneArea(GeographicArea([$0]), in: frame) }
        for (index, part) in parts.enumerated() {
            for other in 0..<index where PolygonFault.overlap(part, parts[other]) {
                report("polygons \(other + 1) and \(index + 1) overlap")
                isSound = false
            }
        }
        return isSound ? PlaneArea(self, in: frame) : nil
    }
}

extension PolygonFault {
    fileprivate var words: String {
        switch self {
        case .tooFewPoints(let ring): "ring \(ring + 1) has fewer than three places"
        case .noArea(let ring): "ring \(ring + 1) has no area: its points lie on one line"
        case .touchesItself(let ring, let edge, let other):
            "ring \(ring + 1) touches or crosses itself: the edges from point \(edge + 1) and from point \(other + 1)"
        case .holeOutside(let ring): "ring \(ring + 1), a hole, leaves its polygon"
        case .nothingLeft: "its holes leave nothing of it"
        case .holesOverlap(let ring, let other): "rings \(other + 1) and \(ring + 1), two holes, overlap"
        }
    }
}
