internal import Geometry
internal import JSON
internal import Locations
internal import MQTTModel

/// Valetudo (Homie-like topics and Home Assistant's), its older releases and Valetudo RE: robot vacuums.
///
/// One property a topic, each retained by itself, no time in any message: each property is a stream. A map's entities are in
/// centimetres (in old ones: millimetres) from the image's top left; here y points up and the image's origin stays.
struct ValetudoFormat: TelemetryFormat {
    private enum Property: Int {
        case link, level, charging, status, flag, errorText, error, map, hassState, oldState, oldLink, name
        /// Known, and nothing for us.
        case other
        /// What others send to the robot.
        case command
    }

    private static let commands: Set<String> = [
        "set", "command", "custom_command", "send_command", "set_fan_speed", "load_map", "store_map",
        "get_destinations",
    ]
    private static let states: Set<String> = [
        "error", "docked", "idle", "returning", "cleaning", "paused", "manual_control", "moving",
    ]

    private let input: PayloadReader
    private var robots: [Identifier: Robot] = [:]

    /// What is remembered of a robot.
    private struct Robot {
        /// The finer status is heard, so that the one for Home Assistant, which folds some states, is not needed.
        var hasStatus = false
        /// The last map, to count it once where it comes on both topics.
        var mapHash: Int?
        var mapTopic = ""
    }

    init(settings: SourceSettings) { input = PayloadReader(settings) }

    mutating func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        let (property, place) = Self.property(message.topic.levels)
        let levels = message.topic.levels
        let named = message.names["identifier"] ?? message.names["device"]
        let level = named ?? (place > 0 ? levels[place - 1] : nil) ?? input.settings.device ?? ""
        let id = try DeviceID.check(level)
        if property == .command { return .ignored(reason: "command", id: nil) }
        if message.payload.isEmpty { return .empty(withdrawing: property == .link ? id : nil) }
        if property == .other { return .ignored(reason: "other-topic", id: id) }
        if property == .map { return try map(message.payload, topic: levels.last ?? "", id) }
        var report = Report(id: id)
        report.stream = property.rawValue
        var fields = FieldReader(nullMeans: .absent)
        if property == .hassState || property == .oldState {
            try state(message.payload, property, &report, &fields)
        } else {
            let text = try PayloadReader.text(message.payload)
            try plain(text, property, &report, &fields)
        }
        report.faults = fields.faults
        return report.isEmpty ? .ignored(reason: "nothing-known", id: id) : .report(report)
    }

    /// What a topic carries, and at which level it begins to say so: the level before is the identifier.
    private static func property(_ levels: [String]) -> (Property, Int) {
        let count = levels.count
        let last = levels[count - 1]
        func level(_ fromEnd: Int) -> String { count > fromEnd ? levels[count - 1 - fromEnd] : "" }
        if let node = levels.firstIndex(where: { $0.hasSuffix("Capability") || $0.hasSuffix("StateAttribute") }),
            commands.contains(last) || levels[node].hasSuffix("Capability")
        {
            return (commands.contains(last) ? .command : .other, node)
        }
        switch (level(1), last) {
        case ("BatteryStateAttribute", "level"): return (.level, count - 2)
        case ("BatteryStateAttribute", "status"): return (.charging, count - 2)
        case ("StatusStateAttribute", "status"): return (.status, count - 2)
        case ("StatusStateAttribute", "flag"): return (.flag, count - 2)
        case ("StatusStateAttribute", "error_description"): return (.errorText, count - 2)
        case ("StatusStateAttribute", "error"): return (.error, count - 2)
        case ("MapData", "map-data"), ("MapData", "map-data-hass"): return (.map, count - 2)
        case ("MapData", _): return (.other, count - 2)
        case (let entity, "state") where level(2) == "hass":
            return (entity.hasSuffix("_vacuum") ? .hassState : .other, count - 3)
        case (_, "$state"): return (.link, count - 1)
        case (_, "$name"): return (count == 3 || !isNode(level(1)) ? .name : .other, count - 1)
        case (_, "map_data"), (_, "map_data_parsed"): return (.map, count - 1)
        case (_, "state"): return (.oldState, count - 1)
        case (_, "status"): return (.oldLink, count - 1)
        case _ where commands.contains(last): return (.command, count - 1)
        default: break
        }
        let node = levels.firstIndex { isNode($0) || $0.hasPrefix("$") || $0 == "hass" }
        return (.other, node ?? max(1, min(count - 1, 2)))
    }

    private static func isNode(_ level: String) -> Bool {
        level.hasSuffix("Attribute") || level.hasSuffix("Capability") || level == "MapData"
    }

    // MARK: Plain text

    private mutating func plain(
        _ text: String, _ property: Property, _ report: inout Report, _ fields: inout FieldReader
    ) throws(Rejection) {
        switch property {
        case .link: report.connection = try Self.homie(text)
        case .oldLink:
            guard let word = Report.Connection(rawValue: text.lowercased()) else {
                throw Rejection(.badConnection, "neither online nor offline")
            }
            report.connection = word
        case .level: report.charge = fields.charge(.string(text), scale: input.settings.chargeScale)
        case .charging:
            switch text.lowercased() {
            case "charging": report.charging = .value(true)
            case "none", "discharging", "charged": report.charging = .value(false)
            default:
                fields.fault("charging-not-in-table")
                report.charging = .unknown
            }
        case .status:
            report.state = Self.state(.string(text), &fields)
            remember(report.id) { $0.hasStatus = true }
        case .flag: report.properties.append("flag", text == "none" ? .null : .string(text))
        case .errorText:
            // "No error" is what it says of none.
            let isError = text.lowercased() != "no error" && text.lowercased() != "none"
            report.properties.append("errorDescription", isError ? .string(text) : .null)
        case .error: try error(text, &report)
        case .name: report.name = fields.text(.string(text), "name")
        default: break
        }
    }

    /// Homie's device states.
    private static func homie(_ text: String) throws(Rejection) -> Report.Connection {
        switch text.lowercased() {
        case "init", "ready", "sleeping", "alert": return .online
        case "disconnected", "lost": return .offline
        default: throw Rejection(.badConnection, "no state of a Homie device")
        }
    }

    private func error(_ text: String, _ report: inout Report) throws(Rejection) {
        let object = try input.object(Array(text.utf8))
        let severity = object["severity"]?.object
        let level = severity?["level"]?.string
        let isNone = level == nil || level == "none"
        report.properties.append("errorLevel", isNone ? .null : level.map(JSONValue.string) ?? .null)
        report.properties.append(
            "errorSubsystem", isNone ? .null : object["subsystem"]?.string.map(JSONValue.string) ?? .null)
        report.properties.append("error", isNone ? .null : object["message"]?.string.map(JSONValue.string) ?? .null)
    }

    private static func state(_ value: JSONValue?, _ fields: inout FieldReader) -> Reading<String> {
        guard let value, !value.isNull else { return .absent }
        guard let word = value.string?.lowercased(), states.contains(word) else {
            fields.fault("state-not-in-table")
            return .unknown
        }
        return .value(word)
    }

    private mutating func remember(_ id: Identifier, _ change: (inout Robot) -> Void) {
        guard robots.count < input.settings.maxLocations || robots[id] != nil else { return }
        change(&robots[id, default: Robot()])
    }

    // MARK: State as JSON

    private func state(
        _ payload: [UInt8], _ property: Property, _ report: inout Report, _ fields: inout FieldReader
    ) throws(Rejection) {
        let object = try input.object(payload)
        if property == .oldState || robots[report.id]?.hasStatus != true {
            report.state = Self.state(object["state"], &fields)
        }
        report.charge = fields.charge(object["battery_level"], scale: input.settings.chargeScale)
        if let speed = object["fan_speed"]?.string { report.properties.append("fanSpeed", .string(speed)) }
    }

    // MARK: Maps

    private mutating func map(_ payload: [UInt8], topic: String, _ id: Identifier) throws(Rejection) -> Decoded {
        let content: MapPacking.Content
        do throws(MapPacking.Failure) {
            content = try MapPacking.unpack(payload)
        } catch {
            switch error {
            case .broken(let detail): throw Rejection(.badCompression, detail)
            case .tooLarge:
                throw Rejection(.payloadTooLarge, "unpacked, the map is more than \(MapPacking.limit) bytes")
            }
        }
        switch content {
        case .vendor: return .ignored(reason: "vendor-binary", id: id)
        case .unknown: throw Rejection(.notAMap, "neither packed nor JSON")
        case .json(let json):
            // Home Assistant's topic brings the same map in a picture.
            let hash = json.hashValue
            if let robot = robots[id], robot.mapHash == hash, !robot.mapTopic.hasSameBytes(as: topic) {
                return .repeated(id)
            }
            let object = try input.object(json)
            let decoded = try object["entities"] == nil ? oldMap(object, id) : map(object, id)
            remember(id) { ($0.mapHash, $0.mapTopic) = (hash, topic) }
            return decoded
        }
    }

    private func map(_ object: JSONObject, _ id: Identifier) throws(Rejection) -> Decoded {
        if object["metaData"]?.object?["defaultMap"] == .bool(true) {
            return .ignored(reason: "placeholder-map", id: id)
        }
        guard let entities = object["entities"]?.array else {
            throw Rejection(.notAMap, at: "/entities", "not an array")
        }
        let robot = entities.enumerated().lazy.compactMap { index, entity in
            entity.object?["type"] == "robot_position" ? entity.object.map { (index, $0) } : nil
        }.first
        guard let (index, robot) = robot else { return .ignored(reason: "map-without-robot", id: id) }
        guard let points = robot["points"]?.array, points.count >= 2 else {
            throw Rejection(.missingPosition, at: "/entities/\(index)/points", "a robot without a place")
        }
        var fields = FieldReader(nullMeans: .absent)
        let angle = fields.heading(robot["metaData"]?.object?["angle"])
        return .report(
            try report(
                id, points, at: "/entities/\(index)/points", perMetre: 100,
                heading: angle.isAbsent ? .unknown : angle, fields))
    }

    /// Up to 0.5.3, and valetudo-mapper for Valetudo RE: millimetres, and the heading of the path's last piece, clockwise
    /// from the image's right.
    private func oldMap(_ object: JSONObject, _ id: Identifier) throws(Rejection) -> Decoded {
        guard let points = object["robot"]?.array else {
            let isMap = ["image", "path", "charger", "robot"].contains { object[$0] != nil }
            guard isMap || object.isEmpty else { throw Rejection(.notAMap, "neither entities nor a robot") }
            return .ignored(reason: "map-without-robot", id: id)
        }
        guard points.count >= 2 else { throw Rejection(.missingPosition, at: "/robot", "a robot without a place") }
        var fields = FieldReader(nullMeans: .absent)
        let angle = fields.number(
            object["robot_angle"] ?? object["path"]?.object?["current_angle"], "heading")
        let heading = angle.isAbsent ? .unknown : angle.map { normalizedDirection($0 + 90) }
        return .report(try report(id, points, at: "/robot", perMetre: 1_000, heading: heading, fields))
    }

    private func report(
        _ id: Identifier, _ points: [JSONValue], at pointer: String, perMetre: Double, heading: Reading<Double>,
        _ fields: FieldReader
    ) throws(Rejection) -> Report {
        var report = Report(id: id)
        report.stream = Property.map.rawValue
        let x = try PositionReader.number(points[0], at: "\(pointer)/0") / perMetre
        let y = try PositionReader.number(points[1], at: "\(pointer)/1") / perMetre
        report.position = .value(.plan(x: x, y: 0 - y, map: nil))
        report.heading = heading
        report.faults = fields.faults
        return report
    }
}

extension Rejection.Reason {
    static let badCompression = Self(rawValue: "bad-compression")
    static let notAMap = Self(rawValue: "not-a-map")
}
