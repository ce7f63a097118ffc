internal import Geometry
internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// The bridge's own telemetry: flat JSON, WGS 84 degrees, the units of the styled state.
struct NativeFormat: TelemetryFormat {
    private let settings: SourceSettings
    private let times: TimeReader
    private let parser = JSONParser()

    init(settings: SourceSettings) {
        self.settings = settings
        times = TimeReader(zoneName: settings.timeZone)
    }

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
            guard let device else { return .ignored(reason: "empty", id: nil) }
            return .withdrawn(try DeviceID.check(device))
        }
        switch try parser.parseTelemetry(message.payload) {
        case .object(let object): return .report(try report(object, device: device))
        case .array(let elements):
            return .reports(
                try Batch.decode(elements) { (object) throws(Rejection) in try report(object, device: device) })
        default: throw Rejection(.notAnObject, "neither an object nor an array of objects")
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
            case .charge: report.charge = fields.charge(value, scale: settings.chargeScale)
            case .heading: report.heading = fields.heading(value)
            case .speed: report.speed = fields.number(value, "speed", in: 0...Double.greatestFiniteMagnitude)
            case .accuracy: report.accuracy = fields.number(value, "accuracy", in: 0...Double.greatestFiniteMagnitude)
            case .altitude: report.altitude = fields.number(value, "altitude")
            case .ts:
                if let reading = times.read(value) {
                    (report.time, report.laterTime) = (reading.time, reading.later)
                } else if !value.isNull {
                    fields.fault("ts-unreadable")
                }
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
        report.id = try DeviceID.choose(topic: device, payload: id, settings: settings)
        if let device, let id { report.contradictingID = DeviceID.contradiction(id, to: device) }
        report.position = try place.read(acceptNullIsland: settings.acceptNullIsland)
        report.faults = fields.faults
        if case .unknown = report.position, place.isZero, report.saysOnlyWhere {
            throw Rejection(.noFix, "0,0 is no fix, and there is nothing else")
        }
        return report
    }

    private func connection(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        guard !message.payload.isEmpty else { return .ignored(reason: "empty", id: nil) }
        var report = Report(id: try DeviceID.choose(topic: message.names["device"], payload: nil, settings: settings))
        report.connection = try connectionWord(message.payload)
        return .report(report)
    }

    private func sourceStatus(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        guard !message.payload.isEmpty else { return .ignored(reason: "empty", id: nil) }
        return .sourceConnection(try connectionWord(message.payload))
    }

    /// `online` or `offline`, plain, as a JSON text or as `{"state": "online"}`, in any case.
    private func connectionWord(_ payload: [UInt8]) throws(Rejection) -> Report.Connection {
        let plain = String(validating: payload, as: UTF8.self)?.lowercased()
        if let word = plain.flatMap(Report.Connection.init(rawValue:)) { return word }
        let json = try parser.parseTelemetry(payload)
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
                    map: map?.string))
        default:
            let missing = x == nil || x?.isNull == true ? "/x" : "/y"
            throw Rejection(.missingPosition, at: missing, "one coordinate without the other")
        }
    }
}

extension Report {
    /// Whether it says nothing but where the device is, when and in which order.
    fileprivate var saysOnlyWhere: Bool {
        var rest = self
        rest.position = .absent
        return rest.isEmpty
    }
}
