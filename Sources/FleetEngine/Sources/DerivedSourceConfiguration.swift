public import Locations
public import RoomAvailability
internal import Timestamps

/// A source that the engine derives from others.
public struct DerivedSourceConfiguration: Sendable, Equatable {
    public var id: Identifier
    public var kind: Kind
    public var pace: PublishingPace

    public enum Kind: Sendable, Equatable {
        case roomAvailability([Room], RoomAvailabilitySettings)
    }

    public init(id: Identifier, kind: Kind, pace: PublishingPace = PublishingPace()) {
        (self.id, self.kind, self.pace) = (id, kind, pace)
    }

    /// The sources that it goes by.
    public var observes: Set<Identifier> {
        switch kind {
        case .roomAvailability(_, let settings): settings.observes.union(settings.occupancy)
        }
    }

    /// As it is called in configurations.
    public var kindName: String {
        switch kind {
        case .roomAvailability: "roomAvailability"
        }
    }

    func make(at now: Instant) -> any DerivedLocationSource {
        switch kind {
        case .roomAvailability(let rooms, let settings):
            RoomAvailabilitySource(id: id, rooms: rooms, settings, at: now)
        }
    }

    /// Lets a source go by this from now on; a survey follows.
    ///
    /// - Returns: `false` for one that is of another kind.
    func change(_ source: any LocationSource, at now: Instant) -> Bool {
        switch kind {
        case .roomAvailability(let rooms, let settings):
            guard let source = source as? RoomAvailabilitySource else { return false }
            source.change(rooms: rooms, settings, at: now)
            return true
        }
    }
}
