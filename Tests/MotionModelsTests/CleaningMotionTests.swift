import Foundation
import Geometry
import Testing

@testable import MotionModels

private typealias Point = CoveragePath.Point

@Suite("Cleaning in lanes")
struct CleaningMotionTests {
    private static let rooms: [[Point]] = [
        [Point(x: 0, y: 0), Point(x: 6, y: 0), Point(x: 6, y: 4), Point(x: 0, y: 4)],
        // An L and a U, whose lanes are cut by walls, and a triangle that ends in a point.
        [
            Point(x: 0, y: 0), Point(x: 6, y: 0), Point(x: 6, y: 2), Point(x: 2, y: 2), Point(x: 2, y: 5),
            Point(x: 0, y: 5),
        ],
        [
            Point(x: 0, y: 0), Point(x: 7, y: 0), Point(x: 7, y: 5), Point(x: 5, y: 5), Point(x: 5, y: 2),
            Point(x: 2, y: 2), Point(x: 2, y: 5), Point(x: 0, y: 5),
        ],
        [Point(x: 0, y: 0), Point(x: 5, y: 0), Point(x: 1, y: 4)],
    ]

    private static func isInside(_ point: Point, _ room: [Point]) -> Bool {
        var isInside = false
        for (index, a) in room.enumerated() {
            let b = room[(index + 1) % room.count]
            if (a.y > point.y) != (b.y > point.y), point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                isInside.toggle()
            }
        }
        return isInside
    }

    /// Points along a closed way, a few centimetres apart.
    private static func samples(of way: [Point]) -> [Point] {
        way.indices.flatMap { index -> [Point] in
            let (a, b) = (way[index], way[(index + 1) % way.count])
            let count = max(1, Int(hypot(b.x - a.x, b.y - a.y) / 0.05))
            return (0..<count).map { step in
                let part = Double(step) / Double(count)
                return Point(x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part)
            }
        }
    }

    @Test("The way comes near every spot of the room, and leads through no wall", arguments: rooms.indices)
    func covers(index: Int) {
        let room = Self.rooms[index]
        let way = Self.samples(of: CoveragePath(covering: room, laneWidth: 0.3).points)
        #expect(way.allSatisfy { Self.isInside($0, room) })
        for x in stride(from: 0.05, to: 7, by: 0.1) {
            for y in stride(from: 0.05, to: 5, by: 0.1) {
                let spot = Point(x: x, y: y)
                guard Self.isInside(spot, room) else { continue }
                let distance = way.map { hypot($0.x - spot.x, $0.y - spot.y) }.min() ?? .infinity
                // In a point a robot cannot turn; elsewhere half a lane and the corner beside its round body.
                #expect(distance < (index == 3 ? 0.45 : 0.26), "\(spot)")
            }
        }
    }

    @Test(
        "The robot covers a room of metres at its speed, wherever the room is",
        arguments: [(57.0582502, 9.9504788), (-17, 179.99999), (0, -180), (80, 0)])
    func metres(latitude: Double, longitude: Double) throws {
        let corner = try #require(Position(latitude: latitude, longitude: longitude))
        // 6 m by 4 m, turned by 30°.
        let next = try #require(corner.destination(distance: 6, bearing: 30))
        let room = [
            corner, next, try #require(next.destination(distance: 4, bearing: 120)),
            try #require(corner.destination(distance: 4, bearing: 120)),
        ]
        var motion = try #require(CleaningMotion(.init(room: room)))
        var last = try #require(motion.state.position)
        var length = 0.0
        for _ in 0..<600 {
            let state = motion.advance(by: .milliseconds(500))
            let position = try #require(state.position)
            length += last.distance(to: position)
            #expect(last.distance(to: position) < 0.1501)
            #expect(corner.distance(to: position) < 7.3)
            #expect(abs(state.speed - 0.3) < 1e-9)
            last = position
        }
        // Only at corners is the straight line shorter than the way: two for each of 14 lanes.
        #expect(length > 85 && length < 90.001, "\(length)")
    }

    @Test("What is no room is refused")
    func refused() throws {
        let corner = try #require(Position(latitude: 57, longitude: 9))
        let east = try #require(corner.destination(distance: 5, bearing: 90))
        let far = try #require(corner.destination(distance: 5_000, bearing: 0))
        #expect(CleaningMotion(.init(room: [])) == nil)
        #expect(CleaningMotion(.init(room: [corner, east])) == nil)
        #expect(CleaningMotion(.init(room: [corner, corner, corner])) == nil)
        #expect(CleaningMotion(.init(room: [corner, east, far], laneWidth: 0.001)) == nil)
        #expect(CleaningMotion(.init(room: [corner, east, far], laneWidth: 0)) == nil)
    }
}
