internal import Geometry
internal import Wording

extension Report {
    /// Whether it has a position on a map that is not known: where the device is stays as it was.
    var isOnUnknownMap: Bool { if case .value(.plan) = position { true } else { false } }

    /// Gives what is said on a plan its place on the earth: position, heading and accuracy, and the map's building and floor
    /// where the report says none. Nothing in it is on that plan any more afterwards, so it cannot happen twice.
    ///
    /// What it comes to follows from the report and the settings alone, so that a repeated message is seen to be one. Only a
    /// heading without a position depends on where the device is.
    ///
    /// - Parameter device: Whose report it is, where it is known.
    /// - Returns: The map's name; `nil` where the position is none on a known map.
    /// - Throws: Where the map is not known and the settings do not hold the last position, and where the point is not on
    ///   the map.
    mutating func place(of device: Device?, _ settings: FixedSettings) throws(Rejection) -> Identifier? {
        guard case .value(.plan(let x, let y, let map)) = position else {
            if isHeadingOnPlan { turnHeading(by: device, settings) }
            return nil
        }
        let entry = device?.entry ?? settings.devices[id]
        guard let name = mapName(map, entry, settings), let map = settings.maps[name] else {
            guard settings.unknownMap == .hold else { throw .unknownMap(map, settings.maps) }
            faults.append("unknown-map")
            return nil
        }
        guard let place = map.frame.position(x: x, y: y), let rounded = place.rounded else {
            throw Rejection(
                .positionOutOfRange,
                "\(x), \(y) is more than \(Int(MapFrame.reach / 1_000)) km away from the map \"\(name)\"")
        }
        position = .value(.geographic(rounded))
        heading = heading.map { map.frame.heading($0, at: place).roundedHeading(perDegree: 100) }
        isHeadingOnPlan = false
        if !map.isInMetres { accuracy = accuracy.map { ($0 * map.frame.scale * 1_000).rounded() / 1_000 } }
        if floor.isAbsent, let index = map.floor { floor = .value(.index(index)) }
        if building.isAbsent, let name = map.building { building = .value(name) }
        return name
    }

    /// The report as a map of the settings gives it a place, for showing it; `nil` where there is nothing to place.
    ///
    /// - Returns: With the map's name.
    /// - Throws: As the bridge rejects it.
    public func placed(by settings: SourceSettings) throws(Rejection) -> (report: Report, map: String)? {
        var report = self
        return try report.place(of: nil, FixedSettings(settings)).map { (report, $0.text) }
    }

    /// The map that the report names, else the one of the floor that it says, else the device's, else the source's.
    private func mapName(_ named: String?, _ entry: DeviceEntry?, _ settings: FixedSettings) -> Identifier? {
        if let named, !named.isEmpty { return Identifier(named) }
        if case .value(let floor) = floor {
            let building = entry?.building ?? building.value ?? settings.building
            if let index = settings.value.index(of: floor, building: building),
                let name = settings.maps.name(ofFloor: index, building: building)
            {
                return name
            }
        }
        return entry?.map ?? settings.map
    }

    /// A heading without a position is one on the map where the device was last.
    private mutating func turnHeading(by device: Device?, _ settings: FixedSettings) {
        isHeadingOnPlan = false
        guard case .value(let degrees) = heading else { return }
        let name = device?.map ?? (device?.entry ?? settings.devices[id])?.map ?? settings.map
        guard let name, let map = settings.maps[name] else {
            heading = .absent
            return faults.append("unknown-map")
        }
        heading = .value(map.frame.heading(degrees).roundedHeading(perDegree: 100))
    }
}

extension Position {
    /// To 10⁻⁹ degrees, a tenth of a millimetre: further digits only make numbers long.
    var rounded: Position? {
        Position(latitude: (latitude * 1e9).rounded() / 1e9, longitude: (longitude * 1e9).rounded() / 1e9)
    }
}

extension Double {
    /// A heading in whole parts of a degree: no compass tells more, and the numbers stay short.
    func roundedHeading(perDegree parts: Double) -> Double {
        let rounded = (self * parts).rounded() / parts
        return rounded < 360 ? rounded : 0
    }
}

extension Rejection {
    /// Names the map that is not known, and the one that was meant perhaps.
    fileprivate static func unknownMap(_ name: String?, _ maps: MapTable) -> Rejection {
        guard let name, !name.isEmpty else {
            return Rejection(.unknownMap, "a position on a plan that names no map, and the source has none")
        }
        let hint = Suggestion.closest(to: name, among: maps.names).map { "; did the device mean \"\($0)\"?" } ?? ""
        return Rejection(.unknownMap, "no map is called \"\(String(name.prefix(100)))\"\(hint)")
    }
}
