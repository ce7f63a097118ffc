/// A closed way that covers a room in lanes, without leaving it between them.
///
/// The room is cut into lanes; where a lane is cut by walls, it is several runs. Runs that lie side by side are neighbours, and
/// the way from one to another leads through neighbours only. The nearest run that is not cleaned yet comes next.
struct CoveragePath {
    /// Metres on a plane.
    struct Point: Hashable {
        var x: Double
        var y: Double
    }

    /// A straight piece of a lane.
    private struct Run {
        var y: Double
        var left: Double
        var right: Double
        var neighbours: [Int] = []
    }

    /// More lanes are no room.
    static let longestSide = 2_000

    /// In order; after the last point the way goes on at the first one. Empty where there is nothing to cover.
    let points: [Point]

    /// - Parameters:
    ///   - polygon: The room's corners, without the first one repeated.
    ///   - laneWidth: Metres from one lane to the next, at most.
    init(covering polygon: [Point], laneWidth: Double) {
        let runs = Self.runs(of: polygon, laneWidth: laneWidth)
        guard let first = runs.first else {
            points = []
            return
        }
        var points = [Point(x: first.left, y: first.y)]
        var isCovered = [Bool](repeating: false, count: runs.count)
        var current = 0
        while true {
            isCovered[current] = true
            Self.cover(runs[current], &points)
            guard let route = Self.route(from: current, in: runs, where: { !isCovered[$0] }) else { break }
            Self.follow(route, in: runs, &points)
            current = route.last ?? current
        }
        if let home = Self.route(from: current, in: runs, where: { $0 == 0 }) { Self.follow(home, in: runs, &points) }
        self.points = points
    }

    // MARK: Lanes

    private static func runs(of polygon: [Point], laneWidth: Double) -> [Run] {
        guard polygon.count >= 3, laneWidth > 0, let bottom = polygon.map(\.y).min(), let top = polygon.map(\.y).max(),
            top > bottom, (top - bottom) / laneWidth <= Double(longestSide)
        else { return [] }
        let count = max(1, Int(((top - bottom) / laneWidth).rounded(.up)))
        let spacing = (top - bottom) / Double(count)
        var runs: [Run] = []
        var previous = 0..<0
        for lane in 0..<count {
            let y = bottom + (Double(lane) + 0.5) * spacing
            let start = runs.count
            let walls = crossings(of: polygon, at: y)
            for index in stride(from: 0, to: walls.count - 1, by: 2) {
                runs.append(run(from: walls[index], to: walls[index + 1], y: y, margin: laneWidth / 2))
            }
            for index in start..<runs.count {
                for other in previous where overlap(runs[index], runs[other]) != nil {
                    runs[index].neighbours.append(other)
                    runs[other].neighbours.append(index)
                }
            }
            previous = start..<runs.count
        }
        return runs
    }

    /// Where a lane meets walls, from left to right.
    private static func crossings(of polygon: [Point], at y: Double) -> [Double] {
        var result: [Double] = []
        for (index, a) in polygon.enumerated() {
            let b = polygon[(index + 1) % polygon.count]
            guard (a.y > y) != (b.y > y) else { continue }
            result.append(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x))
        }
        return result.sorted()
    }

    /// A robot is as wide as its lane; where there is no room to move, it stands in the middle.
    private static func run(from left: Double, to right: Double, y: Double, margin: Double) -> Run {
        guard right - left > 2 * margin else {
            return Run(y: y, left: (left + right) / 2, right: (left + right) / 2)
        }
        return Run(y: y, left: left + margin, right: right - margin)
    }

    private static func overlap(_ a: Run, _ b: Run) -> ClosedRange<Double>? {
        let (left, right) = (max(a.left, b.left), min(a.right, b.right))
        return left <= right ? left...right : nil
    }

    // MARK: The way

    /// To the nearer end of the run, then to the other.
    private static func cover(_ run: Run, _ points: inout [Point]) {
        let x = points.last?.x ?? run.left
        let isLeft = abs(x - run.left) <= abs(x - run.right)
        append(Point(x: isLeft ? run.left : run.right, y: run.y), &points)
        append(Point(x: isLeft ? run.right : run.left, y: run.y), &points)
    }

    /// The fewest runs to one that is wanted; where none can be reached, the first one there is.
    private static func route(from start: Int, in runs: [Run], where isWanted: (Int) -> Bool) -> [Int]? {
        if isWanted(start) { return [start] }
        var from = [Int](repeating: -1, count: runs.count)
        from[start] = start
        var queue = [start]
        var next = 0
        while next < queue.count {
            let run = queue[next]
            next += 1
            for neighbour in runs[run].neighbours where from[neighbour] < 0 {
                from[neighbour] = run
                guard isWanted(neighbour) else {
                    queue.append(neighbour)
                    continue
                }
                var route = [neighbour]
                while let first = route.first, first != start { route.insert(from[first], at: 0) }
                return route
            }
        }
        return runs.indices.first(where: isWanted).map { [$0] }
    }

    private static func follow(_ route: [Int], in runs: [Run], _ points: inout [Point]) {
        for (run, next) in zip(route, route.dropFirst()) {
            guard let range = overlap(runs[run], runs[next]) else { continue }
            let x = min(max(points.last?.x ?? range.lowerBound, range.lowerBound), range.upperBound)
            append(Point(x: x, y: runs[run].y), &points)
            append(Point(x: x, y: runs[next].y), &points)
        }
    }

    private static func append(_ point: Point, _ points: inout [Point]) {
        if points.last != point { points.append(point) }
    }
}
