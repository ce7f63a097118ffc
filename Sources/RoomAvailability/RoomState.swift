internal import Locations
internal import Timestamps

/// What a location is to the room that it is in.
enum Role: Equatable {
    case occupant, cleaner
    /// Neither, such as a vacuum in its dock.
    case bystander
    /// A sensor; `nil`: it says nothing that counts.
    case sensor(Reading?)
}

/// What a sensor says of its room.
struct Reading: Equatable {
    var isOccupied: Bool
    /// `nil` where it only says whether.
    var occupants: Int?
}

/// What is known of one room.
struct RoomState {
    private var occupants = 0
    private var cleaners = 0
    private var readings: [LocationReference: Reading] = [:]
    /// Since when its availability is what it is.
    var since: Timestamp
    private var shown = (availability: Availability.free, count: 0)

    init(since: Timestamp) { self.since = since }

    mutating func add(_ observed: LocationReference, as role: Role) {
        switch role {
        case .occupant: occupants += 1
        case .cleaner: cleaners += 1
        case .sensor(let reading): readings[observed] = reading  // `nil` is none
        case .bystander: break
        }
    }

    mutating func remove(_ observed: LocationReference, as role: Role) {
        switch role {
        case .occupant: occupants -= 1
        case .cleaner: cleaners -= 1
        case .sensor: readings[observed] = nil
        case .bystander: break
        }
    }

    /// Nobody is in it, as far as is known; since when it is as it was shown stays.
    mutating func empty() { (occupants, cleaners, readings) = (0, 0, [:]) }

    var availability: Availability {
        if occupants > 0 || readings.values.contains(where: \.isOccupied) { return .occupied }
        return cleaners == 0 ? .free : .cleaning
    }

    /// Whether a sensor says how it is.
    var hasReading: Bool { !readings.isEmpty }

    /// Those that are seen in it, or counted by a sensor, whichever is more.
    var count: Int { max(occupants, readings.values.compactMap(\.occupants).max() ?? 0) }

    /// Takes over what is true now.
    ///
    /// - Returns: Whether anything is to be told.
    mutating func settle(at now: Timestamp) -> Bool {
        let current = (availability: availability, count: count)
        defer { shown = current }
        if shown.availability != current.availability { since = now }
        return shown != current
    }
}
