internal import DisplayRules
internal import Geometry
internal import JSON
internal import Locations

/// Where only significant changes are published, what of a location is compared with what stands on its topic.
extension OutgoingTopic {
    /// Whether nothing is new but how the location moves, it is less than the source's `minDistance` from where it was
    /// published, and it is drawn in the same way. The next heartbeat says where it really is.
    var isMinorMovement: Bool {
        guard let limit = pace.minDistance, !mustSend, !breaksTrail, case .state(let update) = content, let shown,
            let style, let shownDisplay, !style.display.differs(from: shownDisplay, besides: "iconRotation")
        else { return false }
        return update.location.isWithin(limit, of: shown.location)
    }
}

extension Location {
    /// Whether this is the same location less than so many metres away, which moves and has said so at another time.
    fileprivate func isWithin(_ metres: Double, of other: Location) -> Bool {
        guard let position, let before = other.position, before.distance(to: position) < metres else { return false }
        // The texts hardly ever change, and properties are compared by value only where they are no longer the same.
        return floor == other.floor && charge == other.charge && status == other.status
            && statusReason == other.statusReason && statusSince == other.statusSince
            && displayName.hasSameBytes(as: other.displayName) && type.hasSameBytes(as: other.type)
            && building.hasSameBytes(as: other.building) && room == other.room
            && (properties.hasSameStorage(as: other.properties) || properties == other.properties)
    }
}
