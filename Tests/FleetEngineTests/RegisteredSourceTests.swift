import FleetEngine
import Geometry
import JSON
import Locations
import Testing
import Timestamps

/// A source as somebody would write it in Swift: rooms that are told who is in them.
private final class Rooms: LocationSource {
    let id: Identifier
    private(set) var status: SourceStatus
    private(set) var rooms: [Identifier: Location] = [:]
    var observers: [any LocationObserver] = []
    /// When all rooms are cleaned.
    var cleaning: Duration?
    let lastMessage: Timestamp? = nil

    init(_ id: Identifier = "rooms", _ names: [Identifier] = ["kitchen", "hall"], at now: Instant) {
        self.id = id
        status = SourceStatus(kind: .notInitialised, since: now.wall)
        for name in names { rooms[name] = Location(id: name, source: id, time: now.wall) }
    }

    var locations: [Location] { Array(rooms.values) }
    var counts: StatusCounts {
        var counts = StatusCounts()
        counts[.live] = rooms.count
        return counts
    }
    var nextDeadline: Duration? { cleaning }

    func start(at now: Instant) {
        status = SourceStatus(kind: .available, since: now.wall)
        tell(rooms.keys.sorted(), at: now)
    }

    func stop(at now: Instant) {
        status = SourceStatus(kind: .inactive, reason: "stopped", since: now.wall)
        for observer in observers { observer.statusChanged(of: self, at: now) }
    }

    func advance(to now: Instant) {
        guard let cleaning, cleaning <= now.monotonic else { return }
        self.cleaning = nil
        set("clean", at: now)
    }

    func set(_ state: String, at now: Instant) {
        for name in rooms.keys { rooms[name]?.properties = JSONObject([("state", .string(state))]) }
        tell(rooms.keys.sorted(), at: now)
    }

    private func tell(_ ids: [Identifier], at now: Instant) {
        let updates = ids.compactMap { rooms[$0] }.map { LocationUpdate(location: $0, cause: .time, isUrgent: true) }
        for observer in observers { observer.locationsUpdated(updates, from: self, at: now) }
    }
}

@Suite("A source of one's own")
struct RegisteredSourceTests {
    private let broker = ScriptedBroker(connect: false)
    private let rooms: Rooms

    init() throws {
        rooms = Rooms(at: ScriptedBroker.start)
        try broker.engine.add(rooms)
    }

    private func connect() {
        broker.isUp = true
        broker.wait(.seconds(12))
    }

    private func state(_ room: String) -> JSONValue? {
        broker.retained["fleet-bridge/rooms/\(room)/state"].flatMap { try? JSONParser().parse($0) }
    }

    @Test("Its locations and status are published like those of any source")
    func published() {
        connect()
        #expect(state("kitchen")?.object?["source"] == "rooms")
        #expect(state("hall")?.object?["status"] == "live")
        let status = broker.retained["fleet-bridge/rooms/status"].flatMap { try? JSONParser().parse($0) }?.object
        #expect(status?["status"] == "available")
        #expect(status?.number("locations", "live") == 2)
        #expect(AccountingTests.balances(broker.stats()))
    }

    @Test("Time comes to it when it has asked for it")
    func time() {
        connect()
        rooms.cleaning = broker.now.monotonic + .seconds(60)
        broker.wait(.milliseconds(59_900))
        #expect(state("hall")?.object?["properties"] == nil)
        broker.wait(.milliseconds(100))
        #expect(state("hall")?.object?["properties"]?.object?["state"] == "clean")
    }

    @Test("What an earlier process published of it, and is no more, is cleared")
    func restart() {
        broker.retained["fleet-bridge/rooms/attic/state"] = Array(
            #"{"id":"attic","source":"rooms","position":null,"charge":null,"time":"2026-11-29T11:00:00.000Z","status":"live","statusReason":"","statusSince":"2026-11-29T11:00:00.000Z","display":{}}"#
                .utf8)
        connect()
        #expect(broker.retained["fleet-bridge/rooms/attic/state"] == nil)
        #expect(state("hall") != nil)
    }

    @Test("Taken out, everything of it is cleared")
    func removal() {
        connect()
        #expect(broker.engine.removeSource("rooms"))
        broker.wait(.seconds(1))
        #expect(broker.retained.keys.filter { $0.hasPrefix("fleet-bridge/rooms/") }.isEmpty)
        #expect(!broker.engine.removeSource("rooms"))
    }

    @Test("Its id is its own", arguments: ["rooms", "robots", "status", ""])
    func conflicts(id: String) {
        #expect(throws: RegistrationError.self) {
            try broker.engine.add(Rooms(Identifier(id), at: ScriptedBroker.start))
        }
    }

    @Test("A configuration that has a source of its id is refused")
    func reload() {
        connect()
        broker.reload([.robots(), .robots(id: "rooms")])
        #expect(state("hall") != nil)
        #expect(broker.engine.sourceStatuses.map(\.id.text) == ["robots", "rooms"])
    }

    @Test("The bridge's good end stops it")
    func end() {
        connect()
        broker.run(.shutdown)
        let status = broker.retained["fleet-bridge/rooms/status"].flatMap { try? JSONParser().parse($0) }?.object
        #expect(status?["status"] == "inactive")
    }
}
