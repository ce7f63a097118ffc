internal import JSON

/// The floors of a building by name, as indices in the sense of MapsIndoors: 0, 10, 20 …, negatives allowed.
public struct FloorTable: Sendable, Hashable {
    private var indices: [Identifier: Int] = [:]

    public init(_ floors: [(name: String, index: Int)]) {
        for floor in floors { indices[Identifier(floor.name)] = floor.index }
    }

    /// A number that is one of the indices, else a key; `nil` for a floor that is not in the table.
    public func index(of floor: ReportedFloor) -> Int? {
        switch floor {
        case .number(let number):
            if let index = Int(exactly: number), indices.values.contains(index) { return index }
            return indices[Identifier(JSONNumber.text(of: number))]
        case .text(let text):
            if let index = indices[Identifier(text)] { return index }
            guard let index = Int(text), indices.values.contains(index) else { return nil }
            return index
        case .index(let index): return index
        }
    }
}

extension SourceSettings {
    /// The index of a floor: by the source's table, then by the building's, and without a table any integer.
    ///
    /// - Returns: `nil` for a floor that is in no table, or no integer.
    func index(of floor: ReportedFloor, building: String?) -> Int? {
        let buildingFloors = floors(of: building)
        if floors != nil || buildingFloors != nil {
            return floors?.index(of: floor) ?? buildingFloors?.index(of: floor)
        }
        return switch floor {
        case .number(let number): Int(exactly: number)
        case .text(let text): Int(text)
        case .index(let index): index
        }
    }

    /// Whether a table says which floors there are.
    func hasFloorTable(_ building: String?) -> Bool { floors != nil || floors(of: building) != nil }

    private func floors(of building: String?) -> FloorTable? {
        guard let building, !buildingFloors.isEmpty else { return nil }
        return buildingFloors[Identifier(building)]
    }
}
