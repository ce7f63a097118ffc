internal import JSON
public import Locations
public import Timestamps

/// Rooms that are occupied, free or being cleaned, by the locations of other sources that are in them: a source that observes
/// sources, and is observed like any other.
///
/// Whoever is lost, offline or removed is in no room; who is silent is still where he was. While no observed source is
/// available, rooms are stale: nobody knows who is in them.
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
    /// Of all rooms, and since when.
    private var roomStatus = LocationStatus.stale
    private var roomStatusSince: Timestamp
    /// What an earlier process published.
    private var remembered: [Identifier: (availability: Availability, since: Timestamp)] = [:]
    private var rememberedStatus: (status: LocationStatus, since: Timestamp)?
    private var rememberedSourceStatus: SourceStatus?

    /// - Parameter rooms: With ids that differ.
    public init(id: Identifier, rooms: [Room], _ settings: RoomAvailabilitySettings, at now: Instant) {
        self.id = id
        occupancy = Occupancy(rooms, settings, at: now.wall)
        status = SourceStatus(kind: .notInitialised, since: now.wall)
        roomStatusSince = now.wall
        for room in rooms { published[room.id] = location(of: room.id, at: now) }
    }

    // MARK: What there is

    public var locations: [Location] { Array(published.values) }

    public func location(_ id: Identifier) -> Location? { published[id] }

    public var counts: StatusCounts {
        var counts = StatusCounts()
        counts[roomStatus] = published.count
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

    private func updateStatus(at now: Instant) {
        let (kind, reason): (SourceStatus.Kind, String) =
            if !isStarted { (.inactive, "stopped") } else if !isSurveyed { (.notInitialised, "") } else {
                switch (has(.available), isWaiting) {
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
        for id in gone { published[id] = nil }
        if !gone.isEmpty {
            for observer in observers { observer.locationsDeleted(gone, from: self, at: now) }
        }
    }

    public func restore(_ published: Location, at now: Instant) {
        if published.statusSince <= now.wall, [.live, .stale].contains(published.status) {
            rememberedStatus = (published.status, published.statusSince)
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
        _ = updateRoomStatus(at: now)
        republish(Array(occupancy.rooms.keys), at: now)
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
        if updateRoomStatus(at: now) { republish(Array(occupancy.rooms.keys), at: now) }
        updateStatus(at: now)
    }

    // MARK: Telling

    /// - Returns: Whether it is another one.
    private func updateRoomStatus(at now: Instant) -> Bool {
        let current: LocationStatus =
            has(.available) ? .live : isWaiting ? rememberedStatus?.status ?? roomStatus : .stale
        let isOther = current != roomStatus
        if let rememberedStatus, rememberedStatus.status == current {
            roomStatusSince = rememberedStatus.since
        } else if isOther {
            roomStatusSince = now.wall
        }
        roomStatus = current
        if !isWaiting || current == .live && has(.available) { rememberedStatus = nil }
        return isOther
    }

    private func settle(_ touched: Set<Identifier>, at now: Instant) {
        let changed = touched.filter { occupancy.settle($0, at: now.wall) }
        if !changed.isEmpty { republish(Array(changed), at: now) }
    }

    private func republish(_ ids: [Identifier], at now: Instant) {
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
        guard let room = occupancy.rooms[id], let state = occupancy.states[id] else { return nil }
        var location = Location(
            id: id, source: self.id, time: now.wall, status: roomStatus,
            statusReason: roomStatus == .live ? "heard" : "no-live-location", statusSince: roomStatusSince)
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
