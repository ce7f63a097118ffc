import Geometry
import JSON
import Locations
import Timestamps

/// Two halves of a hall with the robots that are in them: a source that goes by another one.
///
/// It observes the robots, and is observed itself like any other source: its halves are styled, published and drawn.
public final class HallSource: DerivedLocationSource {
    public let id: Identifier = "hall"
    public let observedSources: Set<Identifier> = ["robots"]
    public private(set) var status: SourceStatus
    public private(set) var lastMessage: Timestamp?
    public var observers: [any LocationObserver] = []

    /// The line between the halves: degrees north.
    static let middle = 57.0582502

    private var halves: [Identifier: Location] = [:]
    /// In which half each robot is.
    private var places: [Identifier: Identifier] = [:]

    public init(at now: Instant) {
        status = SourceStatus(kind: .notInitialised, since: now.wall)
        for (half, south) in [("south", Self.middle - 0.0004), ("north", Self.middle)] as [(Identifier, Double)] {
            var location = Location(id: half, source: id, time: now.wall)
            location.name = "Hall, \(half)"
            (location.type, location.building, location.floor) = ("room", "Stigsborgvej", 10)
            location.position = Position(latitude: south + 0.0002, longitude: 9.9504788)
            let corners = [(9.950, south), (9.951, south), (9.951, south + 0.0004), (9.950, south + 0.0004)]
            let ring = (corners + corners.prefix(1)).map { JSONValue.array([.number($0), .number($1)]) }
            location.geometry = ["type": "Polygon", "coordinates": [.array(ring)]]
            location.properties = Self.properties(occupants: 0)
            halves[half] = location
        }
    }

    // MARK: LocationSource

    public var locations: [Location] { Array(halves.values) }

    public var counts: StatusCounts {
        var counts = StatusCounts()
        for half in halves.values { counts[half.status] += 1 }
        return counts
    }

    public func start(at now: Instant) {
        change(to: .available, "", at: now)
        tell(halves.keys.sorted(), isUrgent: true, at: now)
    }

    public func stop(at now: Instant) { change(to: .inactive, "stopped", at: now) }

    /// Everything comes from the robots.
    public var nextDeadline: Duration? { nil }
    public func advance(to now: Instant) {}

    // MARK: DerivedLocationSource

    /// What there is counts, whatever was told before.
    public func survey(_ sources: [any LocationSource], at now: Instant) {
        places = [:]
        for source in sources where observedSources.contains(source.id) {
            for robot in source.locations { places[robot.id] = half(of: robot) }
        }
        count(at: now)
    }

    // MARK: LocationObserver

    /// All sources tell of what they do: only the robots are of interest.
    public func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant) {
        guard observedSources.contains(source.id) else { return }
        lastMessage = now.wall
        for update in updates { places[update.location.id] = half(of: update.location) }
        count(at: now)
    }

    public func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant) {
        guard observedSources.contains(source.id) else { return }
        for id in ids { places[id] = nil }
        count(at: now)
    }

    public func statusChanged(of source: any LocationSource, at now: Instant) {}

    // MARK: The halves

    private func half(of robot: Location) -> Identifier? {
        robot.position.map { $0.latitude < Self.middle ? "south" : "north" }
    }

    /// Tells of the halves in which the number of robots has changed.
    private func count(at now: Instant) {
        var changed: [Identifier] = []
        for id in halves.keys.sorted() {
            let properties = Self.properties(occupants: places.values.count { $0 == id })
            guard halves[id]?.properties != properties else { continue }
            halves[id]?.properties = properties
            halves[id]?.time = now.wall
            changed.append(id)
        }
        tell(changed, isUrgent: false, at: now)
    }

    private static func properties(occupants: Int) -> JSONObject {
        ["state": occupants > 0 ? "occupied" : "free", "occupants": .number(Double(occupants))]
    }

    private func tell(_ ids: [Identifier], isUrgent: Bool, at now: Instant) {
        guard status.kind == .available, !ids.isEmpty else { return }
        let updates = ids.compactMap { halves[$0] }.map {
            LocationUpdate(location: $0, cause: .time, isUrgent: isUrgent)
        }
        for observer in observers { observer.locationsUpdated(updates, from: self, at: now) }
    }

    private func change(to kind: SourceStatus.Kind, _ reason: String, at now: Instant) {
        status = SourceStatus(kind: kind, reason: reason, since: now.wall)
        for observer in observers { observer.statusChanged(of: self, at: now) }
    }
}
