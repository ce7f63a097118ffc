public import Geometry

/// A plan that devices give their positions on: where it lies on the earth, and which floor it shows.
public struct FloorMap: Sendable, Hashable {
    public var frame: MapFrame
    public var building: String?
    /// Index in the sense of MapsIndoors.
    public var floor: Int?

    public init(frame: MapFrame, building: String? = nil, floor: Int? = nil) {
        (self.frame, self.building, self.floor) = (frame, building, floor)
    }

    /// Whether the plan's unit is the metre, as far as a survey can tell; else it is a pixel, a millimetre or the like.
    var isInMetres: Bool { (0.95...1.05).contains(frame.scale) }
}

/// The maps by name.
public struct MapTable: Sendable, Equatable {
    private var maps: [Identifier: FloorMap] = [:]
    private var byFloor: [Int: [Identifier]] = [:]

    public init(_ maps: [(name: String, map: FloorMap)] = []) {
        for (name, map) in maps {
            self.maps[Identifier(name)] = map
            if let floor = map.floor { byFloor[floor, default: []].append(Identifier(name)) }
        }
    }

    subscript(name: Identifier) -> FloorMap? { maps[name] }

    var names: [String] { maps.keys.sorted().map(\.text) }

    /// The map of a floor of a building; `nil` where there is none, or more than one.
    func name(ofFloor floor: Int, building: String?) -> Identifier? {
        let candidates = (byFloor[floor] ?? []).filter { name in
            guard let of = maps[name]?.building, let building else { return true }
            return Identifier(of) == Identifier(building)
        }
        return candidates.count == 1 ? candidates[0] : nil
    }
}

/// What becomes of a report with a position on a map that nobody has configured.
public enum UnknownMap: String, Sendable, CaseIterable {
    /// The whole report is rejected.
    case reject
    /// The location stays where it was last, with that floor; what else the report says is applied.
    case hold
}
