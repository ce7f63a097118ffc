internal import Geometry

/// The ground of one floor that can be walked on, and the doors between its parts. A region is a *hall*: units without walls
/// between them.
struct WalkableFloor: MatchingFloor {
    /// How far inside of a border a position is put that was outside: on the border itself, rounding would leave it in no room.
    private static let inset = 0.01

    private let ground: WalkableGround
    private let doors: DoorGraph

    init(_ units: [VenueUnit], _ openings: [Opening]) {
        ground = WalkableGround(units)
        doors = DoorGraph(openings, ground)
    }

    func spots(within distance: Double, of point: PlanePoint) -> [Spot] {
        let here = ground.halls(at: point).map { Spot(region: $0, point: point, distance: 0) }
        guard distance > 0 else { return here }
        let halls = Set(here.map(\.region))
        var nearest: [Int: (point: PlanePoint, distance: Double)] = [:]
        for border in ground.borders(within: distance, of: point) where !halls.contains(border.hall) {
            guard border.distance < nearest[border.hall]?.distance ?? .infinity else { continue }
            nearest[border.hall] = (border.point, border.distance)
        }
        let others = nearest.map { hall, border in
            Spot(region: hall, point: inside(border.point, of: hall, from: point), distance: border.distance)
        }
        return (here + others).sorted { ($0.distance, $0.region) < ($1.distance, $1.region) }
    }

    func isReachable(from start: Spot, to end: Spot, within distance: Double) -> Bool {
        guard start.region != end.region, doors.hasDoors else { return start.point.distance(to: end.point) <= distance }
        return doors.connect(
            from: (start.region, start.point), to: (end.region, end.point), within: distance)
    }

    /// A little beyond the border, seen from outside; in a corner that is too sharp for that, the border itself.
    private func inside(_ border: PlanePoint, of hall: Int, from point: PlanePoint) -> PlanePoint {
        let way = border.distance(to: point)
        guard way > 0 else { return border }
        let inner = PlaneEdge(point, border).point(at: (way + Self.inset) / way)
        return ground.halls(at: inner).contains(hall) ? inner : border
    }
}
