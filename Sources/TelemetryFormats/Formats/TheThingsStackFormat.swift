internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// The Things Stack v3's MQTT: LoRaWAN trackers, `v3/{application}/devices/{device}/…`.
///
/// A place is what the payload formatter decoded, else the location that the stack took from it. `rx_metadata` places are
/// gateways, and `SOURCE_REGISTRY` is a place that somebody typed in.
struct TheThingsStackFormat: TelemetryFormat {
    private enum Stream { static let up = 0, solved = 1 }

    private let input: PayloadReader

    init(settings: SourceSettings) { input = PayloadReader(settings) }

    func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        let levels = message.topic.levels
        if levels.contains("down") { return .ignored(reason: "downlink", id: nil) }
        guard !message.payload.isEmpty else { return .empty() }
        let object = try input.object(message.payload)
        let id = try Self.id(message, object)
        if let uplink = object["uplink_message"]?.object { return try up(uplink, object, id) }
        if let solved = object["location_solved"]?.object { return try self.solved(solved, id) }
        return .ignored(reason: object["join_accept"] == nil ? "other-event" : "join", id: id)
    }

    private static func id(_ message: IncomingMessage, _ object: JSONObject) throws(Rejection) -> Identifier {
        let levels = message.topic.levels
        let topic = levels.firstIndex(of: "devices").flatMap { $0 + 1 < levels.count ? levels[$0 + 1] : nil }
        guard let name = message.names["device"] ?? object["end_device_ids"]?.object?["device_id"]?.string ?? topic
        else { throw Rejection(.badDeviceID, at: "/end_device_ids/device_id", "no device_id") }
        return try DeviceID.check(name, at: "/end_device_ids/device_id")
    }

    private func up(_ uplink: JSONObject, _ object: JSONObject, _ id: Identifier) throws(Rejection) -> Decoded {
        var report = Report(id: id)
        report.stream = Stream.up
        var fields = FieldReader(nullMeans: .absent)
        let decoded = DecodedUplink(
            uplink["decoded_payload"]?.object ?? JSONObject(), at: "/uplink_message/decoded_payload")
        if try !decoded.readPlace(into: &report, &fields, acceptNullIsland: input.settings.acceptNullIsland),
            let location = uplink["locations"]?.object?["frm-payload"]?.object
        {
            try read(location, at: "/uplink_message/locations/frm-payload", into: &report, &fields)
        }
        // The stack's own reading of DevStatus is a percentage, unlike what formatters call batteryLevel.
        let percentage = uplink["last_battery_percentage"]?.object?["value"]
        report.charge = fields.charge(decoded.charge ?? percentage, scale: input.settings.chargeScale)
        guard !report.isEmpty else { return .ignored(reason: "no-position", id: id) }
        if let time = decoded.time(input.times) {
            report.time = time
        } else {
            input.stamp(&report, uplink["received_at"] ?? object["received_at"], &fields)
        }
        report.faults = fields.faults
        return .report(report)
    }

    /// It has no time of its own.
    private func solved(_ solved: JSONObject, _ id: Identifier) throws(Rejection) -> Decoded {
        guard let location = solved["location"]?.object else {
            throw Rejection(.missingPosition, at: "/location_solved/location", "no location")
        }
        var report = Report(id: id)
        report.stream = Stream.solved
        var fields = FieldReader(nullMeans: .absent)
        try read(location, at: "/location_solved/location", into: &report, &fields)
        report.faults = fields.faults
        return report.isEmpty ? .ignored(reason: "typed-in-place", id: id) : .report(report)
    }

    /// Zeros are left out, so a missing half is one on the equator or the meridian; both missing is no place.
    private func read(
        _ location: JSONObject, at pointer: String, into report: inout Report, _ fields: inout FieldReader
    ) throws(Rejection) {
        guard location["source"] != "SOURCE_REGISTRY" else { return }
        report.position = try PositionReader.degrees(
            latitude: location["latitude"] ?? 0, longitude: location["longitude"] ?? 0,
            at: ("\(pointer)/latitude", "\(pointer)/longitude"), acceptNullIsland: input.settings.acceptNullIsland)
        report.altitude = fields.number(location["altitude"], "altitude")
        report.accuracy = fields.number(location["accuracy"], "accuracy").filter { $0 > 0 }
    }
}
