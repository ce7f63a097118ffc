import CommandLineTool
import FleetEngine
import Foundation
import Geometry
import JSON
import Locations
import Testing
import Timestamps
import WanderingRobots

struct HallSourceTests {
    /// Robots that are where a test says.
    private final class Placed: LocationSource {
        let id: Identifier
        private(set) var status: SourceStatus
        private(set) var known: [Identifier: Location] = [:]
        var observers: [any LocationObserver] = []
        let lastMessage: Timestamp? = nil
        let nextDeadline: Duration? = nil

        init(_ id: Identifier = "robots", at now: Instant) {
            self.id = id
            status = SourceStatus(kind: .available, since: now.wall)
        }

        var locations: [Location] { Array(known.values) }
        var counts: StatusCounts { StatusCounts() }
        func start(at now: Instant) {}
        func stop(at now: Instant) {}
        func advance(to now: Instant) {}

        func place(_ robot: Identifier, _ latitude: Double?, at now: Instant) {
            var location = Location(id: robot, source: id, time: now.wall)
            location.position = latitude.flatMap { Position(latitude: $0, longitude: 9.9504788) }
            known[robot] = location
            let update = LocationUpdate(location: location, cause: .report, isUrgent: false)
            for observer in observers { observer.locationsUpdated([update], from: self, at: now) }
        }

        func remove(_ robot: Identifier, at now: Instant) {
            known[robot] = nil
            for observer in observers { observer.locationsDeleted([robot], from: self, at: now) }
        }
    }

    private let start = Instant(wall: Timestamp(milliseconds: 1_795_953_600_000), monotonic: .zero)
    private let south = 57.0581
    private let north = 57.0584

    private func occupants(_ hall: HallSource) -> [Double?] {
        ["south", "north"].map { hall.location($0)?.properties["occupants"]?.number }
    }

    @Test("Its halves have the robots that are there, from the survey on, and follow them")
    func follows() {
        let (robots, hall) = (Placed(at: start), HallSource(at: start))
        robots.place("r1", south, at: start)
        hall.start(at: start)
        hall.survey([robots, hall], at: start)
        #expect(occupants(hall) == [1, 0])
        robots.observers = [hall]
        robots.place("r1", north, at: start)
        robots.place("r2", north, at: start)
        #expect(occupants(hall) == [0, 2])
        #expect(hall.location("north")?.properties["state"] == "occupied")
        robots.place("r1", nil, at: start)
        robots.remove("r2", at: start)
        #expect(occupants(hall) == [0, 0])
        let others = Placed("people", at: start)
        others.observers = [hall]
        others.place("p1", south, at: start)
        #expect(occupants(hall) == [0, 0])
    }

    @Test("An engine shows it the robots, and publishes its halves")
    func engine() throws {
        let engine = Engine(
            EngineConfiguration(sources: [], displayRules: .none), version: "test", seed: 1, at: start)
        let robots = Placed(at: start)
        try engine.add(robots)
        try engine.add(HallSource(at: start))
        robots.place("r1", south, at: start)
        let hall = try #require(engine.locations.first { $0.id == "south" })
        #expect(hall.properties["occupants"] == 1)
    }

    @Test("The program's configurations may name its sources, and no others")
    func configuration() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let rooms = folder.appending(path: "rooms.yaml")
        #expect(wanderingRobots.run(["check", rooms.path]) == .success)
        let copy = folder.appending(path: "rooms-\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: copy) }
        try String(contentsOf: rooms, encoding: .utf8).replacing("[robots]", with: "[robot]")
            .write(to: copy, atomically: true, encoding: .utf8)
        #expect(wanderingRobots.run(["check", copy.path]) == .configuration)
    }
}
