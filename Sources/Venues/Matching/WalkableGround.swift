internal import Geometry

/// Where one can walk on a floor: in units, but not on what stands or gapes in them.
struct WalkableGround: Sendable {
    /// Metres between units without walls that are one hall all the same: plans are drawn no better.
    private static let gap = 0.1
    /// Metres that a unit reaches into another where they are one hall: less is a wall that is drawn twice.
    private static let overlap = 0.25
    /// Metres within which an edge ends at another.
    private static let tolerance = 1e-3

    private let areas: [PlaneArea]
    private let grid: AreaGrid
    private let obstacles: Obstacles
    /// By unit: the hall that it is a part of.
    private let halls: [Int]
    /// The borders of the units and of what is in them, as far as one can walk along them.
    private let borders: EdgeGrid
    /// By border: the hall that it bounds.
    private let hallOfBorder: [Int]

    init(_ units: [VenueUnit]) {
        let walkable = units.filter(\.isWalkable)
        let areas = walkable.map(\.area)
        let grid = AreaGrid(areas)
        let obstacles = Obstacles(units.filter { !$0.isWalkable }.map(\.area))
        let halls = Self.halls(walkable, grid)
        let pieces = zip(areas, halls).flatMap { area, hall in
            Self.borders(of: area, obstacles).map { (edge: $0, hall: hall) }
        }
        (self.areas, self.grid, self.obstacles, self.halls) = (areas, grid, obstacles, halls)
        borders = EdgeGrid(pieces.map(\.edge))
        hallOfBorder = pieces.map(\.hall)
    }

    /// The borders of an area and of what is in it, without what is beside it or taken up.
    private static func borders(of area: PlaneArea, _ obstacles: Obstacles) -> [PlaneEdge] {
        let inner = obstacles.inside(area)
        if inner.isEmpty { return area.edges }
        let edges = EdgeGrid(area.edges + inner.flatMap(\.edges))
        return edges.edges.flatMap { edge in
            let others = edges.edges(mayBeWithin: tolerance, of: edge).lazy.map { edges.edges[$0] }
            return edge.cut(by: others, tolerance: tolerance).filter {
                area.contains($0.middle) && !obstacles.takeUp($0.middle, of: area)
            }
        }
    }

    /// The halls that a point is in or on the border of; none where something stands.
    func halls(at point: PlanePoint) -> [Int] {
        var found: [Int] = []
        grid.forEachArea(at: point) { index in
            if !found.contains(halls[index]), !obstacles.takeUp(point, of: areas[index]) { found.append(halls[index]) }
        }
        return found
    }

    /// The borders that come so near, each where it is nearest.
    func borders(
        within distance: Double, of point: PlanePoint
    ) -> [(hall: Int, point: PlanePoint, distance: Double)] {
        borders.edges(within: distance, of: point).map { index, nearest in
            (hallOfBorder[index], nearest, nearest.distance(to: point))
        }
    }

    /// Units are one hall that overlap, and units without walls that touch.
    private static func halls(_ units: [VenueUnit], _ grid: AreaGrid) -> [Int] {
        var names = Array(units.indices)
        func join(_ a: Int, _ b: Int) {
            let (kept, gone) = (min(names[a], names[b]), max(names[a], names[b]))
            if kept != gone { for index in names.indices where names[index] == gone { names[index] = kept } }
        }
        for (index, unit) in units.enumerated() {
            grid.forEachArea(at: unit.area.labelPoint) { join(index, $0) }
            for other in grid.areas(mayBeWithin: 0, of: unit.area.box)
            where names[other] != names[index] && unit.area.reaches(into: units[other].area, by: overlap) {
                join(index, other)
            }
        }
        for a in units.indices where units[a].isOpen {
            for b in grid.areas(mayBeWithin: gap, of: units[a].area.box) where b > a && units[b].isOpen {
                if units[a].area.isWithin(gap, of: units[b].area) { join(a, b) }
            }
        }
        return names
    }
}

extension VenueUnit {
    /// IMDF's categories of what has no walls against its like.
    private static let open: Set<String> = [
        "escalator", "fieldofplay", "footbridge", "lobby", "movingwalkway", "parking", "platform", "ramp", "road",
        "steps", "terrace", "unenclosedarea", "walkway", "walkway.island",
    ]

    fileprivate var isOpen: Bool { category.map { Self.open.contains($0) } ?? false }
}
