internal import Geometry
internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// The bridge's own telemetry: flat JSON, WGS 84 degrees, the units of the styled state.
struct NativeFormat: TelemetryFormat {
    private let input: PayloadReader

    init(settings: SourceSettings) { input = PayloadReader(settings) }

    func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        switch message.filterEnd {
        case "connection": try connection(message)
        case "status": try sourceStatus(message)
        default: try telemetry(message)
        }
    }

    private func telemetry(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        let device = message.names["device"]
        if message.payload.isEmpty {
            return .empty(withdrawing: try device.map { (name) throws(Rejection) in try DeviceID.check(name) })
        }
        return try input.messages(message.payload) { (object) throws(Rejection) in
            .report(try report(object, device: device))
        }
    }

    private func report(_ object: JSONObject, device: String?) throws(Rejection) -> Report {
        guard !object.isEmpty else { throw Rejection(.emptyReport, "an object without members") }
        var report = Report(id: Identifier(""))
        var fields = FieldReader(nullMeans: .unknown)
        var id: JSONValue?
        var place = Place()
        for member in object.members {
            let value = member.value
            switch NativeMember(member.key) {
            case .lat: place.lat = value
            case .lon: place.lon = value
            case .x: place.x = value
            case .y: place.y = value
            case .map: place.map = value
            case .position: place.position = value
            case .floor: report.floor = fields.floor(value)
            case .charge: report.charge = fields.charge(value, scale: input.settings.chargeScale)
            case .heading: report.heading = fields.heading(value)
            case .speed: report.speed = fields.number(value, "speed", in: 0...Double.greatestFiniteMagnitude)
            case .accuracy: report.accuracy = fields.number(value, "accuracy", in: 0...Double.greatestFiniteMagnitude)
            case .altitude: report.altitude = fields.number(value, "altitude")
            case .ts: input.stamp(&report, value, &fields)
            case .seq:
                if let number = FieldReader.number(value), let whole = Int64(exactly: number) {
                    report.sequence = whole
                } else if !value.isNull {
                    fields.fault("seq-not-an-integer")
                }
            case .id: id = value
            case .name: report.name = fields.text(value, "name")
            case .type: report.type = fields.text(value, "type")
            case .building: report.building = fields.text(value, "building")
            case .state: report.state = fields.text(value, "state")
            case .charging: report.charging = fields.boolean(value, "charging")
            case nil: report.properties.append(member.key, value)
            }
        }
        report.id = try DeviceID.choose(topic: device, payload: id, settings: input.settings)
        if let device, let id { report.contradictingID = DeviceID.contradiction(id, to: device) }
        if let validity = input.settings.validity, !validity.holds(in: .object(object)) {
            report.position = .unknown
            report.loseFix()
            place = Place()
        } else {
            report.position = try place.read(acceptNullIsland: input.settings.acceptNullIsland)
        }
        report.faults = fields.faults
        if case .unknown = report.position, place.isZero, report.saysOnlyWhere {
            throw Rejection(.noFix, "0,0 is no fix, and there is nothing else")
        }
        return report
    }

    private func connection(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        guard !message.payload.isEmpty else { return .empty() }
        var report = Report(
            id: try DeviceID.choose(topic: message.names["device"], payload: nil, settings: input.settings))
        report.connection = try connectionWord(message.payload)
        return .report(report)
    }

    private func sourceStatus(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        guard !message.payload.isEmpty else { return .empty() }
        return .sourceConnection(try connectionWord(message.payload))
    }

    /// `online` or `offline`, plain, as a JSON text or as `{"state": "online"}`, in any case.
    private func connectionWord(_ payload: [UInt8]) throws(Rejection) -> Report.Connection {
        let plain = String(validating: payload, as: UTF8.self)?.lowercased()
        if let word = plain.flatMap(Report.Connection.init(rawValue:)) { return word }
        let json = try input.json(payload)
        let state = json.string ?? json.object?["state"]?.string
        guard let word = state.flatMap({ Report.Connection(rawValue: $0.lowercased()) }) else {
            throw Rejection(.badConnection, at: "/state", "neither online nor offline")
        }
        return word
    }
}

/// The members that say where a device is.
private struct Place {
    var lat: JSONValue?
    var lon: JSONValue?
    var x: JSONValue?
    var y: JSONValue?
    var map: JSONValue?
    /// Only `null` has a meaning: no fix.
    var position: JSONValue?

    /// Whether the coordinates are there, which as "no fix" can only be 0,0.
    var isZero: Bool { lat.map { !$0.isNull } ?? false }

    func read(acceptNullIsland: Bool) throws(Rejection) -> Reading<ReportedPosition> {
        if let position, !position.isNull {
            throw Rejection(.positionNotANumber, at: "/position", "only null stands here; lat and lon are members")
        }
        switch (lat, lon) {
        case (nil, nil): break
        case (.null?, .null?): return .unknown
        case (let lat?, let lon?) where !lat.isNull && !lon.isNull:
            return try PositionReader.degrees(
                latitude: lat, longitude: lon, at: ("/lat", "/lon"), acceptNullIsland: acceptNullIsland)
        default:
            let missing = lat == nil || lat?.isNull == true ? "/lat" : "/lon"
            throw Rejection(.missingPosition, at: missing, "one coordinate without the other")
        }
        switch (x, y) {
        case (nil, nil): return position == nil ? .absent : .unknown
        case (.null?, .null?): return .unknown
        case (let x?, let y?) where !x.isNull && !y.isNull:
            return .value(
                .plan(
                    x: try PositionReader.number(x, at: "/x"), y: try PositionReader.number(y, at: "/y"),
                    map: try mapName()))
        default:
            let missing = x == nil || x?.isNull == true ? "/x" : "/y"
            throw Rejection(.missingPosition, at: missing, "one coordinate without the other")
        }
    }

    /// A name that cannot be read is no reason to believe that another map is meant.
    private func mapName() throws(Rejection) -> String? {
        switch map {
        case nil, .null?: return nil
        case .number(let number)?: return JSONNumber.text(of: number)
        case .string(let name)? where !name.isEmpty: return name
        default: throw Rejection(.unknownMap, at: "/map", "a map's name is a text or a number")
        }
    }
}
