internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// ChirpStack v4's MQTT integration: LoRaWAN trackers, `application/{application}/device/{device}/event/{event}`.
///
/// `object` is what the codec decoded, and its author chose the names. `rxInfo` places are gateways.
struct ChirpStackFormat: TelemetryFormat {
    private enum Stream { static let up = 0, status = 1, location = 2 }

    private let input: PayloadReader

    init(settings: SourceSettings) { input = PayloadReader(settings) }

    func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        let levels = message.topic.levels
        if levels.contains("command") { return .ignored(reason: "command", id: nil) }
        guard !message.payload.isEmpty else { return .empty() }
        let object = try input.object(message.payload)
        let device = object["deviceInfo"]?.object
        let topic = levels.firstIndex(of: "device").flatMap { $0 + 1 < levels.count ? levels[$0 + 1] : nil }
        guard let name = message.names["device"] ?? topic ?? device?["devEui"]?.string else {
            throw Rejection(.badDeviceID, at: "/deviceInfo/devEui", "no devEui")
        }
        var report = Report(id: try DeviceID.check(name, at: "/deviceInfo/devEui"))
        var fields = FieldReader(nullMeans: .absent)
        switch levels.last {
        case "up": try up(object, &report, &fields)
        case "status": status(object, &report, &fields)
        case "location": try location(object, &report, &fields)
        // The network says these, not the device.
        case "log", "txack", "integration": return .ignored(reason: "other-event", id: nil)
        default: return .ignored(reason: "other-event", id: report.id)
        }
        guard !report.isEmpty else { return .ignored(reason: "no-position", id: report.id) }
        if report.time == nil { input.stamp(&report, object["time"], &fields) }
        report.name = fields.text(device?["deviceName"], "name")
        report.faults = fields.faults
        return .report(report)
    }

    private func up(_ object: JSONObject, _ report: inout Report, _ fields: inout FieldReader) throws(Rejection) {
        report.stream = Stream.up
        guard let values = object["object"]?.object else { return }
        let decoded = DecodedUplink(values, at: "/object")
        _ = try decoded.readPlace(into: &report, &fields, acceptNullIsland: input.settings.acceptNullIsland)
        report.charge = fields.charge(decoded.charge, scale: input.settings.chargeScale)
        if !report.isEmpty { report.time = decoded.time(input.times) }
    }

    private func status(_ object: JSONObject, _ report: inout Report, _ fields: inout FieldReader) {
        report.stream = Stream.status
        let isExternal = fields.boolean(object["externalPowerSource"], "external-power").value == true
        let isUnavailable = fields.boolean(object["batteryLevelUnavailable"], "battery-unavailable").value == true
        if isExternal || isUnavailable {
            report.charge = .unknown
        } else {
            report.charge = fields.charge(object["batteryLevel"], scale: 0...100)
        }
        if isExternal { report.properties.append("externalPower", true) }
    }

    private func location(_ object: JSONObject, _ report: inout Report, _ fields: inout FieldReader) throws(Rejection) {
        report.stream = Stream.location
        guard let location = object["location"]?.object else {
            throw Rejection(.missingPosition, at: "/location", "no location")
        }
        guard let latitude = location["latitude"], let longitude = location["longitude"] else {
            throw Rejection(
                .missingPosition, at: location["latitude"] == nil ? "/location/latitude" : "/location/longitude",
                "one coordinate without the other, or none")
        }
        report.position = try PositionReader.degrees(
            latitude: latitude, longitude: longitude, at: ("/location/latitude", "/location/longitude"),
            acceptNullIsland: input.settings.acceptNullIsland)
        report.altitude = fields.number(location["altitude"], "altitude")
        report.accuracy = fields.number(location["accuracy"], "accuracy").filter { $0 > 0 }
    }
}
