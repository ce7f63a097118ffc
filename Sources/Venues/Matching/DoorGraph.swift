internal import Geometry

/// The openings of a floor, as ways from hall to hall.
struct DoorGraph: Sendable {
    /// An opening joins the units within so many metres of its middle: half of a thick wall.
    static let wall = 0.5

    private struct Door: Sendable {
        var edges: [PlaneEdge]
        var halls: [Int]

        func distance(to point: PlanePoint) -> Double { edges.map { $0.distance(to: point) }.min() ?? .infinity }

        func distance(to other: Door) -> Double {
            edges.flatMap { edge in other.edges.map { edge.distance(to: $0) } }.min() ?? .infinity
        }
    }

    private let doors: [Door]
    private let doorsOfHall: [Int: [Int]]

    init(_ openings: [Opening], _ ground: WalkableGround) {
        doors = openings.compactMap { opening in
            let edges = PlaneEdge.edges(along: opening.points)
            guard let middle = opening.middle else { return nil }
            let halls = ground.halls(at: middle) + ground.borders(within: Self.wall, of: middle).map(\.hall)
            return Door(edges: edges, halls: Set(halls).sorted())
        }
        var doorsOfHall: [Int: [Int]] = [:]
        for (index, door) in doors.enumerated() {
            for hall in door.halls { doorsOfHall[hall, default: []].append(index) }
        }
        self.doorsOfHall = doorsOfHall
    }

    /// A plan without openings does not mean that there are none: it tells nothing of walls.
    var hasDoors: Bool { !doors.isEmpty }

    /// Whether a way leads through doors that is no longer than that. Within a hall it is measured straight, from anywhere in
    /// a door to anywhere in the next: a way may be longer, but is never shorter.
    func connect(
        from start: (hall: Int, point: PlanePoint), to end: (hall: Int, point: PlanePoint), within limit: Double
    ) -> Bool {
        var search = ShortestPathSearch(within: limit)
        /// By door: the hall on the nearest way to it. On through the same hall no door is nearer than straight.
        var entered: [Int: Int] = [:]
        func enter(_ hall: Int, after way: Double, _ distance: (Door) -> Double) {
            for door in doorsOfHall[hall] ?? [] {
                let rest = doors[door].distance(to: end.point)
                guard way + rest <= limit else { continue }
                if search.relax(door, way + distance(doors[door]), atLeast: rest) { entered[door] = hall }
            }
        }
        enter(start.hall, after: 0) { $0.distance(to: start.point) }
        while let (door, way) = search.popNearest() {
            // From each door that is come to, the rest of the way is within the limit.
            if doors[door].halls.contains(end.hall) { return true }
            for hall in doors[door].halls where hall != entered[door] {
                enter(hall, after: way) { $0.distance(to: doors[door]) }
            }
        }
        return false
    }
}

extension Opening {
    /// Half-way along its line.
    var middle: PlanePoint? {
        let edges = PlaneEdge.edges(along: points)
        var rest = edges.reduce(0) { $0 + $1.length } / 2
        for edge in edges {
            if rest <= edge.length, edge.length > 0 {
                return edge.point(at: rest / edge.length)
            }
            rest -= edge.length
        }
        return points.first
    }
}
