internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// GeoJSON (RFC 7946): a Feature with a Point, a bare Point, or a FeatureCollection.
///
/// Coordinates are longitude, latitude and metres of altitude. Properties have no standard names: the usual ones are read,
/// with speed in m/s, heading in degrees clockwise from true north and accuracy in metres; the rest stays as it is.
struct GeoJSONFormat: TelemetryFormat {
    private static let types: Set<String> = [
        "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection",
    ]
    /// The owner's business.
    private static let privateKeys: Set<String> = ["ssid", "bssid", "mac", "ip", "password", "token", "key"]
    /// Deeper or longer values are no properties of a device.
    private static let properties = 64

    private let input: PayloadReader

    init(settings: SourceSettings) { input = PayloadReader(settings) }

    func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        let device = message.names["device"]
        if message.payload.isEmpty {
            return .empty(withdrawing: try device.map { (name) throws(Rejection) in try DeviceID.check(name) })
        }
        let object = try input.object(message.payload)
        guard object["type"] == "FeatureCollection" else { return try feature(object, device) }
        guard let features = object["features"]?.array else {
            throw Rejection(.notAnObject, at: "/features", "a collection without features")
        }
        guard !features.isEmpty else { return .ignored(reason: "empty", id: nil) }
        do throws(Rejection) {
            return try Batch.messages(features) { (object) throws(Rejection) in try feature(object, device) }
        } catch {
            throw error.inside("features")
        }
    }

    private func feature(_ object: JSONObject, _ device: String?) throws(Rejection) -> Decoded {
        guard let type = object["type"]?.string else { throw Rejection(.badGeometry, at: "/type", "no type") }
        guard type == "Feature" else {
            guard Self.types.contains(type) else { throw Rejection(.badGeometry, at: "/type", "an unknown type") }
            return try report(object, at: "", properties: JSONObject(), id: nil, device)
        }
        let properties = object["properties"]?.object ?? JSONObject()
        let id = object["id"] ?? properties["id"]
        switch object["geometry"] {
        case .object(let geometry)?:
            guard let type = geometry["type"]?.string, Self.types.contains(type) else {
                throw Rejection(.badGeometry, at: "/geometry/type", "an unknown type")
            }
            return try report(geometry, at: "/geometry", properties: properties, id: id, device)
        case nil, .null?: return try report(nil, at: "/geometry", properties: properties, id: id, device)
        default: throw Rejection(.badGeometry, at: "/geometry", "neither an object nor null")
        }
    }

    private func report(
        _ geometry: JSONObject?, at pointer: String, properties: JSONObject, id: JSONValue?, _ device: String?
    ) throws(Rejection) -> Decoded {
        let id = try DeviceID.choose(topic: device, payload: id, settings: input.settings)
        // Lines and areas are places, not where a device is.
        if let geometry, geometry["type"] != "Point" { return .ignored(reason: "not-a-point", id: nil) }
        var report = Report(id: id)
        var fields = FieldReader(nullMeans: .absent)
        if let geometry {
            let at = "\(pointer)/coordinates"
            guard let coordinates = geometry["coordinates"]?.array, coordinates.count >= 2 else {
                throw Rejection(.missingPosition, at: at, "a point without coordinates")
            }
            report.position = try PositionReader.degrees(
                latitude: coordinates[1], longitude: coordinates[0], at: ("\(at)/1", "\(at)/0"),
                acceptNullIsland: input.settings.acceptNullIsland)
            report.altitude = fields.number(coordinates.count > 2 ? coordinates[2] : nil, "altitude")
        } else {
            report.position = .unknown
        }
        read(properties, &report, &fields)
        report.faults = fields.faults
        if report.position.value == nil, report.saysOnlyWhere {
            throw Rejection(.noFix, at: pointer, "no place, and nothing else")
        }
        return .report(report)
    }

    private func read(_ properties: JSONObject, _ report: inout Report, _ fields: inout FieldReader) {
        for member in properties.members where !member.value.isNull {
            let (key, value) = (member.key, member.value)
            switch key.lowercased() {
            case "id": break
            case "tst", "time", "timestamp", "ts", "datetime":
                if report.time == nil { input.stamp(&report, value, &fields) }
            case "speed": report.speed = fields.number(value, "speed", in: 0...Double.greatestFiniteMagnitude)
            case "heading", "course", "bearing", "cog": report.heading = fields.heading(value)
            case "accuracy", "acc": report.accuracy = fields.number(value, "accuracy").filter { $0 > 0 }
            case "altitude", "alt", "ele":
                if report.altitude.isAbsent { report.altitude = fields.number(value, "altitude") }
            case "charge": report.charge = fields.charge(value, scale: input.settings.chargeScale)
            case "charging": report.charging = fields.boolean(value, "charging")
            case "floor": report.floor = fields.floor(value)
            case "name", "title": report.name = fields.text(value, "name")
            case "state": report.state = fields.text(value, "state")
            default:
                if value.object == nil, !Self.privateKeys.contains(key.lowercased()),
                    report.properties.count < Self.properties
                {
                    report.properties.append(key, value)
                }
            }
        }
    }
}

extension Rejection.Reason {
    static let badGeometry = Self(rawValue: "bad-geometry")
}
