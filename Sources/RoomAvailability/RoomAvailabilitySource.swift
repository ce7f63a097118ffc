internal import JSON
public import Locations
public import Timestamps

/// Rooms that are occupied, free or being cleaned, by the locations of other sources that are in them: a source that observes
/// sources, and is observed like any other.
///
/// Whoever is lost, offline or removed is in no room; who is silent is still where he was. While no source that sees who is in
/// rooms is available, rooms are stale but for those whose sensor says how they are: nobody knows who is in the others.
public final class RoomAvailabilitySource: DerivedLocationSource {
    public let id: Identifier
    public var observedSources: Set<Identifier> { occupancy.settings.observes.union(occupancy.settings.occupancy) }
    public private(set) var status: SourceStatus
    public private(set) var lastMessage: Timestamp?
    public var observers: [any LocationObserver] = []

    private var occupancy: Occupancy
    private var published: [Identifier: Location] = [:]
    /// Of the observed sources that are there.
    private var kinds: [Identifier: SourceStatus.Kind] = [:]
    private var isStarted = false
    private var isSurveyed = false
    /// Of the rooms, and since when.
    private var roomStatuses: [Identifier: RoomStatus] = [:]
    /// What an earlier process published.
    private var remembered: [Identifier: (availability: Availability, since: Timestamp)] = [:]
    private var rememberedStatuses: [Identifier: RoomStatus] = [:]
    private var rememberedSourceStatus: SourceStatus?

    private typealias RoomStatus = (status: LocationStatus, since: Timestamp)

    /// - Parameter rooms: With ids that differ.
    public init(id: Identifier, rooms: [Room], _ settings: RoomAvailabilitySettings, at now: Instant) {
        self.id = id
        occupancy = Occupancy(rooms, settings, at: now.wall)
        status = SourceStatus(kind: .notInitialised, since: now.wall)
        for room in rooms {
            roomStatuses[room.id] = (.stale, now.wall)
            published[room.id] = location(of: room.id, at: now)
        }
    }

    // MARK: What there is

    public var locations: [Location] { Array(published.values) }

    public func location(_ id: Identifier) -> Location? { published[id] }

    public var counts: StatusCounts {
        var counts = StatusCounts()
        for (status, _) in roomStatuses.values { counts[status] += 1 }
        return counts
    }

    // MARK: Start and stop

    public func start(at now: Instant) {
        isStarted = true
        updateStatus(at: now)
        tell(published.keys.sorted(), at: now) { _ in true }
    }

    /// What was announced stays, and is not followed any more until the next start.
    public func stop(at now: Instant) {
        isStarted = false
        updateStatus(at: now)
    }

    /// Everything comes from those that are observed.
    public var nextDeadline: Duration? { nil }
    public func advance(to now: Instant) {}

    private func has(_ kind: SourceStatus.Kind) -> Bool { kinds.values.contains(kind) }

    /// Whether a source may become available at any moment, since it has only begun.
    private var isWaiting: Bool { has(.notInitialised) || has(.initialising) }

    /// Whether a source is there that sees who is in rooms; a sensor knows of its own alone.
    private var isWatched: Bool { occupancy.settings.observes.contains { kinds[$0] == .available } }

    private func updateStatus(at now: Instant) {
        let (kind, reason): (SourceStatus.Kind, String) =
            if !isStarted { (.inactive, "stopped") } else if !isSurveyed { (.notInitialised, "") } else {
                switch (isWatched || occupancy.states.values.contains(where: \.hasReading), isWaiting) {
                case (true, _): (.available, "")
                case (false, true): (.initialising, "")
                case (false, false): (.unavailable, "no-live-location")
                }
            }
        guard (kind, reason) != (status.kind, status.reason) else { return }
        let isContinued = rememberedSourceStatus.map { ($0.kind, $0.reason) == (kind, reason) } ?? false
        let since = isContinued ? rememberedSourceStatus?.since : nil
        if kind != .notInitialised, kind != .initialising { rememberedSourceStatus = nil }
        status = SourceStatus(kind: kind, reason: reason, since: since ?? now.wall)
        for observer in observers { observer.statusChanged(of: self, at: now) }
    }

    // MARK: Another configuration, another process

    /// From now on goes by other settings and rooms; a survey follows. Rooms that are no more are deleted.
    public func change(rooms: [Room], _ settings: RoomAvailabilitySettings, at now: Instant) {
        occupancy = Occupancy(rooms, settings, after: occupancy, at: now.wall)
        let gone = published.keys.filter { occupancy.rooms[$0] == nil }.sorted()
        for id in gone { (published[id], roomStatuses[id]) = (nil, nil) }
        for id in occupancy.rooms.keys where roomStatuses[id] == nil { roomStatuses[id] = (.stale, now.wall) }
        if !gone.isEmpty {
            for observer in observers { observer.locationsDeleted(gone, from: self, at: now) }
        }
    }

    public func restore(_ published: Location, at now: Instant) {
        if published.statusSince <= now.wall, [.live, .stale].contains(published.status) {
            rememberedStatuses[published.id] = (published.status, published.statusSince)
        }
        // What was true then and is still true began then.
        guard let since = published.properties["since"]?.string.flatMap(Timestamp.init(iso8601:)), since <= now.wall,
            let availability = published.properties["state"]?.string.flatMap(Availability.init(rawValue:))
        else { return }
        remembered[published.id] = (availability, since)
    }

    public func restore(_ published: SourceStatus, lastMessage: Timestamp?) {
        rememberedSourceStatus = published
        self.lastMessage = self.lastMessage ?? lastMessage
    }

    public func survey(_ sources: [any LocationSource], at now: Instant) {
        isSurveyed = true
        kinds = [:]
        occupancy.empty()
        for source in sources where occupancy.settings.isObserved(source.id) {
            kinds[source.id] = source.status.kind
            for location in source.locations { _ = occupancy.take(location, from: source) }
        }
        for id in occupancy.rooms.keys {
            _ = occupancy.settle(id, at: now.wall)
            if let known = remembered[id] { occupancy.resume(id, known.availability, since: known.since) }
        }
        remembered = [:]
        _ = updateRoomStatuses(occupancy.rooms.keys, at: now)
        republish(occupancy.rooms.keys, at: now)
        updateStatus(at: now)
    }

    // MARK: LocationObserver

    public func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant) {
        guard occupancy.settings.isObserved(source.id) else { return }
        lastMessage = now.wall
        var touched: Set<Identifier> = []
        for update in updates { touched.formUnion(occupancy.take(update.location, from: source)) }
        settle(touched, at: now)
    }

    public func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant) {
        guard occupancy.settings.isObserved(source.id) else { return }
        var touched: Set<Identifier> = []
        for id in ids { touched.formUnion(occupancy.leave(LocationReference(source: source.id, id: id))) }
        settle(touched, at: now)
    }

    public func statusChanged(of source: any LocationSource, at now: Instant) {
        guard occupancy.settings.isObserved(source.id) else { return }
        kinds[source.id] = source.status.kind
        republish(updateRoomStatuses(occupancy.rooms.keys, at: now), at: now)
        updateStatus(at: now)
    }

    // MARK: Telling

    /// - Returns: The rooms whose status is another one.
    private func updateRoomStatuses(_ ids: some Sequence<Identifier>, at now: Instant) -> [Identifier] {
        let (isWatched, isWaiting) = (isWatched, isWaiting)
        return ids.filter { id in
            guard let room = occupancy.states[id], let old = roomStatuses[id] else { return false }
            let isKnown = isWatched || room.hasReading
            let remembered = rememberedStatuses[id]
            let status: LocationStatus = isKnown ? .live : isWaiting ? remembered?.status ?? old.status : .stale
            if let remembered, remembered.status == status {
                roomStatuses[id] = remembered
            } else if status != old.status {
                roomStatuses[id] = (status, now.wall)
            }
            if isKnown || !isWaiting { rememberedStatuses[id] = nil }
            return status != old.status
        }
    }

    private func settle(_ touched: Set<Identifier>, at now: Instant) {
        guard !touched.isEmpty else { return }
        let others = updateRoomStatuses(touched, at: now)
        let changed = touched.filter { occupancy.settle($0, at: now.wall) }.union(others)
        republish(changed, at: now)
        updateStatus(at: now)
    }

    private func republish(_ ids: some Collection<Identifier>, at now: Instant) {
        let before = published
        for id in ids { published[id] = location(of: id, at: now) }
        // At once where it is new or its status is.
        tell(ids.sorted(), at: now) { before[$0.id]?.status != $0.status }
    }

    private func tell(_ ids: [Identifier], at now: Instant, isUrgent: (Location) -> Bool) {
        guard isStarted, !ids.isEmpty else { return }
        let updates = ids.compactMap { published[$0] }.map {
            LocationUpdate(location: $0, cause: .time, isUrgent: isUrgent($0))
        }
        for observer in observers { observer.locationsUpdated(updates, from: self, at: now) }
    }

    private func location(of id: Identifier, at now: Instant) -> Location? {
        guard let room = occupancy.rooms[id], let state = occupancy.states[id], let (status, since) = roomStatuses[id]
        else { return nil }
        var location = Location(
            id: id, source: self.id, time: now.wall, status: status,
            statusReason: status == .live ? "heard" : "no-live-location", statusSince: since)
        (location.name, location.type) = (room.name, occupancy.settings.type)
        (location.building, location.floor) = (room.building, room.floor)
        (location.position, location.geometry) = (room.displayPoint, room.geometry)
        location.properties = JSONObject([
            ("state", .string(state.availability.rawValue)), ("occupants", .number(Double(state.count))),
            ("since", .string(state.since.iso8601)),
        ])
        return location
    }
}
