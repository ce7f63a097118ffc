internal import Geometry

/// Which position is the one more likely right: the one that the device says, or a place nearby where it can be. The rules
/// are those of docs/venues.md, *Matched positions*; 6, who insists, is ``Movement``'s.
///
/// 1. Only a plan can contradict a device. Where none is known for its building and floor, and farther than ``reach`` from
///    everything on it, the device is right.
/// 2. A device that says it is where it can be is there. One whose accuracy reaches such a place is not contradicted either:
///    its position stays as said.
/// 3. Else it is at the nearest place where it can be.
/// 4. Through a wall is not a path: a place to which no way leads that the device can have gone since its last fix gives way
///    to the nearest one to which one does, as far as the accuracy reaches, or off the plan its own movement.
/// 5. Where there is none, the position is doubtful. Whether it counts is for the settings to say.
struct MapMatching {
    /// Farther than so many metres from everything on a plan, a device has left it.
    static let reach = 50.0
    /// Metres a second that devices are believed to go where the settings do not say it: a run.
    static let fastest = 5.0

    /// Metres within which a position is where a plan has it: neither is told more exactly.
    static let precision = 0.01

    enum Placement: Equatable {
        /// As the device said; with the place that this is taken for, where a plan knows one.
        case asReported(MatchedPlace?)
        case snapped(MatchedPlace)
        /// Moved to where the device can have come, although it says that it is elsewhere.
        case snappedToReachable(MatchedPlace)
        /// The nearest place, to which no way leads in that time; nor does one to anything that would explain it.
        case unreachable(MatchedPlace)

        /// Whether the device contradicts the ways of the plan.
        var isContradiction: Bool {
            switch self {
            case .asReported, .snapped: false
            case .snappedToReachable, .unreachable: true
            }
        }

        /// The position that counts instead of what the device says; `nil`: what it says does.
        func position(accuracy: Double) -> Position? {
            switch self {
            case .asReported: nil
            case .snapped(let place), .snappedToReachable(let place): place.position.rounded
            case .unreachable(let place): place.distance > accuracy ? place.position.rounded : nil
            }
        }

        /// Where the device is taken to be on the plan.
        var place: MatchedPlace? {
            switch self {
            case .asReported(let place): place
            case .snapped(let place), .snappedToReachable(let place), .unreachable(let place): place
            }
        }
    }

    let matcher: any PositionMatcher

    /// - Parameters:
    ///   - accuracy: Metres; at least ``precision``.
    ///   - start: Where it was taken to be; `nil` where nothing is known, or the device is believed against the plan.
    ///   - way: Metres that it can have gone since; `nil` where nobody knows.
    func placement(of place: Place, accuracy: Double, after start: MatchedPlace?, way: Double?) -> Placement {
        func isReached(_ end: MatchedPlace) -> Bool {
            guard let start, let way else { return true }
            return matcher.isReachable(from: start, to: end, within: way)
        }
        let here = matcher.places(within: 0, of: place)
        if let reached = here.first(where: isReached) { return .asReported(reached) }
        // Nearly always there is one where it can have come; only else all that is near is looked at.
        let first = here.isEmpty ? max(accuracy, min(Self.reach, way ?? 0)) : accuracy
        var near = matcher.places(within: first, of: place)
        if here.isEmpty, near.isEmpty { near = matcher.places(within: max(Self.reach, accuracy), of: place) }
        guard let nearest = near.first else { return .asReported(nil) }
        // Off the ground it is somewhere else in any case, as far as it can have gone.
        let limit = here.isEmpty ? max(nearest.distance, accuracy, way ?? 0) : accuracy
        guard let reached = near.first(where: { $0.distance <= limit && isReached($0) }) else {
            return .unreachable(nearest)
        }
        if here.isEmpty, reached.distance <= accuracy { return .asReported(reached) }
        // In a wall it says nothing of where it is beside, so it does not insist either.
        return reached == nearest || here.isEmpty ? .snapped(reached) : .snappedToReachable(reached)
    }
}
