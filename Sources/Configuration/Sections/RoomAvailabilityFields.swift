internal import FleetEngine
internal import JSON
internal import Locations
internal import RoomAvailability
internal import SettingsFile
internal import YAML

/// What makes an entry of `sources` what it is.
enum SourceKind: String, CaseIterable {
    case telemetry, roomAvailability

    /// `nil` where the entry names none, or one that there is not.
    static func named(in entry: YAMLNode) -> SourceKind? {
        let node = entry.mapping?.first { $0.key == "kind" }?.value
        return node?.scalar.flatMap { SourceKind(rawValue: $0.text) }
    }
}

/// An entry of `sources` of the kind `roomAvailability`.
struct RoomAvailabilityDraft {
    typealias Names = [(value: String, node: YAMLNode)]

    var observes: Names = []
    var occupancy: Names = []
    var building: (value: String, node: YAMLNode)?
    var categories: Names?
    var occupiedBy: Names?
    var cleanedBy: Names?
    var type: String?
    var maxRate: Double? = 2
    var heartbeat: Duration? = .seconds(10)

    /// All that it goes by.
    var sources: Names { observes + occupancy }

    var settings: RoomAvailabilitySettings {
        var settings = RoomAvailabilitySettings(
            observes: observes.identifiers, occupancy: occupancy.identifiers, occupiedBy: occupiedBy?.identifiers)
        if let cleanedBy { settings.cleanedBy = cleanedBy.identifiers }
        if let type { settings.type = type }
        return settings
    }

    var pace: PublishingPace {
        PublishingPace(interval: maxRate.map { .seconds(1 / $0) } ?? .zero, heartbeat: heartbeat)
    }

    static var mapping: Mapping<RoomAvailabilityDraft> {
        Mapping(fields: [
            Field("kind", .word(of: [SourceKind.roomAvailability.rawValue]), "Where its locations come from.") {
                _, _, _ in
            },
            Field(
                "observes", .list(of: .text, atLeast: 1), "The ids of the sources whose locations are in rooms.",
                required: true
            ) { draft, ids, _ in draft.observes = ids },
            Field("building", .text, "The building whose rooms they are: one with a plan.", required: true) {
                $0.building = ($1, $2)
            },
            Field(
                "occupancy", .list(of: .text),
                "The ids of sources whose locations are sensors of rooms, called as their rooms."
            ) { draft, ids, _ in draft.occupancy = ids },
            Field("categories", .list(of: .text), "IMDF's categories of the units that are rooms.") {
                draft, words, _ in draft.categories = words
            },
            Field("occupiedBy", .list(of: .text), "The types of locations that occupy a room.") { draft, types, _ in
                draft.occupiedBy = types
            },
            Field("cleanedBy", .list(of: .text), "The types of locations that clean the room they are in.") {
                draft, types, _ in draft.cleanedBy = types
            },
            Field("type", .text, \.type, "The type of the rooms."),
            Field("maxRate", .rate, \.maxRate, "States a second and location."),
            Field(
                "heartbeat", .heartbeat, \.heartbeat, "How often a state is published in which only the time is new."),
        ])
    }
}

extension ValueKind where Value == Double? {
    /// States a second.
    static var rate: ValueKind {
        .number("a rate: states a second, from 0.0001 on, or unlimited", in: 1e-4...1e6, or: "unlimited")
    }
}

extension ValueKind where Value == Duration? {
    static var heartbeat: ValueKind { .durationOrOff(in: .shortest ... .longest) }
}

extension RoomAvailabilityDraft.Names {
    fileprivate var identifiers: Set<Identifier> { Set(map { Identifier($0.value) }) }
}
