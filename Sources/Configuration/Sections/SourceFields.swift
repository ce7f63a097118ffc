internal import FleetEngine
internal import JSON
internal import Locations
internal import MQTTModel
internal import SettingsFile
internal import TelemetryFormats
internal import Venues
internal import YAML

/// An entry of `sources` with the places that later checks point to.
struct SourceDraft {
    var id: String
    var idPlace: YAMLPlace
    var format = FormatTable.native
    /// Not where one is written that nobody speaks: then the default stands in.
    private var hasFormat = false
    var topics: [(value: TopicTemplate, node: YAMLNode)] = []
    var settings = SourceSettings()
    var building: (value: String, node: YAMLNode)?
    var map: (value: String, node: YAMLNode)?
    var devices: [DeviceDraft] = []
    /// `nil` for `none`.
    var match: (ground: VenueMatcher.Ground?, node: YAMLNode)?
    var mapping: YAMLNode?
    var validityPlace: YAMLPlace?
    var kind = SourceKind.telemetry
    /// What it is instead where its kind is `roomAvailability`; nothing else of the draft counts then but its id.
    var rooms: RoomAvailabilityDraft?
    /// Its places are in no file.
    var isBuiltIn = false

    init(id: String, idPlace: YAMLPlace) {
        (self.id, self.idPlace) = (id, idPlace)
    }

    var configuration: SourceConfiguration {
        SourceConfiguration(id: Identifier(id), format: format, topics: topics.map(\.value), settings: settings)
    }

    static var mapping: Mapping<SourceDraft> {
        Mapping(
            fields: [
                // First, since others have their defaults by format.
                Field("format", .format, "How the source's messages are written.") { draft, format, _ in
                    (draft.format, draft.hasFormat) = (format, true)
                    draft.settings.staleAfter = format.staleAfter
                    draft.settings.maxPayload = format.maxPayload
                },
                Field(
                    "topics", .list(of: .topicTemplate, atLeast: 1),
                    "Topic filters with named levels: fleet/{source}/{device}/telemetry.", required: true
                ) { draft, topics, _ in draft.topics = topics },
                Field("type", .text, \.settings.type, "The type of locations that say none."),
                Field("building", .text, "The building of locations that say none.") {
                    ($0.settings.building, $0.building) = ($1, ($1, $2))
                },
                Field("map", .text, "The map of positions on a plan that name none.") {
                    ($0.settings.map, $0.map) = (Identifier($1), ($1, $2))
                },
                Field(
                    "unknownMap", .choice, \.settings.unknownMap, "What becomes of reports on a map that is not known."),
                Field("devices", .devices, "Names and the like of single devices, by id.") { draft, devices, _ in
                    draft.devices = devices
                    draft.settings.devices = Dictionary(devices.map { (Identifier($0.id), $0.entry) }) { first, _ in
                        first
                    }
                },
                Field("device", .text, \.settings.device, "The device's id where neither topic nor message has one."),
                Field(
                    "staleAfter", .durationOrOff(in: .shortest ... .longest), \.settings.staleAfter,
                    "Silence until stale."),
                Field(
                    "lostAfter", .durationOrOff(in: .shortest ... .longest), \.settings.lostAfter,
                    "Age of the last position until lost."),
                Field(
                    "stuckAfter", .durationOrOff(in: .shortest ... .longest), \.settings.stuckAfter,
                    "How long a device may say that it moves without a new position until it is lost."),
                Field(
                    "removeAfter", .durationOrOff(in: .shortest ... .longest), \.settings.removeAfter,
                    "Silence until the location is removed."),
                Field(
                    "hold", .durationOrOff(in: .zero ... .longest),
                    "How long a device is offline before that is published."
                ) { draft, hold, _ in draft.settings.hold = hold ?? .zero },
                Field("time", .choice, \.settings.clock, "Whose clock counts."),
                Field("timeZone", .timeZone, \.settings.timeZone, "The IANA name of the zone of times that name none."),
                Field(
                    "futureTolerance", .duration(in: .zero ... .longest), \.settings.futureTolerance,
                    "How far ahead a device's clock may be."),
                Field("maxLocations", .integer(in: 1...10_000_000), \.settings.maxLocations, "Locations at most."),
                Field(
                    "maxPayload", .size(in: 1...(256 << 20)), \.settings.maxPayload,
                    "Bytes of a message that are read at most."),
                Field("chargeScale", .chargeScale, \.settings.chargeScale, "The charge that means empty and full."),
                Field("floors", .floors, \.settings.floors, "Floor indices by name."),
                Field(
                    "acceptNullIsland", .bool, \.settings.acceptNullIsland,
                    "Whether 0,0 degrees is a place, not a missing fix."),
                Field(
                    "validity", MappingKinds.validity.one,
                    "What tells whether the device has a fix; in native and in mappings."
                ) {
                    $0.settings.validity = $1
                    $0.validityPlace = $2.place
                },
                Field("mapping", .formatMapping, "What `format: mapping` reads, and where it stands.") {
                    draft, node, _ in draft.mapping = node
                },
                Field(
                    "minDistance", .number("a distance in metres, more than 0, or off", in: 1e-6...1e7, or: "off"),
                    \.settings.minDistance, "Metres that a location moves before that alone is published."),
                Field(
                    "maxSpeed", .number("a speed in m/s, more than 0, or off", in: 1e-3...1e5, or: "off"),
                    \.settings.maxSpeed, "Metres a second above which a way from fix to fix cannot be."),
                Field(
                    "match", .word(of: ["none"] + VenueMatcher.Ground.allCases.map(\.rawValue)),
                    "What positions are held against, on the building's plan."
                ) {
                    $0.match = (VenueMatcher.Ground(rawValue: $1), $2)
                },
                Field("derive", .derivation, \.settings.derive, "Fields that are computed from consecutive fixes."),
                Field(
                    "minInterval", .durationOrOff(in: .shortest ... .longest), \.settings.minInterval,
                    "Shortest time between two states of a location."),
                Field(
                    "maxRate", .rate, \.settings.maxRate, "States a second and location."),
                Field(
                    "heartbeat", .heartbeat, \.settings.heartbeat,
                    "How often a state is published in which only the time is new."),
                Field("kind", .choice, \.kind, "Where its locations come from."),
            ])
    }

    /// Reads an entry of `sources`.
    init(_ entry: YAMLEntry, _ context: Context) {
        self.init(id: entry.key, idPlace: entry.keyPlace)
        SourceIdentifiers.check(entry, context)
        let inner = context.entering(entry.key)
        if SourceKind.named(in: entry.value) == .roomAvailability {
            kind = .roomAvailability
            var draft = RoomAvailabilityDraft()
            RoomAvailabilityDraft.mapping.read(entry.value, into: &draft, inner)
            rooms = draft
            return
        }
        Self.mapping.read(entry.value, into: &self, inner)
        finish(entry.value, inner)
    }

    /// What needs several settings together.
    private mutating func finish(_ node: YAMLNode, _ context: Context) {
        if let validityPlace, !["native", FormatTable.mappingName].contains(format.name) {
            context.entering("validity").error(
                at: validityPlace, "is for native and mapping; \(format.name) has a flag of its own")
        }
        switch (format.name == FormatTable.mappingName, mapping) {
        case (true, let mapping?):
            let names = topics.reduce(into: Set<String>()) { $0.formUnion($1.value.names) }
            if let mapping = FormatMappingFields.read(mapping, names: names, context.entering("mapping")) {
                format = .mapping(mapping)
            }
        case (true, nil): context.error(node, "the setting \"mapping\" is missing: what stands where in a message")
        case (false, let mapping?) where hasFormat || node.mapping?.contains { $0.key == "format" } != true:
            context.entering("mapping").error(mapping, "is for format: mapping; this source's is \(format.name)")
        case (false, _): break
        }
    }
}

extension ValueKind where Value == [SourceDraft] {
    /// The mapping of source ids to sources.
    static var sources: ValueKind {
        var schema: JSONValue {
            [
                "type": "object", "minProperties": 1,
                "additionalProperties": [
                    "if": [
                        "type": "object", "required": ["kind"],
                        "properties": ["kind": ["const": .string(SourceKind.roomAvailability.rawValue)]],
                    ],
                    "then": RoomAvailabilityDraft.mapping.schema, "else": SourceDraft.mapping.schema,
                ],
                "propertyNames": [
                    "minLength": 1, "not": ["enum": .array(SourceIdentifiers.reserved.map { .string($0) })],
                ],
            ]
        }
        return ValueKind(schema: schema) { node, context in
            guard let entries = node.mapping, !entries.isEmpty else {
                context.expected("a mapping of at least one source: id, colon, settings", node)
                return nil
            }
            return entries.map { SourceDraft($0, context) }
        }
    }
}

/// Which ids a source may have.
enum SourceIdentifiers {
    static let reserved = EngineConfiguration.reservedSources

    static func check(_ entry: YAMLEntry, _ context: Context) {
        if reserved.contains(entry.key) {
            context.error(
                at: entry.keyPlace,
                "the source id \"\(entry.key)\" is reserved (bad-source-id), as are "
                    + reserved.filter { $0 != entry.key }.joined(separator: ", ")
            )
        } else if entry.key.isEmpty || entry.key.utf8.contains(0) {
            context.error(
                at: entry.keyPlace, "a source id is text without NUL characters, and not empty (bad-source-id)")
        } else if entry.key.utf8.count > Identifier.maximumLength {
            context.error(
                at: entry.keyPlace, "a source id has at most \(Identifier.maximumLength) bytes (bad-source-id)")
        }
    }
}

extension ValueKind where Value == FormatDescription {
    static var format: ValueKind {
        ValueKind<String>.word(of: FormatTable.all.map(\.name) + [FormatTable.mappingName]).then { name, _, _ in
            // What it describes is read when the topics are known.
            FormatTable.named(name) ?? .mapping(FormatMapping([]))
        }
    }
}

extension ValueKind where Value == YAMLNode {
    static var formatMapping: ValueKind { ValueKind(schema: FormatMappingFields.schema) { node, _ in node } }
}

extension ValueKind where Value == TopicTemplate {
    static var topicTemplate: ValueKind {
        ValueKind<String>.text.then { text, node, context in
            do throws(TopicTemplate.SyntaxError) {
                let template = try TopicTemplate(text)
                guard template.levels.first != .literal("$share") else {
                    context.error(
                        node, "shared subscriptions ($share/…) are not supported: a copy of each message is needed here"
                    )
                    return nil
                }
                return template
            } catch {
                context.error(node, "\(node.quoted): \(error.message)")
                return nil
            }
        }
    }
}

extension ValueKind where Value == String {
    static var timeZone: ValueKind {
        text.then { name, node, context in
            if context.surroundings.hasTimeZone(name) { return name }
            context.error(node, "\(node.quoted) is not the IANA name of a time zone such as Europe/Copenhagen or UTC")
            return nil
        }
    }
}

extension ValueKind where Value == ClosedRange<Double> {
    private struct Scale {
        var min: Double?
        var max: Double?
    }

    /// `{min: 0, max: 1}`
    static var chargeScale: ValueKind {
        let mapping = Mapping<Scale>(fields: [
            Field("min", .number("a number", in: -1e9...1e9), "Empty.", required: true) { scale, min, _ in
                scale.min = min
            },
            Field("max", .number("a number", in: -1e9...1e9), "Full.", required: true) { scale, max, _ in
                scale.max = max
            },
        ])
        return ValueKind<Scale>.mapping(mapping, startingWith: Scale()).then { scale, node, context in
            guard let min = scale.min, let max = scale.max else { return nil }
            guard min < max else {
                context.error(node, "min is not below max; expected the charge of an empty and of a full battery")
                return nil
            }
            return min...max
        }
    }
}

extension ValueKind where Value == FloorTable {
    /// `{Ground: 0, First: 10}`
    static var floors: ValueKind {
        let index = ValueKind<Int>.integer(in: -1_000_000...1_000_000)
        var schema: JSONValue { ["type": "object", "minProperties": 1, "additionalProperties": index.schema] }
        return ValueKind(schema: schema) { node, context in
            guard let entries = node.mapping, !entries.isEmpty else {
                context.expected("a mapping of floor names to indices such as {Ground: 0, First: 10}", node)
                return nil
            }
            return FloorTable(
                entries.compactMap { entry in
                    index.read(entry.value, context.entering(entry.key)).map { (name: entry.key, index: $0) }
                })
        }
    }
}

extension Duration {
    /// Where zero makes no sense.
    static let shortest = Duration.milliseconds(1)
}
