internal import Geometry
internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// Meshtastic's JSON over MQTT (firmware 2.x): `…/2/json/{channel}/{gateway}`.
///
/// The device is `from`, shown as `!%08x`; topic and `sender` name the gateway. Positions are 10⁻⁷ degrees, `ground_speed`
/// km/h (whatever the schema says), `ground_track` 10⁻⁵ degrees. The same packet comes by several gateways and counts once.
struct MeshtasticFormat: TelemetryFormat {
    private enum Stream { static let position = 0, telemetry = 1, node = 2 }

    /// Packets of one device that are known again.
    private static let remembered = 16

    private let input: PayloadReader
    private var packets: [Identifier: [Double]] = [:]

    init(settings: SourceSettings) { input = PayloadReader(settings) }

    mutating func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        let levels = message.topic.levels
        if levels.contains("stat") { return .ignored(reason: "gateway-status", id: nil) }
        if !levels.contains("json"), levels.contains(where: { ["e", "c", "map"].contains($0) }) {
            return .ignored(reason: "protobuf", id: nil)
        }
        guard !message.payload.isEmpty else { return .empty() }
        let packet = try input.object(message.payload)
        let id = try Self.id(packet["from"])
        let isKnown = packet["id"].flatMap(FieldReader.number).map { isRepeated($0, of: id) } ?? false
        let body = packet["payload"]?.object
        switch packet["type"]?.string {
        case "position":
            guard let body else { throw Rejection(.missingPosition, at: "/payload", "no payload") }
            let report = try position(body, packet, id)
            return isKnown ? .repeated(id) : .report(report)
        case "telemetry":
            guard let report = telemetry(body ?? JSONObject(), packet, id) else {
                return .ignored(reason: "no-battery", id: id)
            }
            return isKnown ? .repeated(id) : .report(report)
        case "nodeinfo":
            guard let report = node(body ?? JSONObject(), packet, id) else {
                return .ignored(reason: "no-name", id: id)
            }
            return isKnown ? .repeated(id) : .report(report)
        default: return .ignored(reason: "other-type", id: id)
        }
    }

    /// A 32-bit number, which firmware before 2.2.0 wrote as signed.
    private static func id(_ value: JSONValue?) throws(Rejection) -> Identifier {
        guard let number = value.flatMap(FieldReader.number), let whole = Int64(exactly: number),
            let node = UInt32(exactly: whole < 0 ? whole + 1 << 32 : whole)
        else { throw Rejection(.badDeviceID, at: "/from", "from is not the number of a node") }
        let digits = String(node, radix: 16)
        return Identifier("!" + String(repeating: "0", count: 8 - digits.count) + digits)
    }

    private mutating func isRepeated(_ packet: Double, of id: Identifier) -> Bool {
        var known = packets[id] ?? []
        guard !known.contains(packet) else { return true }
        if known.count >= Self.remembered { known.removeFirst() }
        known.append(packet)
        if packets[id] != nil || packets.count < input.settings.maxLocations { packets[id] = known }
        return false
    }

    /// The device's time, else the gateway's; 0 is none.
    private func stamp(
        _ report: inout Report, _ candidates: [JSONValue?], _ fields: inout FieldReader
    ) {
        for case let value? in candidates where !value.isNull && FieldReader.number(value) != 0 {
            return input.stamp(&report, value, &fields)
        }
    }

    private func position(_ body: JSONObject, _ packet: JSONObject, _ id: Identifier) throws(Rejection) -> Report {
        guard let latitude = body["latitude_i"], let longitude = body["longitude_i"] else {
            throw Rejection(
                .missingPosition, at: body["latitude_i"] == nil ? "/payload/latitude_i" : "/payload/longitude_i",
                "a position without a place")
        }
        var report = Report(id: id)
        report.stream = Stream.position
        let pointers = ("/payload/latitude_i", "/payload/longitude_i")
        report.position = try PositionReader.degrees(
            latitude: .number(try PositionReader.number(latitude, at: pointers.0) / 1e7),
            longitude: .number(try PositionReader.number(longitude, at: pointers.1) / 1e7), at: pointers,
            acceptNullIsland: input.settings.acceptNullIsland)
        guard report.position.value != nil else { throw Rejection(.noFix, at: pointers.0, "0,0 is no fix") }
        var fields = FieldReader(nullMeans: .absent)
        report.altitude = fields.number(body["altitude"], "altitude")
        report.speed = fields.number(body["ground_speed"], "speed", in: 0...1e9).map { $0 / 3.6 }
        report.heading = fields.number(body["ground_track"], "heading").map { normalizedDirection($0 / 1e5) }
        stamp(&report, [body["time"], packet["timestamp"]], &fields)
        for (key, property) in [("precision_bits", "precisionBits"), ("sats_in_view", "satellites")] {
            if let number = body[key].flatMap(FieldReader.number) {
                report.properties.append(property, .number(number))
            }
        }
        report.faults = fields.faults
        return report
    }

    /// 101 is a device on external power; 0 with no voltage is one that has not measured.
    private func telemetry(_ body: JSONObject, _ packet: JSONObject, _ id: Identifier) -> Report? {
        guard let level = body["battery_level"], !level.isNull else { return nil }
        var report = Report(id: id)
        report.stream = Stream.telemetry
        var fields = FieldReader(nullMeans: .absent)
        switch FieldReader.number(level) {
        case 101:
            report.charge = .value(100)
            report.charging = .value(true)
        case 0 where (body["voltage"].flatMap(FieldReader.number) ?? 0) == 0: report.charge = .unknown
        default: report.charge = fields.charge(level, scale: 0...100)
        }
        stamp(&report, [packet["timestamp"]], &fields)
        report.faults = fields.faults
        return report
    }

    private func node(_ body: JSONObject, _ packet: JSONObject, _ id: Identifier) -> Report? {
        let names = [body["longname"], body["shortname"]].compactMap { $0?.string }
        guard let name = names.first(where: { !$0.isEmpty }) else { return nil }
        var report = Report(id: id)
        report.stream = Stream.node
        report.name = .value(name)
        var fields = FieldReader(nullMeans: .absent)
        stamp(&report, [packet["timestamp"]], &fields)
        report.faults = fields.faults
        return report
    }
}
