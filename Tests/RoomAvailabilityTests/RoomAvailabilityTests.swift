import Geometry
import JSON
import Locations
import RoomAvailability
import Testing
import Timestamps

/// A source whose locations are what a test says.
private final class Told: LocationSource {
    let id: Identifier
    var status: SourceStatus
    var known: [Identifier: Location] = [:]
    var observers: [any LocationObserver] = []
    let lastMessage: Timestamp? = nil
    let nextDeadline: Duration? = nil

    init(_ id: Identifier, at now: Instant) {
        self.id = id
        status = SourceStatus(kind: .available, since: now.wall)
    }

    var counts: StatusCounts { StatusCounts() }
    var locations: [Location] { Array(known.values) }
    func start(at now: Instant) {}
    func stop(at now: Instant) {}
    func advance(to now: Instant) {}

    func tell(_ id: Identifier, at now: Instant, _ change: (inout Location) -> Void) {
        var location = known[id] ?? Location(id: id, source: self.id, time: now.wall)
        change(&location)
        known[id] = location
        let update = LocationUpdate(location: location, cause: .report, isUrgent: false)
        for observer in observers { observer.locationsUpdated([update], from: self, at: now) }
    }

    func remove(_ id: Identifier, at now: Instant) {
        known[id] = nil
        for observer in observers { observer.locationsDeleted([id], from: self, at: now) }
    }

    func become(_ kind: SourceStatus.Kind, at now: Instant) {
        status = SourceStatus(kind: kind, since: now.wall)
        for observer in observers { observer.statusChanged(of: self, at: now) }
    }
}

/// Room "a" is west of 9° E, "b" east of it.
private final class Halves: AreaFinder {
    func room(at place: Place) -> Area? {
        guard place.building == "B", place.floor == 10 else { return nil }
        return Area(.room, id: place.position.longitude < 9 ? "a" : "b", building: "B")
    }
    func zones(at place: Place) -> [Area] { [] }
    func distance(from place: Place, to area: Area) -> Double? { nil }
    func room(_ id: Identifier, building: String?) -> Area? { nil }
    func finds(theSameAs other: any AreaFinder) -> Bool { other is Halves }
}

@Suite("Availability of rooms")
struct RoomAvailabilityTests {
    private static let start = Instant(wall: Timestamp(iso8601: "2026-11-29T12:00:00Z")!, monotonic: .seconds(1_000))
    private static let place = Position(latitude: 57, longitude: 9)!
    private let now = Self.start
    private let people = Told("people", at: Self.start)
    private let vacuums = Told("vacuums", at: Self.start)
    private let sensors = Told("sensors", at: Self.start)
    private let rooms: RoomAvailabilitySource

    private static func room(_ id: Identifier, name: String? = nil) -> Room {
        Room(
            id: id, name: name ?? id.text, building: "B", floor: 10, geometry: ["type": "Polygon", "coordinates": []],
            displayPoint: place)
    }

    private static func settings(
        occupiedBy: Set<Identifier>? = nil, cleanedBy: Set<Identifier> = ["robot-vacuum"]
    ) -> RoomAvailabilitySettings {
        RoomAvailabilitySettings(
            observes: ["people", "vacuums"], occupancy: ["sensors"], occupiedBy: occupiedBy, cleanedBy: cleanedBy)
    }

    init() {
        rooms = RoomAvailabilitySource(
            id: "rooms", rooms: [Self.room("a", name: "Aalborg"), Self.room("b")], Self.settings(), at: Self.start)
        for source in [people, vacuums, sensors] { source.observers.append(rooms) }
        rooms.start(at: now)
        rooms.survey([people, vacuums, sensors], at: now)
    }

    private func later(_ seconds: Int) -> Instant { now.advanced(by: .seconds(seconds)) }

    private func enter(
        _ source: Told, _ id: Identifier, _ room: Identifier?, type: String, at seconds: Int = 0,
        building: String = "B",
        state: String? = nil, status: LocationStatus = .live
    ) {
        source.tell(id, at: later(seconds)) {
            ($0.type, $0.status, $0.building) = (type, status, building)
            $0.position = status == .lost ? nil : Self.place
            $0.room = room.map { Area(.room, id: $0, building: building) }
            $0.properties = state.map { JSONObject([("state", .string($0))]) } ?? JSONObject()
        }
    }

    private func person(_ id: Identifier, _ room: Identifier?, at seconds: Int = 0, status: LocationStatus = .live) {
        enter(people, id, room, type: "People", at: seconds, status: status)
    }

    /// `occupied 2 12:00:05`
    private func said(_ room: Identifier) -> String? {
        guard let properties = rooms.location(room)?.properties, let since = properties["since"]?.string else {
            return nil
        }
        return "\(properties["state"]?.string ?? "?") \(properties["occupants"]?.number.map { Int($0) } ?? -1) "
            + String(since.dropFirst(11).prefix(8))
    }

    @Test("Rooms are there from the beginning, free, with what the plan says of them")
    func beginning() throws {
        let room = try #require(rooms.location("a"))
        #expect(said("a") == "free 0 12:00:00" && rooms.locations.count == 2 && rooms.counts[.live] == 2)
        #expect(room.name == "Aalborg" && room.type == "room" && room.building == "B" && room.floor == 10)
        #expect(room.position == Self.place && room.geometry?["type"] == "Polygon" && room.source == "rooms")
        #expect(rooms.status.kind == .available)
    }

    @Test("A room is occupied from the first who enters to the last who leaves")
    func occupied() {
        person("p", "a", at: 1)
        #expect(said("a") == "occupied 1 12:00:01" && said("b") == "free 0 12:00:00")
        person("q", "a", at: 2)
        #expect(said("a") == "occupied 2 12:00:01")
        person("p", "b", at: 3)
        #expect(said("a") == "occupied 1 12:00:01" && said("b") == "occupied 1 12:00:03")
        person("q", nil, at: 4)
        person("p", "elsewhere", at: 5)
        #expect(said("a") == "free 0 12:00:04" && said("b") == "free 0 12:00:05")
    }

    @Test(
        "Who is silent is still there; who is lost, offline or removed is not",
        arguments: [
            (LocationStatus.stale, "occupied 1 12:00:01"), (.lost, "free 0 12:00:02"), (.offline, "free 0 12:00:02"),
        ])
    func silence(status: LocationStatus, expected: String) {
        person("p", "a", at: 1)
        person("p", "a", at: 2, status: status)
        #expect(said("a") == expected)
        person("p", "a", at: 3)
        people.remove("p", at: later(4))
        #expect(said("a") == "free 0 12:00:04")
    }

    @Test("A room of the same id in another building is another one")
    func buildings() {
        enter(people, "p", "a", type: "People", building: "Other")
        #expect(said("a") == "free 0 12:00:00")
    }

    @Test("A vacuum cleans where nobody is, while it says so")
    func cleaning() {
        enter(vacuums, "v", "a", type: "robot-vacuum", at: 1, state: "docked")
        #expect(said("a") == "free 0 12:00:00")
        enter(vacuums, "v", "a", type: "robot-vacuum", at: 2, state: "cleaning")
        #expect(said("a") == "cleaning 0 12:00:02")
        person("p", "a", at: 3)
        #expect(said("a") == "occupied 1 12:00:03")
        person("p", "b", at: 4)
        #expect(said("a") == "cleaning 0 12:00:04")
        enter(vacuums, "v", nil, type: "robot-vacuum", at: 5, state: "cleaning")
        #expect(said("a") == "free 0 12:00:05")
        enter(vacuums, "v", "a", type: "robot-vacuum", at: 6)
        #expect(said("a") == "cleaning 0 12:00:06", "one that says nothing of what it does")
    }

    @Test("Which types occupy and which clean is a setting")
    func types() {
        enter(people, "p", "a", type: "People", at: 1)
        enter(people, "c", "b", type: "Cleaner", at: 1)
        #expect(said("b") == "occupied 1 12:00:01")
        let new = Self.settings(occupiedBy: ["People"], cleanedBy: ["Cleaner"])
        rooms.change(rooms: [Self.room("a"), Self.room("b")], new, at: later(2))
        rooms.survey([people, vacuums, sensors], at: later(2))
        #expect(said("a") == "occupied 1 12:00:01" && said("b") == "cleaning 0 12:00:02")
        enter(people, "d", "b", type: "Dog", at: 3)
        #expect(said("b") == "cleaning 0 12:00:02")
    }

    @Test(
        "A sensor is called as its room, and says occupied, occupants or state",
        arguments: [
            ("a", ["occupied": true], "occupied 0"), ("Aalborg", ["occupied": true, "occupants": 4], "occupied 4"),
            ("a", ["occupants": 3], "occupied 3"), ("a", ["occupants": 0], "free 0"),
            ("a", ["state": "occupied"], "occupied 0"), ("a", ["state": "free"], "free 0"),
            ("a", ["occupied": false, "occupants": 2], "free 0"), ("a", ["occupied": "yes"], "free 0"),
            ("a", ["occupants": 1.5], "free 0"), ("unknown", ["occupied": true], "free 0"),
        ] as [(String, JSONObject, String)])
    func sensor(id: String, properties: JSONObject, expected: String) {
        sensors.tell(Identifier(id), at: now) { $0.properties = properties }
        #expect(said("a")?.hasPrefix(expected) == true, "\(said("a") ?? "")")
    }

    @Test("A sensor that is silent says nothing, and one that says nobody is there does not overrule who is seen")
    func silentSensor() {
        sensors.tell("a", at: now) { $0.properties = ["occupants": 2] }
        person("p", "a", at: 1)
        #expect(said("a") == "occupied 2 12:00:00")
        sensors.tell("a", at: now) { $0.properties = ["occupants": 0] }
        #expect(said("a") == "occupied 1 12:00:00")
        person("p", nil, at: 2)
        sensors.tell("a", at: later(3)) { $0.properties = ["occupants": 2] }
        sensors.tell("a", at: later(4)) { $0.status = .stale }
        #expect(said("a") == "free 0 12:00:04")
    }

    @Test("While nobody sees who is in rooms, only those are live whose sensor says how they are")
    func sensorsAlone() {
        sensors.tell("a", at: later(1)) { $0.properties = ["occupied": false] }
        people.become(.unavailable, at: later(2))
        vacuums.become(.inactive, at: later(3))
        #expect(rooms.location("a")?.status == .live && rooms.location("b")?.status == .stale)
        #expect(rooms.counts[.live] == 1 && rooms.counts[.stale] == 1 && rooms.status.kind == .available)
        sensors.tell("b", at: later(4)) { $0.properties = ["occupied": "yes"] }
        #expect(rooms.location("b")?.status == .stale)
        sensors.tell("b", at: later(5)) { $0.properties = ["occupied": true] }
        #expect(rooms.location("b")?.status == .live && rooms.location("b")?.statusSince == later(5).wall)
        #expect(said("b") == "occupied 0 12:00:05")
        sensors.tell("a", at: later(6)) { $0.status = .stale }
        sensors.remove("b", at: later(6))
        #expect(rooms.counts[.stale] == 2 && rooms.status.kind == .unavailable)
        people.become(.available, at: later(7))
        #expect(rooms.counts[.live] == 2 && rooms.status.kind == .available)
    }

    @Test("While no observed source is available, rooms are stale, and what they were stays")
    func unavailable() {
        person("p", "a", at: 1)
        people.become(.unavailable, at: later(2))
        #expect(rooms.location("a")?.status == .live)
        vacuums.become(.inactive, at: later(3))
        #expect(rooms.location("a")?.status == .stale && rooms.location("b")?.statusReason == "no-live-location")
        #expect(rooms.location("a")?.statusSince == later(3).wall && said("a") == "occupied 1 12:00:01")
        #expect(rooms.status == SourceStatus(kind: .unavailable, reason: "no-live-location", since: later(3).wall))
        people.become(.available, at: later(4))
        #expect(rooms.location("a")?.status == .live && rooms.status.kind == .available)
    }

    @Test("What an earlier process published goes on where it is still true")
    func restart() throws {
        let again = RoomAvailabilitySource(
            id: "rooms", rooms: [Self.room("a"), Self.room("b")], Self.settings(), at: later(60))
        person("p", "a", at: 1)
        person("q", "b", at: 1)
        people.become(.initialising, at: later(60))
        let published = try #require(rooms.location("a"))
        person("q", nil, at: 61)
        var other = try #require(rooms.location("b"))
        other.properties["state"] = "occupied"
        again.start(at: later(61))
        again.restore(published, at: later(61))
        again.restore(other, at: later(61))
        again.survey([people], at: later(61))
        #expect(again.location("a")?.properties["since"] == "2026-11-29T12:00:01.000Z")
        #expect(again.location("a")?.status == .live && again.status.kind == .initialising)
        #expect(again.location("b")?.properties["state"] == "free")
        #expect(again.location("a")?.statusSince == published.statusSince)
        people.observers.append(again)
        people.become(.available, at: later(62))
        #expect(again.location("a")?.statusSince == published.statusSince && again.status.kind == .available)
    }

    @Test("Whose source knows of no rooms is looked for on the plan; who is a room is in none")
    func found() {
        var settings = Self.settings()
        settings.finder = Halves()
        rooms.change(rooms: [Self.room("a"), Self.room("b")], settings, at: now)
        func place(
            _ longitude: Double?, building: String = "B", _ change: @escaping (inout Location) -> Void = { _ in }
        ) {
            people.tell("p", at: later(1)) {
                $0.position = longitude.flatMap { Position(latitude: 57, longitude: $0) }
                ($0.building, $0.floor) = (building, 10)
                change(&$0)
            }
        }
        place(8.9)
        #expect(said("a") == "occupied 1 12:00:01" && said("b") == "free 0 12:00:00")
        place(9.1)
        #expect(said("a") == "free 0 12:00:01" && said("b") == "occupied 1 12:00:01")
        place(8.9) { $0.room = Area(.room, id: "b", building: "B") }
        #expect(said("b") == "occupied 1 12:00:01", "what it says of itself counts")
        place(8.9, building: "C") { $0.room = nil }
        #expect(said("a") == "free 0 12:00:01" && said("b") == "free 0 12:00:01")
        place(8.9)
        place(8.9) { $0.geometry = ["type": "Polygon", "coordinates": []] }
        #expect(said("a") == "free 0 12:00:01")
    }

    @Test("A source that devices' reports feed finds rooms by itself, or none")
    func fed() {
        var settings = Self.settings()
        settings.finder = Halves()
        rooms.change(rooms: [Self.room("a"), Self.room("b")], settings, at: now)
        let source = TelemetrySource(id: "people", settings: SourceSettings(), at: now)
        source.observers.append(rooms)
        var report = Report(id: "p")
        report.position = .value(.geographic(Self.place))
        (report.building, report.floor) = (.value("B"), .value(.number(10)))
        _ = source.apply(report, retained: false, at: later(1))
        #expect(source.location("p")?.building == "B" && said("b") == "free 0 12:00:00")
    }

    @Test("Another plan takes rooms away and brings others; the rest goes on")
    func plan() {
        final class Listener: LocationObserver {
            var deleted: [Identifier] = []
            func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant) {}
            func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant) {
                deleted += ids
            }
            func statusChanged(of source: any LocationSource, at now: Instant) {}
        }
        let listener = Listener()
        rooms.observers.append(listener)
        person("p", "b", at: 1)
        rooms.change(rooms: [Self.room("b"), Self.room("c")], Self.settings(), at: later(2))
        rooms.survey([people, vacuums, sensors], at: later(2))
        #expect(listener.deleted == ["a"] && rooms.location("a") == nil)
        #expect(said("b") == "occupied 1 12:00:01" && said("c") == "free 0 12:00:02")
    }

    @Test("Stopped, it tells nothing; started again, it tells how things are")
    func stop() {
        rooms.stop(at: now)
        #expect(rooms.status.kind == .inactive)
        person("p", "a", at: 1)
        rooms.start(at: later(2))
        #expect(rooms.status.kind == .available && said("a") == "occupied 1 12:00:01")
    }
}
