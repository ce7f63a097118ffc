internal import JSON
internal import Locations
internal import MQTTModel

/// Home Assistant's MQTT entities: trackers' attributes and states, vacuums' states.
///
/// Topics are the user's choice and messages have neither id nor time: the id is a level of the topic. A tracker's position is
/// an object with both coordinates; its state is a plain word (`home`, `not_home`, a zone), which outranks coordinates until
/// `None` resets it. Discovery is recognised and left alone.
struct HomeAssistantFormat: TelemetryFormat {
    /// Last levels that say what a topic carries; the level before is the id.
    private static let endings: Set<String> = [
        "attributes", "state", "status", "availability", "available", "config", "command", "send_command",
        "set_fan_speed", "location", "json",
    ]
    private static let vacuumStates: Set<String> = ["cleaning", "docked", "paused", "idle", "returning", "error"]
    private static let longestWord = 255

    private enum Stream { static let attributes = 0, state = 1, availability = 2 }

    private let input: PayloadReader
    /// Trackers whose word was taken back: the next attributes say so.
    private var resetWords: Set<Identifier> = []

    init(settings: SourceSettings) { input = PayloadReader(settings) }

    mutating func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        let levels = message.topic.levels
        let last = levels.last ?? ""
        let id = try Self.id(message)
        switch last {
        case "config": return .ignored(reason: "discovery", id: nil)
        case "command", "send_command", "set_fan_speed": return .ignored(reason: "command", id: nil)
        case "status" where levels.count == 2 && levels[0] == "homeassistant":
            return .ignored(reason: "birth", id: nil)
        default: break
        }
        if message.payload.isEmpty { return .empty(withdrawing: last == "attributes" ? id : nil) }
        let text = try PayloadReader.text(message.payload)
        let first = text.utf8.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || last == "attributes" {
            guard let object = try input.json(message.payload).object else {
                throw Rejection(.notAnObject, "not an object")
            }
            return try self.object(object, id, isState: last == "state", isTracker: levels.contains("device_tracker"))
        }
        return try word(text, id, isAvailability: last == "availability" || last == "available" || last == "status")
    }

    private static func id(_ message: IncomingMessage) throws(Rejection) -> Identifier {
        if let device = message.names["device"] { return try DeviceID.check(device) }
        let levels = message.topic.levels
        let isEnding = levels.count > 1 && endings.contains(levels[levels.count - 1])
        return try DeviceID.check(levels[levels.count - (isEnding ? 2 : 1)])
    }

    // MARK: Words

    private mutating func word(_ text: String, _ id: Identifier, isAvailability: Bool) throws(Rejection) -> Decoded {
        var report = Report(id: id)
        report.stream = Stream.state
        switch text {
        case "None":
            if resetWords.count < input.settings.maxLocations { resetWords.insert(id) }
            return .ignored(reason: "reset", id: id)
        case "online" where isAvailability: report.connection = .online
        case "offline" where isAvailability, "unavailable": report.connection = .offline
        case _ where isAvailability: throw Rejection(.badConnection, "neither online nor offline")
        case "unknown": report.state = .unknown
        default:
            guard text.utf8.count <= Self.longestWord, !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
                throw Rejection(.badState, "a state is a short text")
            }
            resetWords.remove(id)
            report.state = .value(text)
        }
        return .report(report)
    }

    // MARK: JSON

    private mutating func object(
        _ object: JSONObject, _ id: Identifier, isState: Bool, isTracker: Bool
    ) throws(Rejection) -> Decoded {
        if Self.isDiscovery(object) { return .ignored(reason: "discovery", id: nil) }
        var report = Report(id: id)
        report.stream = isState ? Stream.state : Stream.attributes
        var fields = FieldReader(nullMeans: .absent)
        report.position = try place(object)
        report.accuracy = fields.number(object["gps_accuracy"], "accuracy").filter { $0 > 0 }
        report.altitude = fields.number(object["altitude"], "altitude")
        report.charge = fields.charge(object["battery_level"], scale: input.settings.chargeScale)
        report.charging = fields.boolean(object["charging"] ?? object["battery_charging"], "charging")
        if isTracker {
            if isState { report.state = fields.text(object["state"], "state") }
        } else {
            report.state = Self.vacuumState(object, &fields)
        }
        if !isState, resetWords.remove(id) != nil, report.state.isAbsent { report.state = .unknown }
        if let zones = object["in_zones"], zones.array != nil { report.properties.append("zones", zones) }
        for (key, property) in [("fan_speed", "fanSpeed"), ("source_type", "sourceType")] {
            if let text = object[key]?.string, !text.isEmpty { report.properties.append(property, .string(text)) }
        }
        report.faults = fields.faults
        return report.isEmpty ? .ignored(reason: "nothing-known", id: id) : .report(report)
    }

    private static func isDiscovery(_ object: JSONObject) -> Bool {
        ["cmps", "components", "json_attributes_topic", "json_attr_t", "command_topic", "cmd_t"].contains {
            object[$0] != nil
        } || (object["unique_id"] ?? object["uniq_id"]) != nil && (object["state_topic"] ?? object["stat_t"]) != nil
    }

    /// One coordinate alone takes the place away in Home Assistant; here it is a fault, and never one half of an older place.
    private func place(_ object: JSONObject) throws(Rejection) -> Reading<ReportedPosition> {
        switch (object["latitude"], object["longitude"]) {
        case (nil, nil): return .absent
        case (.null?, .null?): return .unknown
        case (let latitude?, let longitude?) where !latitude.isNull && !longitude.isNull:
            return try PositionReader.degrees(
                latitude: latitude, longitude: longitude, at: ("/latitude", "/longitude"),
                acceptNullIsland: input.settings.acceptNullIsland)
        case (let latitude, _):
            throw Rejection(
                .missingPosition, at: latitude == nil || latitude?.isNull == true ? "/latitude" : "/longitude",
                "one coordinate without the other")
        }
    }

    /// A vacuum's word, `null` for unknown; the legacy schema has booleans instead.
    private static func vacuumState(_ object: JSONObject, _ fields: inout FieldReader) -> Reading<String> {
        if let state = object["state"] {
            guard !state.isNull else { return .unknown }
            guard let word = state.string?.lowercased(), vacuumStates.contains(word) else {
                fields.fault("state-not-in-table")
                return .unknown
            }
            return .value(word)
        }
        let docked = fields.boolean(object["docked"], "docked")
        let cleaning = fields.boolean(object["cleaning"], "cleaning")
        if docked.value == true { return .value("docked") }
        if cleaning.value == true { return .value("cleaning") }
        return docked.value == false && cleaning.value == false ? .value("idle") : .absent
    }
}

extension Rejection.Reason {
    static let badState = Self(rawValue: "bad-state")
}
