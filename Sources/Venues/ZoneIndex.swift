internal import Geometry
internal import Locations

/// Finds the zones that a place is in. Zones near to each other share a frame and a grid.
struct ZoneIndex: Sendable {
    private struct Entry: Sendable {
        let zone: Zone
        let area: Area
        let outline: PlaneArea
    }

    private struct Group: Sendable {
        let frame: MapFrame
        var entries: [Entry] = []
        var grid = AreaGrid([])
    }

    private var groups: [Group] = []
    private var byArea: [Area: (group: Int, entry: Int)] = [:]

    init(_ zones: [Zone]) {
        for zone in zones {
            let area = Area(.zone, id: Identifier(zone.id), name: zone.name, building: zone.building)
            guard let (index, outline) = place(zone.outline) else { continue }
            byArea[area] = (index, groups[index].entries.count)
            groups[index].entries.append(Entry(zone: zone, area: area, outline: outline))
        }
        for index in groups.indices { groups[index].grid = AreaGrid(groups[index].entries.map(\.outline)) }
    }

    /// The first group that has the whole outline in its reach, or a new one.
    private mutating func place(_ outline: GeographicArea) -> (Int, PlaneArea)? {
        for (index, group) in groups.enumerated() {
            if let area = PlaneArea(outline, in: group.frame) { return (index, area) }
        }
        guard let middle = outline.middle, let area = PlaneArea(outline, in: MapFrame(origin: middle)) else {
            return nil
        }
        groups.append(Group(frame: MapFrame(origin: middle)))
        return (groups.count - 1, area)
    }

    func areas(at place: Place) -> [Area] {
        var found: [Area] = []
        for group in groups {
            guard let point = group.frame.point(of: place.position) else { continue }
            group.grid.forEachArea(at: point) { index in
                if group.entries[index].zone.isOpen(to: place) { found.append(group.entries[index].area) }
            }
        }
        return found
    }

    func distance(from place: Place, to area: Area) -> Double? {
        guard let (group, index) = byArea[area] else { return nil }
        let entry = groups[group].entries[index]
        guard entry.zone.isOpen(to: place), let point = groups[group].frame.point(of: place.position) else {
            return nil
        }
        return entry.outline.signedDistance(from: point)
    }
}

extension Zone {
    /// Whether the place is on the zone's floor and in its building, wherever it is there. Who names no building may be in
    /// any, but not on a floor of it that nobody has said.
    fileprivate func isOpen(to place: Place) -> Bool {
        if let floor, place.floor != floor { return false }
        guard let building, let named = place.building else { return true }
        return Identifier(building) == Identifier(named)
    }
}
