import DisplayRules
import FleetEngine
import JSON
import Locations
import MQTTModel
import TelemetryFormats
import Testing
import Timestamps

@testable import WebInterface

/// An engine with a source of a test's own, and the board that follows it; time is what the test says.
final class Board {
    let engine: Engine
    let board = LiveBoard(BoardStore(epoch: "e", maximumGone: 10))
    let source = OwnSource()
    private(set) var now = Instant(wall: Timestamp(iso8601: "2026-11-30T12:00:00Z")!, monotonic: .seconds(1))

    /// - Parameter prepare: What the source has before the board follows the engine.
    init(rules: [DisplayRule] = [], prepare: (OwnSource, Instant) -> Void = { _, _ in }) throws {
        let configuration = EngineConfiguration(sources: [], displayRules: DisplayRuleSet(rules))
        engine = Engine(configuration, version: "1", seed: 1, at: now)
        prepare(source, now)
        try engine.add(source)
        engine.noteRestyled()
        engine.add(board)
        _ = board.advance(engine, at: now)
    }

    var store: BoardStore { board.store }

    func wait(_ time: Duration) { now = now.advanced(by: time) }

    @discardableResult
    func advance() -> Bool {
        _ = engine.handle(.tick, at: now)
        return board.advance(engine, at: now)
    }

    func put(_ id: String, charge: Double, isUrgent: Bool = false) {
        var location = Location(id: Identifier(id), source: source.id, time: now.wall)
        location.charge = charge
        source.put(LocationUpdate(location: location, cause: .report, isUrgent: isUrgent), at: now)
    }

    /// What the board says of a location.
    func state(_ id: String) throws -> JSONObject? {
        guard let shown = store.location(Identifier(id), source: source.id) else { return nil }
        return try JSONParser().parse(shown.state).object
    }

    /// The ids of the locations in a batch, and what is gone with a minus.
    static func ids(_ batch: BoardStore.Batch) -> [String] {
        batch.items.compactMap { item in
            guard case .location(_, let id) = item.key else { return nil }
            if case .gone = item.content { return "-\(id)" }
            return id.text
        }
    }
}

final class OwnSource: LocationSource {
    let id: Identifier = "own"
    var status = SourceStatus(kind: .available, since: Timestamp(microseconds: 0))
    var counts = StatusCounts()
    var locations: [Location] = []
    var lastMessage: Timestamp?
    var observers: [any LocationObserver] = []
    var nextDeadline: Duration?

    func start(at now: Instant) {
        let updates = locations.map { LocationUpdate(location: $0, cause: .time, isUrgent: true) }
        for observer in observers { observer.locationsUpdated(updates, from: self, at: now) }
    }

    func stop(at now: Instant) {}
    func advance(to now: Instant) {}

    func put(_ update: LocationUpdate, at now: Instant) {
        locations.removeAll { $0.id == update.location.id }
        locations.append(update.location)
        for observer in observers { observer.locationsUpdated([update], from: self, at: now) }
    }

    func remove(_ id: Identifier, at now: Instant) {
        locations.removeAll { $0.id == id }
        for observer in observers { observer.locationsDeleted([id], from: self, at: now) }
    }
}
