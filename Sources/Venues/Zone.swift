public import Geometry
internal import JSON

/// A part of the site that the operator wants to be told of when something enters or leaves it.
public struct Zone: Sendable, Hashable {
    public var id: String
    public var name: String?
    /// `nil`: locations of any building can be in it.
    public var building: String?
    /// Index in the sense of MapsIndoors; `nil`: on all floors.
    public var floor: Int?
    public var outline: GeographicArea

    public init(id: String, name: String? = nil, building: String? = nil, floor: Int? = nil, outline: GeographicArea) {
        (self.id, self.name, self.building, self.floor, self.outline) = (id, name, building, floor, outline)
    }
}

extension GeographicArea {
    /// The middle of its points.
    var middle: Position? { Position.middle(of: Array(positions)) }

    /// Everything that is wrong with an area that stands by itself.
    public var faults: [String] {
        guard let middle else { return [] }
        var faults: [String] = []
        _ = checked(in: MapFrame(origin: middle)) { faults.append($0) }
        return faults
    }

    /// Reads the area of a zone: a Polygon or MultiPolygon, a Feature with one, or a FeatureCollection of them, which then are
    /// one area together.
    ///
    /// - Parameter name: Names the file in faults.
    public static func read(_ bytes: [UInt8], name: String) -> (area: GeographicArea?, faults: [VenueFault]) {
        var faults: [VenueFault] = []
        guard let json = VenueFile(name: name, report: { faults.append($0) }).parse(bytes) else { return (nil, faults) }
        var polygons: [Polygon] = []
        let features = json.object?["features"]?.array
        for (index, part) in (features ?? [json]).enumerated() {
            let object = part.object
            let geometry = object?["type"]?.string == "Feature" ? object?["geometry"] : part
            let id = object?["id"]?.string.map { "feature \"\($0)\"" } ?? "feature \(index + 1)"
            let reader = GeometryReader { faults.append(VenueFault(name, features == nil ? "" : id, $0)) }
            polygons += reader.area(geometry)?.polygons ?? []
        }
        guard faults.isEmpty else { return (nil, faults) }
        guard !polygons.isEmpty else { return (nil, [VenueFault(name, "", "has no polygon")]) }
        let area = GeographicArea(polygons)
        faults = area.faults.map { VenueFault(name, "", $0) }
        return (faults.isEmpty ? area : nil, faults)
    }
}
