internal import JSON
internal import Locations
internal import MQTTModel

/// Roborock vacuums as roborock-mqtt publishes them: `…/{device}/map.json` and `…/{device}/status`.
///
/// Positions are pixels of 50 mm in the cropped map, the first row on top. The crop moves while the map grows, so only the
/// way from the charger in the same message is stable: x and y are metres from it, y up.
struct RoborockFormat: TelemetryFormat {
    private static let pixelsPerMetre = 20.0

    private enum Stream { static let map = 0, status = 1 }

    private let input: PayloadReader

    init(settings: SourceSettings) { input = PayloadReader(settings) }

    func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        let levels = message.topic.levels
        let id = try DeviceID.check(
            message.names["device"] ?? (levels.count > 1 ? levels[levels.count - 2] : input.settings.device ?? ""))
        switch levels.last {
        case "set", "command": return .ignored(reason: "command", id: nil)
        case "map.json", "status": break
        // Pixels without the crop's origin.
        case "robot_position": return .ignored(reason: "uncropped-position", id: id)
        default: return .ignored(reason: "other-topic", id: id)
        }
        if message.payload.isEmpty { return .empty(withdrawing: levels.last == "map.json" ? id : nil) }
        let object = try input.object(message.payload)
        return levels.last == "status" ? status(object, id) : try map(object, id)
    }

    private func map(_ object: JSONObject, _ id: Identifier) throws(Rejection) -> Decoded {
        guard let robot = object["robot"]?.object else { return .ignored(reason: "map-without-robot", id: id) }
        guard let charger = object["charger"]?.object else { return .ignored(reason: "map-without-charger", id: id) }
        var report = Report(id: id)
        report.stream = Stream.map
        let x = try Self.pixel(robot, "x", at: "/robot") - Self.pixel(charger, "x", at: "/charger")
        let y = try Self.pixel(robot, "y", at: "/robot") - Self.pixel(charger, "y", at: "/charger")
        report.position = .value(.plan(x: x / Self.pixelsPerMetre, y: (0 - y) / Self.pixelsPerMetre, map: nil))
        var fields = FieldReader(nullMeans: .absent)
        // An angle of 0 is left out, and a negative one was read as unsigned.
        report.heading = fields.number(robot["angle"] ?? 0, "heading", in: -360...4_294_967_295).map {
            Heading.fromXAxis($0 > 2_147_483_647 ? $0 - 4_294_967_296 : $0)
        }
        report.faults = fields.faults
        return .report(report)
    }

    private static func pixel(_ object: JSONObject, _ key: String, at pointer: String) throws(Rejection) -> Double {
        guard let value = object[key], !value.isNull else {
            throw Rejection(.missingPosition, at: "\(pointer)/\(key)", "one coordinate without the other")
        }
        let pixel = try PositionReader.number(value, at: "\(pointer)/\(key)")
        guard pixel.magnitude < 1e6 else {
            throw Rejection(.positionOutOfRange, at: "\(pointer)/\(key)", "no map has so many pixels")
        }
        return pixel
    }

    private func status(_ object: JSONObject, _ id: Identifier) -> Decoded {
        var report = Report(id: id)
        report.stream = Stream.status
        var fields = FieldReader(nullMeans: .absent)
        report.charge = fields.charge(object["battery"], scale: input.settings.chargeScale)
        if let state = object["state"], !state.isNull {
            report.state = fields.text(state, "state").map { $0.lowercased() }
        }
        if let error = object["error"]?.string {
            let isNone = error.isEmpty || error.lowercased() == "none" || object["error_code"] == 0
            report.properties.append("error", isNone ? .null : .string(error))
        }
        if let speed = object["fan_speed"]?.string { report.properties.append("fanSpeed", .string(speed)) }
        report.faults = fields.faults
        return report.isEmpty ? .ignored(reason: "nothing-known", id: id) : .report(report)
    }
}
