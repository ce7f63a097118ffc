import FleetEngine
import Geometry
import JSON
import Locations
import RoomAvailability
import Testing
import Timestamps
import Venues

/// Sources that the engine derives from others. What is published is held against the schemas by ``ScriptedBroker``.
@Suite("Derived sources")
struct DerivedSourceTests {
    private static func room(_ id: Identifier, west: Double) -> Room {
        let ring: JSONValue = [
            [.number(west), 57], [.number(west + 0.001), 57], [.number(west + 0.001), 57.0009], [.number(west), 57],
        ]
        return Room(
            id: id, name: "Room \(id)", building: "B", floor: 10, geometry: ["type": "Polygon", "coordinates": [ring]],
            displayPoint: Position(latitude: 57.0004, longitude: west + 0.0005)!)
    }

    private static let rooms = [room("w", west: 8.999), room("e", west: 9)]

    private static func derived(
        _ id: Identifier = "rooms", observes: Set<Identifier> = ["robots"], occupancy: Set<Identifier> = [],
        rooms: [Room] = rooms
    ) -> DerivedSourceConfiguration {
        DerivedSourceConfiguration(
            id: id,
            kind: .roomAvailability(
                rooms, RoomAvailabilitySettings(observes: observes, occupancy: occupancy)))
    }

    private func broker(
        _ derived: [DerivedSourceConfiguration] = [derived()], snapshots: Duration? = nil
    ) throws -> ScriptedBroker {
        let areas = try RoomTests.areas()
        return ScriptedBroker([.robots { $0.areas = areas }], snapshots: snapshots, derived: derived)
    }

    /// Metres east of the wall between the rooms.
    private func report(_ broker: ScriptedBroker, _ id: String, _ metres: Double) {
        broker.report(
            id, #"{"lat":57.0004,"lon":\#(9 + metres / 60_800),"floor":10,"building":"B"}"#)
        broker.wait(.seconds(1))
    }

    private func state(_ broker: ScriptedBroker, _ room: String, of source: String = "rooms") -> JSONObject? {
        broker.retained["fleet-bridge/\(source)/\(room)/state"].flatMap { try? JSONParser().parse($0) }?.object
    }

    /// `live occupied 1`
    private func said(_ broker: ScriptedBroker, _ room: String, of source: String = "rooms") -> String? {
        guard let state = state(broker, room, of: source), let properties = state["properties"]?.object else {
            return nil
        }
        return "\(state["status"]?.string ?? "?") \(properties["state"]?.string ?? "?") "
            + "\(properties["occupants"]?.number.map { Int($0) } ?? -1)"
    }

    private func list(_ broker: ScriptedBroker) -> [JSONObject] {
        broker.ask("sources/list")?["data"]?.object?["sources"]?.array?.compactMap(\.object) ?? []
    }

    @Test("Its locations are published, with their polygons, and follow what they go by")
    func follows() throws {
        let broker = try broker(snapshots: .seconds(5))
        broker.wait(.seconds(1))
        #expect(said(broker, "w") == "stale free 0")
        #expect(said(broker, "e") == "stale free 0")
        report(broker, "r1", -10)
        #expect(said(broker, "w") == "live occupied 1" && said(broker, "e") == "live free 0")
        report(broker, "r1", 10)
        #expect(said(broker, "w") == "live free 0" && said(broker, "e") == "live occupied 1")
        let east = try #require(state(broker, "e"))
        #expect(east["geometry"]?.object?["type"] == "Polygon" && east["name"] == "Room e" && east["type"] == "room")
        broker.wait(.seconds(6))
        let chunk = broker.retained["fleet-bridge/rooms/geojson/0"].flatMap { try? JSONParser().parse($0) }?.object
        let features = chunk?["features"]?.array?.compactMap(\.object) ?? []
        #expect(features.count == 2 && features.allSatisfy { $0["geometry"]?.object?["type"] == "Polygon" })
        #expect(AccountingTests.balances(broker.stats()))
    }

    @Test("A removed or lost location is in no room; a source that is unavailable leaves the rooms stale")
    func gone() throws {
        let broker = try broker()
        report(broker, "r1", -10)
        report(broker, "r2", -10)
        #expect(said(broker, "w") == "live occupied 2")
        report(broker, "r2", 0)
        _ = broker.ask("locations/remove", ["source": "robots", "id": "r2"])
        broker.report("r1", #"{"position":null}"#)
        broker.wait(.seconds(1))
        #expect(said(broker, "w") == "stale free 0", "the only one left is lost")
        report(broker, "r1", -10)
        broker.wait(.seconds(40))
        #expect(said(broker, "w") == "stale occupied 1", "silent")
        let status = broker.retained["fleet-bridge/rooms/status"].flatMap { try? JSONParser().parse($0) }?.object
        #expect(status?["status"] == "unavailable" && status?.number("locations", "stale") == 2)
    }

    @Test("The end of the bridge is no event of a room")
    func end() throws {
        let broker = try broker()
        report(broker, "r1", -10)
        broker.forget()
        broker.run(.shutdown)
        let events = broker.published.filter { $0.topicName.hasSuffix("/event") }
        #expect(events.isEmpty, "\(events.map(\.topicName))")
        #expect(broker.json("fleet-bridge/rooms/status")?["status"] == "inactive")
    }

    @Test("After a restart rooms are known, with since when they are as they are, and nothing is told twice")
    func restart() throws {
        let broker = try broker()
        report(broker, "r1", -10)
        broker.wait(.seconds(2))
        let before = (state(broker, "w"), state(broker, "e"))
        broker.forget()
        broker.restart(after: .seconds(5))
        broker.wait(.seconds(1))
        for (room, known) in [("w", before.0), ("e", before.1)] {
            #expect(state(broker, room)?["properties"] == known?["properties"])
            #expect(state(broker, room)?["statusSince"] == known?["statusSince"])
        }
        #expect(!broker.published.contains { $0.topicName.hasSuffix("/event") })
        broker.configure { $0.derived = [Self.derived(rooms: [Self.rooms[1]])] }
        broker.restart(after: .seconds(5))
        broker.wait(.seconds(1))
        #expect(state(broker, "w") == nil && state(broker, "e") != nil, "a room that is no more is cleared")
    }

    @Test("After a restart its status began when it did, where it turns out the same, and what was heard last is known")
    func restartedStatus() throws {
        let broker = try broker()
        func status() -> JSONObject? { broker.json("fleet-bridge/rooms/status") }
        report(broker, "r1", -10)
        broker.wait(.seconds(12))
        let before = try #require(status())
        #expect(before["status"] == "available")
        broker.restart(after: .seconds(5))
        broker.wait(.seconds(1))
        #expect(status()?["status"] == "available")
        #expect(status()?["since"] == before["since"] && status()?["lastMessage"] == before["lastMessage"])
        broker.restart(after: .seconds(60))
        broker.wait(.seconds(1))
        #expect(status()?["status"] == "unavailable" && status()?["since"] != before["since"])
    }

    @Test("One goes by another", arguments: [["a", "z"], ["z", "a"]] as [[Identifier]])
    func chain(ids: [Identifier]) throws {
        let first = Self.derived(ids[0])
        let second = Self.derived(ids[1], observes: ["nobody"], occupancy: [ids[0]])
        let broker = try broker([second, first])
        report(broker, "r1", -10)
        #expect(said(broker, "w", of: ids[1].text) == "live occupied 1")
        report(broker, "r1", 10)
        #expect(said(broker, "w", of: ids[1].text) == "live free 0")
        #expect(said(broker, "e", of: ids[1].text) == "live occupied 1")
    }

    @Test("A reload adds, changes and removes them")
    func reload() throws {
        let broker = try broker([])
        report(broker, "r1", -10)
        broker.reload { $0.derived = [Self.derived()] }
        broker.wait(.seconds(1))
        #expect(said(broker, "w") == "live occupied 1")
        let since = state(broker, "w")?["properties"]?.object?["since"]
        broker.wait(.seconds(5))
        report(broker, "r1", -10)
        broker.reload { $0.derived = [Self.derived(rooms: [Self.rooms[0], Self.room("n", west: 9.1)])] }
        broker.wait(.seconds(1))
        #expect(said(broker, "w") == "live occupied 1" && said(broker, "n") == "live free 0")
        #expect(state(broker, "w")?["properties"]?.object?["since"] == since && state(broker, "e") == nil)
        broker.reload { $0.derived = [Self.derived(observes: ["others"])] }
        broker.wait(.seconds(1))
        #expect(said(broker, "w") == "stale free 0")
        broker.reload { $0.derived = [] }
        broker.wait(.seconds(1))
        #expect(broker.retained.keys.filter { $0.hasPrefix("fleet-bridge/rooms/") }.isEmpty)
        report(broker, "r1", 10)
        #expect(state(broker, "e") == nil)
    }

    @Test("A reload may take what one goes by, and may make an id another kind of source")
    func exchange() throws {
        let broker = try broker()
        report(broker, "r1", -10)
        broker.reload([])
        broker.wait(.seconds(1))
        #expect(said(broker, "w") == "stale free 0")
        broker.reload([.robots()]) { $0.derived = [Self.derived("halls")] }
        broker.wait(.seconds(1))
        #expect(state(broker, "w") == nil && said(broker, "w", of: "halls") != nil)
    }

    @Test("Requests list it by its kind, stop and start it, and leave its locations to itself")
    func requests() throws {
        let broker = try broker()
        let entry = list(broker).first { $0["source"] == "rooms" }
        #expect(entry?["kind"] == "roomAvailability" && entry?["observes"] == ["robots"] && entry?["topics"] == nil)
        _ = broker.ask("sources/stop", ["source": "rooms"])
        report(broker, "r1", -10)
        #expect(said(broker, "w") == "stale free 0")
        _ = broker.ask("sources/start", ["source": "rooms"])
        broker.wait(.seconds(1))
        #expect(said(broker, "w") == "live occupied 1")
        let code = broker.ask("sources/clear", ["source": "rooms"])?["error"]?.object?["code"]
        #expect(code == "not-configured")
        let added = broker.ask("sources/add", ["source": "rooms", "settings": [:]])?["error"]?.object?["code"]
        #expect(added == "source-exists")
    }

    @Test("An engine with one does not outlive its last reference")
    func lifetime() throws {
        weak var weakSource: (any DerivedLocationSource)?
        func make() throws {
            let source = RoomAvailabilitySource(
                id: "own", rooms: Self.rooms, RoomAvailabilitySettings(observes: ["robots"]), at: ScriptedBroker.start)
            weakSource = source
            let broker = try broker()
            try broker.engine.add(source)
            report(broker, "r1", -10)
            #expect(said(broker, "w", of: "own") == "live occupied 1")
            broker.engine.removeSource("own")
        }
        try make()
        #expect(weakSource == nil)
    }
}
