internal import JSON
internal import Locations
internal import MQTTModel
internal import SettingsFile
internal import TelemetryFormats
internal import YAML

/// Kinds of values that many fields share: the schema has each of them once.
enum MappingKinds {
    struct Shared<Value> {
        let name: String
        let full: ValueKind<Value>

        var one: ValueKind<Value> { full.described(by: ["$ref": .string("#/$defs/\(name)")]) }
        /// One or a list: the first that says something counts.
        var kind: ValueKind<[Value]> { .oneOrMore(of: one) }
        var definition: (String, JSONValue) { (name, full.schema) }
    }

    static var text: Shared<MappedValue> { Shared(name: "mappedValue", full: .words()) }
    static var coordinate: Shared<MappedNumber<CoordinateUnit>> { Shared(name: "mappedCoordinate", full: .number()) }
    static var length: Shared<MappedNumber<LengthUnit>> { Shared(name: "mappedLength", full: .number()) }
    static var speed: Shared<MappedNumber<SpeedUnit>> { Shared(name: "mappedSpeed", full: .number()) }
    static var charge: Shared<MappedNumber<ChargeUnit>> {
        Shared(name: "mappedCharge", full: .number(.chargeUnit))
    }
    static var heading: Shared<MappedHeading> { Shared(name: "mappedHeading", full: .heading) }
    static var time: Shared<MappedTime> { Shared(name: "mappedTime", full: .time) }
    static var position: Shared<MappedPosition> { Shared(name: "mappedPosition", full: .position) }

    static var source: Shared<ValueSource> { Shared(name: "valueSource", full: .source()) }
    static var validity: Shared<Validity> { Shared(name: "validity", full: .validity) }

    /// For `$defs` of the schema.
    static var definitions: [(String, JSONValue)] {
        [
            source.definition, validity.definition, text.definition, coordinate.definition, length.definition,
            speed.definition, charge.definition,
            heading.definition, time.definition, position.definition,
        ]
    }
}

/// The keys of one message, and of what all messages of a mapping share.
enum MessageFields {
    /// Which messages are of a kind.
    static var selection: [Field<MessageMapping>] {
        [
            Field("topic", .oneOrMore(of: .topicTemplate), \.topics, "The end of its topics, whatever stands before."),
            Field("has", .oneOrMore(of: .pointer), \.has, "What must be there."),
            Field("when", .conditions, \.when, "What members must be."),
            Field("ignore", .slug, "Why such a message says nothing for us.") { message, reason, _ in
                message.ignore = reason
            },
            Field("alive", .bool, \.isAlive, "Whether an ignored message is a sign of the device's life."),
        ]
    }

    /// The keys that say something of a device, not only whose message it is and when.
    static let saying: Set = [
        "position", "floor", "heading", "speed", "accuracy", "altitude", "charge", "charging", "name", "type",
        "building",
        "state", "connection", "properties", "nearest",
    ]

    /// What a message says.
    static var contents: [Field<MessageMapping>] {
        [
            Field("payload", .choice, "Whether it is JSON or one text.") { message, payload, _ in
                message.payload = payload
            },
            Field("in", .oneOrMore(of: .elements), \.elements, "The object to read, or the list of objects."),
            Field("validity", MappingKinds.validity.kind, \.validity, "What tells whether the device has a fix."),
            Field("id", MappingKinds.text.kind, \.id, "Whose message it is."),
            Field("time", MappingKinds.time.kind, \.time, "The device's time."),
            Field("seq", MappingKinds.text.kind, \.sequence, "A number that orders messages of equal times."),
            Field("position", MappingKinds.position.one, "Where the device is.") { message, position, _ in
                message.position = position
            },
            Field("floor", MappingKinds.text.kind, \.floor, "The floor: its index or name."),
            Field("heading", MappingKinds.heading.kind, \.heading, "Where it looks."),
            Field("speed", MappingKinds.speed.kind, \.speed, "How fast it is."),
            Field("accuracy", MappingKinds.length.kind, \.accuracy, "The radius that the position is good for."),
            Field("altitude", MappingKinds.length.kind, \.altitude, "How high it is."),
            Field("charge", MappingKinds.charge.kind, \.charge, "How full the battery is."),
            Field("charging", MappingKinds.text.kind.giving(MeaningOf.charging), \.charging, "Whether it is charged."),
            Field("name", MappingKinds.text.kind, \.name, "What people call it."),
            Field("type", MappingKinds.text.kind, \.type, "What it is."),
            Field("building", MappingKinds.text.kind, \.building, "The building it is in."),
            Field("state", MappingKinds.text.kind, \.state, "What it is doing."),
            Field(
                "connection",
                ValueKind.oneOrMore(of: .words(["online": "online", "offline": "offline"])).giving(
                    MeaningOf.connection),
                \.connection,
                "Whether it is connected: online or offline."),
            Field("properties", .mappedProperties, \.properties, "Everything else, by name."),
            Field("nearest", .nearest, "Properties of the nearest of several senders.") { message, nearest, _ in
                message.nearest = nearest
            },
        ]
    }
}

extension ValueKind where Value == String {
    /// `other-topic`: reasons are counted by.
    static var slug: ValueKind {
        text.then { text, node, context in
            let isSlug =
                text.utf8.count <= 40 && text.utf8.first.map { 0x61...0x7A ~= $0 } ?? false
                && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
            if isSlug { return text }
            context.error(
                node,
                "\(node.quoted) is no reason to count by; expected small letters, digits and -, such as other-topic")
            return nil
        }
    }
}

extension ValueKind where Value == [MessageMapping.Condition] {
    /// `{/type: [location, transition]}`
    static var conditions: ValueKind {
        let values = ValueKind<[JSONValue]>.oneOrMore(of: .jsonScalar)
        var schema: JSONValue { ["type": "object", "minProperties": 1, "additionalProperties": values.schema] }
        return ValueKind(schema: schema) { node, context in
            guard let entries = node.mapping, !entries.isEmpty else {
                context.expected("a mapping of JSON Pointers to values, such as {/type: location}", node)
                return nil
            }
            return entries.compactMap { entry in
                let key = YAMLNode(.scalar(YAMLScalar(entry.key, style: .quoted)), at: entry.keyPlace)
                guard let pointer = ValueKind<JSONPointer>.pointer.read(key, context),
                    let values = values.read(entry.value, context.entering(entry.key))
                else { return nil }
                return MessageMapping.Condition(pointer, values)
            }
        }
    }
}

extension ValueKind where Value == [MessageMapping.Property] {
    static var mappedProperties: ValueKind {
        let value = MappingKinds.text.kind
        var schema: JSONValue { ["type": "object", "additionalProperties": value.schema] }
        return ValueKind(schema: schema) { node, context in
            guard let entries = node.mapping else {
                context.expected("a mapping of names to JSON Pointers, such as {rain: /rain_detected}", node)
                return nil
            }
            return entries.compactMap { entry in
                value.read(entry.value, context.entering(entry.key)).map { MessageMapping.Property(entry.key, $0) }
            }
        }
    }
}

extension ValueKind where Value == MessageMapping.Nearest {
    private struct Draft {
        var by: [MappedNumber<LengthUnit>] = []
        var within: Duration = .seconds(30)
        var properties: [MessageMapping.Property] = []
    }

    /// `{by: /distance, within: 30s, properties: {room: "{room}"}}`
    static var nearest: ValueKind {
        let mapping = Mapping<Draft>(fields: [
            Field("by", MappingKinds.length.kind, "The distance; the smallest wins.", required: true) {
                draft, distance, _ in draft.by = distance
            },
            Field("within", .duration(in: .shortest ... .longest), \.within, "How long what a sender said counts."),
            Field("properties", .mappedProperties, "What the nearest one says.", required: true) {
                draft, properties, _ in draft.properties = properties
            },
        ])
        return ValueKind<Draft>.mapping(mapping, startingWith: Draft()).then { draft, node, context in
            guard let distance = draft.by.first else { return nil }
            if draft.by.count > 1 {
                context.error(node, "several distances; expected one")
                return nil
            }
            return MessageMapping.Nearest(distance, within: draft.within, properties: draft.properties)
        }
    }
}
