internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// Traccar's position forwarding: `{"position": …, "device": …}`, one topic for the whole fleet.
///
/// A device is its `uniqueId` (`id` is a row's number). Speed is knots, `course` degrees clockwise from true north. A position
/// that is `outdated` repeats the last fix because the message had none.
struct TraccarFormat: TelemetryFormat {
    private static let metresPerSecondAndKnot = 1_852.0 / 3_600

    private let input: PayloadReader

    init(settings: SourceSettings) { input = PayloadReader(settings) }

    func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        guard !message.payload.isEmpty else { return .empty() }
        return try input.messages(message.payload) { (object) throws(Rejection) in try read(object) }
    }

    private func read(_ object: JSONObject) throws(Rejection) -> Decoded {
        guard let device = object["device"]?.object else {
            throw Rejection(.badDeviceID, at: "/device", "no device: whose position is it?")
        }
        let id: Identifier
        switch device["uniqueId"] {
        case .string(let text)?: id = try DeviceID.check(text, at: "/device/uniqueId")
        case .number(let number)?: id = Identifier(JSONNumber.text(of: number))
        case .bigInteger(let digits)?: id = Identifier(digits)
        default: throw Rejection(.badDeviceID, at: "/device/uniqueId", "no uniqueId")
        }
        if object["event"] != nil, object["position"]?.object == nil { return .ignored(reason: "event", id: id) }
        guard let position = object["position"]?.object else {
            throw Rejection(.missingPosition, at: "/position", "no position")
        }
        return .report(try report(position, device, id))
    }

    private func report(_ position: JSONObject, _ device: JSONObject, _ id: Identifier) throws(Rejection) -> Report {
        var report = Report(id: id)
        var fields = FieldReader(nullMeans: .absent)
        let isRepeat = fields.boolean(position["outdated"], "outdated").value == true
        let isInvalid = fields.boolean(position["valid"], "valid").value == false
        if !isRepeat, !isInvalid {
            guard let latitude = position["latitude"], let longitude = position["longitude"] else {
                throw Rejection(
                    .missingPosition, at: position["latitude"] == nil ? "/position/latitude" : "/position/longitude",
                    "one coordinate without the other, or none")
            }
            report.position = try PositionReader.degrees(
                latitude: latitude, longitude: longitude, at: ("/position/latitude", "/position/longitude"),
                acceptNullIsland: input.settings.acceptNullIsland)
            report.altitude = fields.number(position["altitude"], "altitude")
            report.speed = fields.number(position["speed"], "speed", in: 0...1e9).map {
                $0 * Self.metresPerSecondAndKnot
            }
            report.heading = fields.heading(position["course"])
            report.accuracy = fields.number(position["accuracy"], "accuracy").filter { $0 > 0 }
        } else if isInvalid, !isRepeat {
            report.position = .unknown
        }
        stamp(&report, position, isFix: !isRepeat && !isInvalid, &fields)
        if let attributes = position["attributes"]?.object {
            report.charge = fields.charge(attributes["batteryLevel"], scale: input.settings.chargeScale)
            report.charging = fields.boolean(attributes["charge"], "charging")
            for key in ["motion", "ignition", "alarm"] {
                if let value = attributes[key], !value.isNull { report.properties.append(key, value) }
            }
        }
        report.name = fields.text(device["name"], "name")
        if let category = device["category"]?.string { report.properties.append("category", .string(category)) }
        report.connection = device["status"]?.string.flatMap { Report.Connection(rawValue: $0.lowercased()) }
        report.faults = fields.faults
        return report
    }

    /// The time of a fix is the fix's; without one, the device's.
    private func stamp(_ report: inout Report, _ position: JSONObject, isFix: Bool, _ fields: inout FieldReader) {
        let names = isFix ? ["fixTime", "deviceTime"] : ["deviceTime"]
        input.stamp(&report, names.lazy.compactMap { position[$0] }.first { !$0.isNull }, &fields)
    }
}
