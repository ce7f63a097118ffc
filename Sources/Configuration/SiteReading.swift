internal import Geometry
internal import Locations
internal import SettingsFile
internal import Venues
internal import YAML

/// Reads the files of venues and zones, and leads what is wrong with them back to where the configuration names them.
struct SiteReading {
    let buildings: [BuildingDraft]
    let zones: [ZoneDraft]
    let context: Context

    func venues() -> [Venue] {
        buildings.compactMap { building in
            building.venue.flatMap { venue(building, $0.value, $0.node, context.entering("buildings")) }
        }
    }

    private func venue(_ building: BuildingDraft, _ path: String, _ node: YAMLNode, _ context: Context) -> Venue? {
        let context = context.entering(building.name).entering("venue")
        let floors = building.floors
        let reader = VenueReader(building: building.name) { name in floors?.index(of: .text(name)) }
        guard read(path, node, context, into: reader) else { return nil }
        let venue = reader.finish()
        report(reader.faults, node, context)
        guard let venue else { return nil }
        context.information(
            at: node.place,
            "\(venue.levels.count) levels, \(venue.units.count) units, \(venue.openings.count) openings"
                + (venue.routes.isEmpty ? "" : ", \(venue.routes.count) routes") + "; floors "
                + Set(venue.levels.map(\.floor)).sorted().map(String.init).joined(separator: ", "))
        if let floors {
            for level in venue.levels where floors.index(of: .number(Double(level.floor))) == nil {
                context.warning(
                    at: node.place,
                    "level \"\(level.id)\" is floor \(level.floor), which is not among the building's floors")
            }
        }
        return venue
    }

    /// - Returns: Whether there was something to read.
    private func read(_ path: String, _ node: YAMLNode, _ context: Context, into reader: VenueReader) -> Bool {
        let surroundings = context.surroundings
        let full = context.path(ofFile: path)
        guard case .success(let names) = surroundings.list(full) else {
            guard let bytes = bytes(full, node, context) else { return false }
            reader.read(bytes, name: path)
            return true
        }
        let folder = path.hasSuffix("/") ? path : path + "/"
        var isComplete = true
        for file in VenueReader.files {
            if names.contains(file.name) {
                if let bytes = bytes(context.path(ofFile: folder + file.name), node, context) {
                    reader.read(bytes, name: folder + file.name)
                }
            } else if file.isRequired {
                context.error(node, "the folder \(node.quoted) has no \(file.name), as IMDF has it")
                isComplete = false
            }
        }
        return isComplete
    }

    private func bytes(_ path: String, _ node: YAMLNode, _ context: Context) -> [UInt8]? {
        switch context.surroundings.read(path) {
        case .success(let file): return file.bytes
        case .failure(let error):
            context.error(node, "\(path) cannot be read: \(error.message)")
            return nil
        }
    }

    private func report(_ faults: [VenueFault], _ node: YAMLNode, _ context: Context) {
        for fault in faults {
            if fault.isWarning {
                context.warning(at: node.place, fault.description)
            } else {
                context.error(node, fault.description)
            }
        }
    }

    // MARK: Zones

    func readZones() -> [Zone] {
        var found: [Zone] = []
        var ids: Set<[Identifier]> = []
        func add(_ draft: ZoneDraft, building: String?, _ context: Context) {
            let context = context.entering(draft.id)
            if !ids.insert([Identifier(building ?? ""), Identifier(draft.id)]).inserted {
                context.error(at: draft.place, "the building has another zone of this id")
            }
            if let zone = zone(draft, building: building, context) { found.append(zone) }
        }
        for building in buildings {
            let inner = context.entering("buildings").entering(building.name).entering("zones")
            for draft in building.zones { add(draft, building: building.name, inner) }
        }
        for draft in zones { add(draft, building: draft.building?.value, context.entering("zones")) }
        return found
    }

    private func zone(_ draft: ZoneDraft, building: String?, _ context: Context) -> Zone? {
        let floor = draft.floor.map { floor in
            buildings.floorIndex(floor.value, floor.node, of: building, context.entering("floor"))
        }
        guard let outline = outline(draft, context), floor != .some(nil) else { return nil }
        return Zone(id: draft.id, name: draft.name, building: building, floor: floor ?? nil, outline: outline)
    }

    private func outline(_ draft: ZoneDraft, _ context: Context) -> GeographicArea? {
        switch (draft.polygon, draft.file) {
        case (let polygon?, nil):
            let area = GeographicArea([[polygon.value]])
            let faults = area.faults
            for fault in faults { context.entering("polygon").error(polygon.node, fault) }
            return faults.isEmpty ? area : nil
        case (nil, let file?):
            let context = context.entering("file")
            guard let bytes = bytes(context.path(ofFile: file.value), file.node, context) else { return nil }
            let (area, faults) = GeographicArea.read(bytes, name: file.value)
            report(faults, file.node, context)
            return area
        case (_?, let file?):
            context.entering("file").error(file.node, "the zone has a polygon; expected one of the two")
        case (nil, nil):
            // One that is there and wrong has been reported.
            if !draft.hasOutline {
                context.error(at: draft.place, "where the zone is is missing: a polygon, or a file with one")
            }
        }
        return nil
    }
}

extension [BuildingDraft] {
    /// The index of a floor by the building's table; `nil` where there is none, which then has been reported.
    func floorIndex(_ floor: ReportedFloor, _ node: YAMLNode, of building: String?, _ context: Context) -> Int? {
        let table = building.flatMap { building in first { $0.name.hasSameBytes(as: building) }?.floors }
        guard let table else {
            if case .number(let number) = floor { return Int(number) }
            context.error(node, "\(node.quoted) is no index, and the building has no table of floors")
            return nil
        }
        if let index = table.index(of: floor) { return index }
        context.error(node, "\(node.quoted) is not among the floors of the building")
        return nil
    }
}
