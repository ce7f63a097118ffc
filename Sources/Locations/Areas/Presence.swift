/// The room and the zones that a location is in, followed from place to place.
///
/// Near a border, within the margin or the position's accuracy, a position says little of the side that a location is on. There
/// a room changes only after the dwell time on the other side, else at once. Entering and leaving are told when they have held
/// for the dwell time: a walk along a border tells nothing. Who reports seldom may be on either side of a border that is near
/// each time, so for him the time near to it is longer.
final class Presence {
    /// Being in an area.
    private struct Visit {
        var area: Area
        var since: Duration
        var isTold = false
        /// `nil` while it lasts.
        var leftAt: Duration?
        /// The position is so near to the border that it might not have been crossed.
        var isDoubtful = false

        /// Since when what is to be told has held; `nil`: nothing is.
        var newsSince: Duration? { leftAt ?? (isTold ? nil : since) }
    }

    private(set) var room: Area?
    /// The location is in another room than ``room``, or in none, but not for long or not by far.
    private var elsewhere: (room: Area?, since: Duration, inRoomSince: Duration)?
    private var visits: [Visit] = []
    /// `nil` before the first place.
    private var place: Place?
    private var accuracy: Double?
    private var fixedAt: Duration?
    /// Between the last two positions.
    private var interval: Duration?
    /// Whose rooms they are.
    private var finder: (any AreaFinder)?

    /// Takes up what was published before a restart: nothing of it is told again.
    ///
    /// - Parameter room: As it was published.
    func restore(_ room: Area?, at place: Place?, _ settings: AreaSettings, at now: Duration) {
        guard let place else { return }
        if let room { self.room = settings.finder.room(room.id, building: place.building) }
        self.room = self.room ?? settings.finder.room(at: place)
        (self.place, finder) = (place, settings.finder)
        visits = ((self.room.map { [$0] } ?? []) + settings.finder.zones(at: place)).map {
            Visit(area: $0, since: now, isTold: true)
        }
    }

    /// Takes in where the location is now.
    ///
    /// - Parameters:
    ///   - place: `nil` while that is not known: then it is where it was.
    ///   - accuracy: Radius in metres.
    ///   - fixedAt: When the place was found: another time is another position, if only of the same place.
    /// - Returns: What has now held long enough to be told.
    func follow(
        _ place: Place?, accuracy: Double?, fixedAt: Duration?, _ settings: AreaSettings, at now: Duration
    ) -> [AreaChange] {
        if let fixedAt, fixedAt != self.fixedAt {
            interval = self.fixedAt.map { max(.zero, fixedAt - $0) }
            self.fixedAt = fixedAt
        }
        // Most calls are about something else than the place.
        if let place, place != self.place || accuracy != self.accuracy || settings.finder !== finder {
            let isFirst = self.place == nil
            if settings.finder !== finder { refresh(settings.finder) }
            (self.place, self.accuracy) = (place, accuracy)
            findRoom(isFirst: isFirst, settings, at: now)
            findZones(settings.finder.zones(at: place), at: now)
            if !isFirst { doubt(place, settings) }
        }
        if let elsewhere, now >= elsewhere.since + doubtfulDwell(settings) { enter(elsewhere.room, elsewhere, at: now) }
        return visits.isEmpty ? [] : takeChanges(settings, at: now)
    }

    /// How long a location must be on the other side of a border that is near: long enough for another position or two.
    private func doubtfulDwell(_ settings: AreaSettings) -> Duration {
        max(settings.dwell, settings.dwell == .zero ? .zero : (interval ?? .zero) * 2)
    }

    /// When time alone changes something.
    func nextDeadline(_ settings: AreaSettings) -> Duration? {
        var next = elsewhere.map { $0.since + doubtfulDwell(settings) }
        for visit in visits {
            guard let due = due(visit, settings) else { continue }
            next = min(next ?? due, due)
        }
        return next
    }

    // MARK: Rooms

    private func findRoom(isFirst: Bool, _ settings: AreaSettings, at now: Duration) {
        guard let place else { return }
        let found = settings.finder.room(at: place)
        if found == room {
            elsewhere = nil
            return
        }
        let before = elsewhere
        let inRoomSince = before.map { $0.room == found ? $0.inRoomSince : now } ?? now
        let candidate = (room: found, since: before?.since ?? now, inRoomSince: inRoomSince)
        elsewhere = candidate
        if isFirst || isBeyondDoubt(place, found, settings) { enter(found, candidate, at: now) }
    }

    /// Whether the position is farther over the border than its accuracy and the margin explain: outside of the room, or
    /// inside of the other one, which may be a part of the room.
    private func isBeyondDoubt(_ place: Place, _ found: Area?, _ settings: AreaSettings) -> Bool {
        let limit = limit(settings)
        if let room {
            // On another floor nothing is near.
            guard let outside = settings.finder.distance(from: place, to: room) else { return true }
            if outside > limit { return true }
        }
        guard let found, let distance = settings.finder.distance(from: place, to: found) else { return false }
        return -distance > limit
    }

    /// Metres from a border within which its sides cannot be told apart.
    private func limit(_ settings: AreaSettings) -> Double { max(settings.margin, accuracy ?? 0) }

    private func enter(
        _ found: Area?, _ candidate: (room: Area?, since: Duration, inRoomSince: Duration), at now: Duration
    ) {
        if let room { leave(room, at: candidate.since) }
        (room, elsewhere) = (found, nil)
        if let found { arrive(found, since: candidate.inRoomSince) }
    }

    // MARK: Zones

    private func findZones(_ found: [Area], at now: Duration) {
        guard !found.isEmpty || visits.contains(where: { $0.area.kind == .zone }) else { return }
        for visit in visits where visit.area.kind == .zone && visit.leftAt == nil && !found.contains(visit.area) {
            leave(visit.area, at: now)
        }
        for area in found where !visits.contains(where: { $0.area == area && $0.leftAt == nil }) {
            arrive(area, since: now)
        }
    }

    /// Looks how far from their borders the zones were entered and left. Nearly always nothing is to be told of any, and
    /// then no distance is asked for.
    private func doubt(_ place: Place, _ settings: AreaSettings) {
        for index in visits.indices where visits[index].area.kind == .zone && visits[index].newsSince != nil {
            let distance = settings.finder.distance(from: place, to: visits[index].area)
            visits[index].isDoubtful = distance.map { abs($0) <= limit(settings) } ?? false
        }
    }

    // MARK: Visits

    /// When there is something to tell of a visit; `nil`: never, as it is now.
    private func due(_ visit: Visit, _ settings: AreaSettings) -> Duration? {
        visit.newsSince.map { $0 + (visit.isDoubtful ? doubtfulDwell(settings) : settings.dwell) }
    }

    private func arrive(_ area: Area, since: Duration) {
        if let index = visits.firstIndex(where: { $0.area == area }) {
            visits[index].leftAt = nil  // it was not away for long enough
        } else {
            visits.append(Visit(area: area, since: since))
        }
    }

    private func leave(_ area: Area, at time: Duration) {
        guard let index = visits.firstIndex(where: { $0.area == area && $0.leftAt == nil }) else { return }
        if visits[index].isTold { visits[index].leftAt = time } else { visits.remove(at: index) }
    }

    private func takeChanges(_ settings: AreaSettings, at now: Duration) -> [AreaChange] {
        var changes: [AreaChange] = []
        visits.removeAll { visit in
            guard visit.leftAt != nil, let due = due(visit, settings), now >= due else { return false }
            changes.append(AreaChange(visit.area, isEntry: false))
            return true
        }
        for index in visits.indices where !visits[index].isTold {
            guard let due = due(visits[index], settings), now >= due else { continue }
            (visits[index].isTold, visits[index].isDoubtful) = (true, false)
            changes.append(AreaChange(visits[index].area, isEntry: true))
        }
        return changes
    }

    /// Another configuration may call things otherwise.
    private func refresh(_ finder: any AreaFinder) {
        self.finder = finder
        if let known = room { room = finder.room(known.id, building: known.building) ?? known }
    }
}
