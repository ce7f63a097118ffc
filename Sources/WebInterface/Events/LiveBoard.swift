public import FleetEngine
public import Locations
public import Timestamps

/// Puts on a ``BoardStore`` what the engine's locations and sources do, at their own pace, whether the broker is there or
/// not. It belongs to the engine's thread.
public final class LiveBoard: LocationObserver {
    /// However fast a source is, nobody looks more often.
    private static let shortestInterval = Duration.milliseconds(100)
    private static let sourceInterval = Duration.seconds(1)
    /// Locations that are drawn in one turn of the loop.
    private static let turn = 2_000

    private final class Entry {
        let id: Identifier
        let source: Identifier
        var shownAt: Duration?
        var interval = LiveBoard.shortestInterval
        /// When it is drawn; entries of the agenda for other times are outdated.
        var due: Duration?

        init(_ id: Identifier, _ source: Identifier) { (self.id, self.source) = (id, source) }
    }

    public let store: BoardStore
    private var entries: [Identifier: [Identifier: Entry]] = [:]
    private var count = 0
    private var agenda = Agenda<Entry>()
    private var items: [BoardStore.Item] = []
    private var changedSources: Set<Identifier> = []
    private var knownSources: Set<Identifier> = []
    private var sourcesDue: Duration? = .zero
    private var nextLook = Duration.zero

    init(_ store: BoardStore) { self.store = store }

    /// - Parameter time: Of the process's start, which tells its numbers from another one's.
    public static func make(startedAt time: Timestamp) -> LiveBoard {
        LiveBoard(BoardStore(epoch: String(time.milliseconds, radix: 36)))
    }

    // MARK: LocationObserver

    public func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant) {
        for update in updates { note(update, isUrgent: update.isUrgent, at: now.monotonic) }
        noteChange(of: source.id, isUrgent: false, at: now.monotonic)
    }

    public func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant) {
        for id in ids {
            if let entry = entries[source.id]?.removeValue(forKey: id) {
                entry.due = nil
                count -= 1
            }
            items.append(BoardStore.Item(key: .location(source: source.id, id: id), content: .gone))
        }
        noteChange(of: source.id, isUrgent: false, at: now.monotonic)
    }

    public func statusChanged(of source: any LocationSource, at now: Instant) {
        noteChange(of: source.id, isUrgent: true, at: now.monotonic)
    }

    private func note(_ update: LocationUpdate, isUrgent: Bool, at now: Duration) {
        let entry = entry(update.location)
        let due = isUrgent ? now : max(now, entry.shownAt.map { $0 + entry.interval } ?? now)
        if let waiting = entry.due, waiting <= due { return }
        entry.due = due
        agenda.add(entry, at: due)
        if agenda.count > 2 * count + 1_024 { agenda.compact { $0.due == $1 } }
    }

    private func entry(_ location: Location) -> Entry {
        if let known = entries[location.source]?[location.id] { return known }
        let entry = Entry(location.id, location.source)
        entries[location.source, default: [:]][location.id] = entry
        count += 1
        return entry
    }

    private func noteChange(of source: Identifier, isUrgent: Bool, at now: Duration) {
        changedSources.insert(source)
        let due = isUrgent ? now : max(now, nextLook)
        sourcesDue = min(sourcesDue ?? due, due)
    }

    // MARK: The loop

    /// When ``advance(_:at:)`` has something to do.
    public var nextDeadline: Duration? {
        if !items.isEmpty { return .zero }
        return [agenda.nextTime, sourcesDue].compactMap(\.self).min()
    }

    /// Draws what is due.
    ///
    /// - Returns: Whether anything on the board has changed.
    public func advance(_ engine: Engine, at now: Instant) -> Bool {
        let now = now.monotonic
        takeRestyled(engine, at: now)
        var room = Self.turn
        while room > 0, let (time, entry) = agenda.popDue(at: now) {
            guard entry.due == time else { continue }
            entry.due = nil
            guard let shown = engine.shown(entry.id, source: entry.source) else { continue }
            (entry.shownAt, entry.interval) = (now, max(shown.interval, Self.shortestInterval))
            items.append(
                BoardStore.Item(key: .location(source: entry.source, id: entry.id), content: .location(shown)))
            room -= 1
        }
        if let due = sourcesDue, due <= now { lookAtSources(engine, at: now) }
        guard !items.isEmpty else { return false }
        store.apply(items)
        items.removeAll(keepingCapacity: true)
        return true
    }

    /// Puts what the bridge says of itself on the board.
    public func put(bridge: [UInt8]) { items.append(BoardStore.Item(key: .bridge, content: .bridge(bridge))) }

    private func takeRestyled(_ engine: Engine, at now: Duration) {
        guard let restyled = engine.takeRestyled() else { return }
        for update in restyled.updates { note(update, isUrgent: false, at: now) }
        guard restyled.isAll else { return }
        for location in engine.locations {
            let entry = entry(location)
            guard entry.due == nil else { continue }
            entry.due = now
            agenda.add(entry, at: now)
        }
    }

    private func lookAtSources(_ engine: Engine, at now: Duration) {
        (sourcesDue, nextLook) = (nil, now + Self.sourceInterval)
        let ids = Set(engine.sourceIDs)
        for id in knownSources.subtracting(ids) {
            items.append(BoardStore.Item(key: .source(id), content: .gone))
        }
        for id in changedSources.union(ids.subtracting(knownSources)) {
            guard let description = engine.sourceDescription(id) else { continue }
            items.append(BoardStore.Item(key: .source(id), content: .source(description)))
        }
        knownSources = ids
        changedSources.removeAll()
    }

    /// Sources may have come or gone.
    public func lookAtSourcesAgain(at now: Duration) { sourcesDue = now }
}
