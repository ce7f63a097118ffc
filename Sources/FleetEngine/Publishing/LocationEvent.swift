internal import DisplayRules
internal import JSON
internal import Locations
internal import Timestamps

/// What is told once on a location's event topic, beside what its state says all the time.
enum LocationEvent {
    case bandChanged(BandChange)
    /// The position is not known any more.
    case positionLost(reason: String)
    case positionRecovered
    case statusChanged(from: LocationStatus, to: LocationStatus, reason: String)
    /// It has been in an area, or out of it, for the dwell time.
    case areaChanged(AreaChange)
    case removed

    /// - Returns: What is new in an update; nothing for the first one.
    static func between(_ old: Location, _ new: Location) -> [LocationEvent] {
        var events: [LocationEvent] = []
        if old.isLost != new.isLost {
            events.append(new.isLost ? .positionLost(reason: new.lossReason) : .positionRecovered)
        }
        if old.status != new.status {
            events.append(.statusChanged(from: old.status, to: new.status, reason: new.statusReason))
        }
        return events
    }

    /// The payload for the event topic.
    func payload(at time: Timestamp) -> [UInt8] {
        let members: JSONObject =
            switch self {
            case .bandChanged(let change):
                [
                    "property": .string(change.property), "rule": .string(change.rule), "input": .string(change.input),
                    "value": .number(change.value), "from": change.from, "to": change.to,
                ]
            case .positionLost(let reason): ["reason": .string(reason)]
            case .statusChanged(let from, let to, let reason):
                ["from": .string(from.rawValue), "to": .string(to.rawValue), "reason": .string(reason)]
            case .areaChanged(let change): change.members
            case .positionRecovered, .removed: [:]
            }
        var event: JSONObject = ["event": .string(name), "time": .string(time.iso8601)]
        for member in members.members { event.append(member.key, member.value) }
        return Array(JSONValue.object(event).text.utf8)
    }

    private var name: String {
        switch self {
        case .bandChanged: "bandChanged"
        case .positionLost: "positionLost"
        case .positionRecovered: "positionRecovered"
        case .statusChanged: "statusChanged"
        case .areaChanged(let change): change.isEntry ? "zoneEntered" : "zoneLeft"
        case .removed: "removed"
        }
    }
}

extension AreaChange {
    fileprivate var members: JSONObject {
        var members: JSONObject = [
            "zone": .string(area.id.text), "name": .string(area.name), "kind": .string(area.kind.rawValue),
        ]
        if let building = area.building { members["building"] = .string(building) }
        return members
    }
}

extension Location {
    /// Whether it has no position and is known not to have one. Without one ever, and without a word of it, it is not lost.
    fileprivate var isLost: Bool { position == nil && (lastPosition != nil || status == .lost) }

    /// A stronger status may stand before the reason why it is lost.
    fileprivate var lossReason: String { status == .lost ? statusReason : "no-fix" }
}
