public import Locations

/// A source that no message feeds: one of somebody's own, or one that is derived from others.
final class RegisteredSource {
    let source: any LocationSource
    var pace: PublishingPace
    /// Of one that the engine derives; `nil`: it is somebody's own.
    var configuration: DerivedSourceConfiguration?

    init(_ source: any LocationSource, _ pace: PublishingPace, _ configuration: DerivedSourceConfiguration?) {
        (self.source, self.pace, self.configuration) = (source, pace, configuration)
    }
}

/// How often the states of a source's locations go out. A new status goes out at once all the same.
public struct PublishingPace: Sendable, Equatable {
    /// The shortest time between two states of a location.
    public var interval: Duration
    /// How often a state is published in which only the time is new; `nil`: never.
    public var heartbeat: Duration?
    /// Metres of movement alone that are published; `nil`: any.
    public var minDistance: Double?

    public init(
        interval: Duration = .milliseconds(500), heartbeat: Duration? = .seconds(10), minDistance: Double? = nil
    ) {
        (self.interval, self.heartbeat, self.minDistance) = (interval, heartbeat, minDistance)
    }
}

/// Why a source cannot be registered.
public enum RegistrationError: Error, Equatable, CustomStringConvertible {
    /// Below the topics' prefix this level means something else, or it is empty.
    case reservedID(Identifier)
    /// There is a source of this id already.
    case idInUse(Identifier)

    public var description: String {
        switch self {
        case .reservedID(let id): "no source can be called \"\(id)\""
        case .idInUse(let id): "there is a source \"\(id)\" already"
        }
    }
}

extension SourceSettings {
    var pace: PublishingPace {
        PublishingPace(interval: publishInterval, heartbeat: heartbeat, minDistance: minDistance)
    }
}
