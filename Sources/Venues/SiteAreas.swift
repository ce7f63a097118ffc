internal import Geometry
public import Locations

/// The rooms of a site's venues and its zones, with an index over them.
public final class SiteAreas: AreaFinder {
    private let venues: [Venue]
    private let zones: [Zone]
    /// By building; locations that name none are looked for in all.
    private let rooms: [Identifier: VenueRooms]
    /// In the order of the buildings' names.
    private let allRooms: [VenueRooms]
    private let zoneIndex: ZoneIndex

    /// - Parameter zones: Sound ones: see ``GeographicArea/faults``.
    public init(venues: [Venue], zones: [Zone] = []) {
        (self.venues, self.zones) = (venues, zones)
        allRooms = venues.map(VenueRooms.init).sorted { Identifier($0.building) < Identifier($1.building) }
        rooms = Dictionary(allRooms.map { (Identifier($0.building), $0) }) { first, _ in first }
        zoneIndex = ZoneIndex(zones)
    }

    public func room(at place: Place) -> Area? { find(place)?.area }

    public func zones(at place: Place) -> [Area] { zoneIndex.areas(at: place) }

    public func room(_ id: Identifier, building: String?) -> Area? {
        if let building { return rooms[Identifier(building)]?.byID[id]?.area }
        return allRooms.lazy.compactMap { $0.byID[id]?.area }.first
    }

    public func distance(from place: Place, to area: Area) -> Double? {
        switch area.kind {
        case .room: area.building.flatMap { rooms[Identifier($0)] }?.distance(from: place, to: area)
        case .zone: zoneIndex.distance(from: place, to: area)
        }
    }

    public func finds(theSameAs other: any AreaFinder) -> Bool {
        guard let other = other as? SiteAreas else { return false }
        return venues == other.venues && zones == other.zones
    }

    private func find(_ place: Place) -> VenueRooms.Room? {
        if let building = place.building { return rooms[Identifier(building)]?.room(at: place) }
        for venue in allRooms {
            if let room = venue.room(at: place) { return room }
        }
        return nil
    }
}

/// The rooms of one venue by floor.
private final class VenueRooms: Sendable {
    struct Room: Sendable {
        let unit: VenueUnit
        let area: Area
    }

    private struct Floor: Sendable {
        let rooms: [Room]
        let grid: AreaGrid
    }

    let building: String
    private let frame: MapFrame
    let byID: [Identifier: Room]
    private let floors: [Int: Floor]
    /// Of a venue with one floor: locations that name none are there.
    private let onlyFloor: Floor?

    init(_ venue: Venue) {
        (building, frame) = (venue.building, venue.frame)
        let rooms = venue.units.filter(\.isWalkable).map { unit in
            Room(
                unit: unit,
                area: Area(.room, id: Identifier(unit.id), name: unit.name, building: venue.building))
        }
        byID = Dictionary(rooms.map { ($0.area.id, $0) }) { first, _ in first }
        floors = Dictionary(grouping: rooms, by: \.unit.floor).mapValues { rooms in
            Floor(rooms: rooms, grid: AreaGrid(rooms.map(\.unit.area)))
        }
        onlyFloor = Set(venue.levels.map(\.floor)).count == 1 ? floors.values.first : nil
    }

    func room(at place: Place) -> Room? {
        guard let floor = place.floor.map({ floors[$0] }) ?? onlyFloor, let point = frame.point(of: place.position)
        else { return nil }
        return floor.grid.smallestArea(at: point).map { floor.rooms[$0] }
    }

    func distance(from place: Place, to area: Area) -> Double? {
        if let named = place.building, Identifier(named) != Identifier(building) { return nil }
        guard let unit = byID[area.id]?.unit, let point = frame.point(of: place.position) else { return nil }
        guard place.floor == unit.floor || place.floor == nil && onlyFloor != nil else { return nil }
        return unit.area.signedDistance(from: point)
    }
}
