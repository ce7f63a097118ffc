internal import Geometry

/// What stands or gapes in the units of a floor. It is smaller than the unit that it is in.
struct Obstacles: Sendable {
    private let areas: [PlaneArea]
    private let grid: AreaGrid

    init(_ areas: [PlaneArea]) { (self.areas, grid) = (areas, AreaGrid(areas)) }

    /// Those that may be in an area.
    func inside(_ area: PlaneArea) -> [PlaneArea] {
        grid.areas(mayBeWithin: 0, of: area.box).map { areas[$0] }
            .filter { $0.size < area.size && $0.box.meets(area.box) }
    }

    /// Whether one of them takes up a point of an area, not only with its border.
    func takeUp(_ point: PlanePoint, of area: PlaneArea) -> Bool {
        var isTaken = false
        grid.forEachArea(at: point) { index in
            if areas[index].size < area.size, areas[index].surrounds(point) { isTaken = true }
        }
        return isTaken
    }
}
