internal import Foundation
public import Geometry

/// Covers a room in lanes along its longest wall at a steady speed, and begins anew when all of it is done.
public struct CleaningMotion: MotionModel {
    public struct Settings: Sendable, Hashable {
        /// The corners of the room, in order, not crossing itself; the first one is not repeated.
        public var room: [Position]
        /// Metres from lane to lane, which is also how wide the robot is.
        public var laneWidth: Double
        /// Metres a second.
        public var speed: Double

        public init(room: [Position], laneWidth: Double = 0.3, speed: Double = 0.3) {
            self.room = room
            self.laneWidth = laneWidth
            self.speed = speed
        }
    }

    /// The corners of the way, closed: after the last one comes the first one.
    private let way: [Position]
    private let speed: Double
    /// The corner that the current leg leads to.
    private var target: Int
    private var leg: Leg
    private var hasMoved = false

    /// - Parameters:
    ///   - settings: What is to be covered.
    ///   - progress: How much of the way is taken as done at the start, 0 ≤ p < 1, so that a fleet does not start as one.
    /// - Returns: `nil` where the corners are no room: fewer than three, all on one line, walls that cross or touch each other
    ///   (``fault(of:)`` says which), or more than 2 000 lanes.
    public init?(_ settings: Settings, progress: Double = 0) {
        guard Self.fault(of: settings.room) == nil, let plane = RoomPlane(settings.room), settings.speed > 0,
            settings.speed.isFinite
        else { return nil }
        let path = CoveragePath(covering: settings.room.map(plane.point), laneWidth: settings.laneWidth)
        way = path.points.compactMap(plane.position)
        guard way.count > 1, way.count == path.points.count else { return nil }
        speed = settings.speed
        target = Int(progress * Double(way.count)) % way.count
        leg = Leg(standingAt: way[target])
    }

    /// What is wrong with a room's walls, if anything is; edges are named by their first corners, counted from 0.
    public static func fault(of room: [Position]) -> PolygonFault? {
        guard let plane = RoomPlane(room) else { return .tooFewPoints(ring: 0) }
        let corners = room.map(plane.point)
        return PolygonFault.all(in: [corners.map { PlanePoint(x: $0.x, y: $0.y) }]).first
    }

    public var state: MotionState {
        let speed = hasMoved && !leg.isOver ? speed : 0
        return MotionState(
            position: leg.position, heading: hasMoved ? leg.heading : nil, speed: speed,
            accuracy: RandomMotion.accuracy(speed: speed))
    }

    public mutating func advance(by time: Duration) -> MotionState {
        var rest = leg.advance(by: time)
        while rest > .zero {
            let start = way[target]
            // Two corners are never the same place, so time passes.
            target = (target + 1) % way.count
            leg = Leg(from: start, to: way[target], speed: speed)
            hasMoved = true
            rest = leg.advance(by: rest)
        }
        return state
    }
}

/// A plane in metres around a room's first corner, with x along its longest wall. Distances and bearings from that corner are
/// the ellipsoid's, so it serves at any latitude and across the 180° meridian.
struct RoomPlane {
    private let origin: Position
    /// Degrees clockwise from north of the x axis.
    private let direction: Double

    init?(_ room: [Position]) {
        guard let first = room.first, room.count >= 3 else { return nil }
        var longest = 0.0
        var direction = 0.0
        for (index, corner) in room.enumerated() {
            let next = room[(index + 1) % room.count]
            let length = corner.distance(to: next)
            if length > longest { (longest, direction) = (length, corner.bearing(to: next)) }
        }
        guard longest > 0 else { return nil }
        origin = first
        self.direction = direction
    }

    func point(_ position: Position) -> CoveragePath.Point {
        let distance = origin.distance(to: position)
        let angle = (direction - origin.bearing(to: position)) * Double.pi / 180
        return CoveragePath.Point(x: distance * cos(angle), y: distance * sin(angle))
    }

    func position(_ point: CoveragePath.Point) -> Position? {
        let angle = atan2(point.y, point.x) * 180 / Double.pi
        return origin.destination(distance: hypot(point.x, point.y), bearing: direction - angle)
    }
}
