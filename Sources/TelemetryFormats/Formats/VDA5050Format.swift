internal import Glibc
internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// VDA 5050, versions 1.1, 2.x and 3.x: AGVs and mobile robots.
///
/// Every field is read by all of its names, whatever the version says: half-renamed senders exist. Positions are metres on
/// a project map (right-handed, z up), `theta` radians anticlockwise from x. `state` and `visualization` are streams of
/// their own, each with a `headerId` that counts; a message is late only where both its time and its `headerId` are not
/// newer, and a connection message begins both anew.
struct VDA5050Format: TelemetryFormat {
    private enum Topic: String {
        case state, visualization, connection, factsheet
        /// What the fleet's control sends to the vehicle.
        case order, instantactions, responses, zoneset
    }

    private enum Stream { static let state = 0, visualization = 1, both: [Int] = [0, 1] }

    private let input: PayloadReader
    private var links: [Identifier: Link] = [:]

    /// What a vehicle's last connection message said.
    private struct Link {
        var isOffline: Bool
        var hibernates: Bool
        /// Streams whose order begins anew with the next message.
        var restarting = Set(Stream.both)
    }

    init(settings: SourceSettings) { input = PayloadReader(settings) }

    mutating func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        let named = message.topic.levels.last.flatMap { Topic(rawValue: $0.lowercased()) }
        switch named {
        case .order, .instantactions, .responses, .zoneset: return .ignored(reason: "command", id: nil)
        case .factsheet: return .ignored(reason: "factsheet", id: try? id(message, JSONObject()))
        case .state, .visualization, .connection, nil: break
        }
        if message.payload.isEmpty {
            return .empty(withdrawing: named == .state ? try id(message, JSONObject()) : nil)
        }
        let object = try input.object(message.payload)
        switch named ?? Self.kind(of: object) {
        case .connection: return try connection(object, message)
        case .state: return try telemetry(object, message, stream: Stream.state)
        case .visualization: return try telemetry(object, message, stream: Stream.visualization)
        default: return .ignored(reason: "other-topic", id: nil)
        }
    }

    /// On topics of the site's own making, the members tell what a message is.
    private static func kind(of object: JSONObject) -> Topic? {
        if object["connectionState"] != nil { return .connection }
        for key in ["batteryState", "powerSupply", "operatingMode", "driving"] where object[key] != nil {
            return .state
        }
        return Self.position(in: object) == nil ? nil : .visualization
    }

    // MARK: Identity and time

    /// `manufacturer/serialNumber`: the header's, which every message but a visualization must have, else the topic's.
    private func id(_ message: IncomingMessage, _ object: JSONObject) throws(Rejection) -> Identifier {
        let levels = message.topic.levels
        let above = levels.count >= 3 ? Array(levels.suffix(3).prefix(2)) : nil
        let manufacturer = Self.word(object["manufacturer"]) ?? message.names["manufacturer"] ?? above?[0]
        let serial =
            Self.word(object["serialNumber"]) ?? message.names["serial"] ?? message.names["device"] ?? above?[1]
        guard let manufacturer, let serial, !manufacturer.isEmpty, !serial.isEmpty else {
            throw Rejection(.badDeviceID, at: "/serialNumber", "neither header nor topic says whose message it is")
        }
        return try DeviceID.check("\(manufacturer)/\(serial)")
    }

    private static func word(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text)?: text.isEmpty ? nil : text
        case .number(let number)?: JSONNumber.text(of: number)
        case .bigInteger(let digits)?: digits
        default: nil
        }
    }

    private func stamp(_ report: inout Report, _ object: JSONObject, _ fields: inout FieldReader) {
        // ROS message dumps spell it timeStamp.
        guard let value = object["timestamp"] ?? object["timeStamp"], !value.isNull else { return }
        let american = { value.string.flatMap(AmericanTime.read).map { TimeReader.Reading(time: $0) } }
        input.stamp(&report, input.times.read(value) ?? american(), &fields)
    }

    // MARK: Connection

    private mutating func connection(_ object: JSONObject, _ message: IncomingMessage) throws(Rejection) -> Decoded {
        let id = try id(message, object)
        guard let word = object["connectionState"]?.string else {
            throw Rejection(.badConnection, at: "/connectionState", "no connectionState")
        }
        var report = Report(id: id)
        var fields = FieldReader(nullMeans: .absent)
        let letters = word.lowercased().filter { $0 != "_" && $0 != " " && $0 != "-" }
        switch letters {
        case "online": report.connection = .online
        case "offline": report.connection = .offline
        case "connectionbroken": report.connection = .offline
        case "hibernating":
            report.connection = .online
            report.state = .value("sleeping")
            report.announcesSilence = true
        default: throw Rejection(.badConnection, at: "/connectionState", "\(word) is no connectionState")
        }
        // A will carries the time at which it was made.
        if letters != "connectionbroken" { stamp(&report, object, &fields) }
        report.faults = fields.faults
        if links.count < input.settings.maxLocations || links[id] != nil {
            links[id] = Link(isOffline: report.connection == .offline, hibernates: report.announcesSilence)
        }
        // A stored copy says how it was, and only telemetry how it is.
        if letters == "online", message.retained { return .ignored(reason: "stored-online", id: nil) }
        return .report(report)
    }

    // MARK: State and visualization

    private mutating func telemetry(
        _ object: JSONObject, _ message: IncomingMessage, stream: Int
    ) throws(Rejection) -> Decoded {
        let id = try id(message, object)
        var report = Report(id: id)
        report.stream = stream
        var fields = FieldReader(nullMeans: .absent)
        try place(&report, object, &fields)
        motion(&report, object, &fields)
        if stream == Stream.state {
            power(&report, object, &fields)
            condition(&report, object, &fields)
        }
        guard !report.isEmpty else { return .ignored(reason: "empty", id: id) }
        stamp(&report, object, &fields)
        if let value = object["headerId"], let number = FieldReader.number(value) {
            report.sequence = Int64(exactly: number)
        }
        report.ordering = .timeOrSequence
        if var link = links[id] {
            report.announcesSilence = link.hibernates
            if !message.retained {
                if link.restarting.remove(stream) != nil { report.ordering = .restart }
                // Some never say ONLINE again after a reconnect.
                if link.isOffline { report.connection = .online }
                link.isOffline = false
                links[id] = link
            }
        }
        report.faults = fields.faults
        return .report(report)
    }

    private static let positionNames = ["agvPosition", "mobileRobotPosition", "agyPosition", "anyPosition"]

    private static func position(in object: JSONObject) -> (name: String, value: JSONObject)? {
        for name in positionNames { if let value = object[name]?.object { return (name, value) } }
        return nil
    }

    private func place(
        _ report: inout Report, _ object: JSONObject, _ fields: inout FieldReader
    ) throws(Rejection) {
        guard let (name, place) = Self.position(in: object) else { return }
        let flag = [place["positionInitialized"], place["localized"]].compactMap { $0 }.first { !$0.isNull }
        let localized = fields.boolean(flag, "localized")
        // 3.0: while starting up, values may be invalid.
        let isUnsure = localized.isAbsent && object["operatingMode"]?.string?.uppercased() == "STARTUP"
        if localized.value == false || isUnsure {
            // x, y and theta are whatever they were when the vehicle started.
            (report.position, report.heading, report.accuracy) = (.unknown, .unknown, .unknown)
            return
        }
        let (x, y) = (Self.present(place["x"]), Self.present(place["y"]))
        switch (x, y) {
        case (nil, nil): return
        case (let x?, let y?):
            let map = Self.word(place["mapId"])
            report.position = try PositionReader.plan(x: x, y: y, map: map, at: ("/\(name)/x", "/\(name)/y"))
        default:
            throw Rejection(
                .missingPosition, at: x == nil ? "/\(name)/x" : "/\(name)/y", "one coordinate without the other")
        }
        let theta = fields.radians(Self.present(place["theta"]))
        report.heading = theta.isAbsent ? .unknown : theta
        report.accuracy = fields.number(place["deviationRange"], "accuracy", in: 0...Double.greatestFiniteMagnitude)
        if let score = place["localizationScore"], FieldReader.number(score) != nil {
            report.properties.append("localizationScore", score)
        }
    }

    /// C++ libraries write NaN as null.
    private static func present(_ value: JSONValue?) -> JSONValue? { value?.isNull == true ? nil : value }

    /// `vx` and `vy` are the vehicle's own axes: their hypotenuse is the speed, in reverse too.
    private func motion(_ report: inout Report, _ object: JSONObject, _ fields: inout FieldReader) {
        guard let velocity = object["velocity"]?.object else { return }
        let parts = [fields.number(velocity["vx"], "speed"), fields.number(velocity["vy"], "speed")]
        let known = parts.compactMap(\.value)
        let isFaulty = parts.contains { if case .unknown = $0 { true } else { false } }
        let speed = hypot(known.first ?? 0, known.dropFirst().first ?? 0)
        report.speed = known.isEmpty || isFaulty || !speed.isFinite ? .unknown : .value(speed)
    }

    private func power(_ report: inout Report, _ object: JSONObject, _ fields: inout FieldReader) {
        for (name, charge, range) in [
            ("batteryState", "batteryCharge", "reach"), ("powerSupply", "stateOfCharge", "range"),
        ] {
            guard let power = object[name]?.object else { continue }
            // Both names in either object, since renaming is done one by one.
            let value = Self.present(power[charge]) ?? power["stateOfCharge"] ?? power["batteryCharge"]
            if report.charge.isAbsent { report.charge = fields.charge(value, scale: input.settings.chargeScale) }
            if report.charging.isAbsent { report.charging = fields.boolean(power["charging"], "charging") }
            if let value = power[range] ?? power["range"] ?? power["reach"], FieldReader.number(value) != nil {
                report.properties["range"] = value
            }
        }
    }

    // MARK: What it is doing

    private func condition(_ report: inout Report, _ object: JSONObject, _ fields: inout FieldReader) {
        let errors = object["errors"]?.array?.compactMap(\.object) ?? []
        let worst = errors.map { ($0, Self.rank(of: $0)) }.max { $0.1 < $1.1 }
        let safety = object["safetyState"]?.object
        let stop = (safety?["eStop"] ?? safety?["activeEmergencyStop"])?.string?.uppercased()
        let driving = fields.boolean(object["driving"], "driving")
        if worst?.1 == Self.fatal || stop == "MANUAL" || stop == "REMOTE" {
            report.state = .value("error")
        } else if report.charging.value == true {
            report.state = .value("charging")
        } else if fields.boolean(object["paused"], "paused").value == true {
            report.state = .value("paused")
        } else {
            report.state = driving.map { $0 ? "moving" : "idle" }
        }
        func keep(_ key: String, _ value: String?, isKnown: Bool) {
            // What is not there any more is unknown; what is not mentioned stays.
            if isKnown { report.properties.append(key, value.map(JSONValue.string) ?? .null) }
        }
        let hasErrors = object["errors"] != nil
        keep("errorLevel", worst?.0["errorLevel"]?.string?.uppercased(), isKnown: hasErrors)
        keep("errorType", worst.flatMap { Self.word($0.0["errorType"]) }, isKnown: hasErrors)
        keep("errorDescription", worst.flatMap { Self.word($0.0["errorDescription"]) }, isKnown: hasErrors)
        keep("emergencyStop", stop == "NONE" ? nil : stop, isKnown: stop != nil)
        keep("operatingMode", Self.mode(object["operatingMode"]), isKnown: object["operatingMode"]?.string != nil)
        keep("orderId", Self.word(object["orderId"]), isKnown: object["orderId"]?.string != nil)
        keep("lastNodeId", Self.word(object["lastNodeId"]), isKnown: object["lastNodeId"]?.string != nil)
        if let loads = object["loads"]?.array { report.properties.append("loads", .number(Double(loads.count))) }
    }

    private static let fatal = 4

    private static func rank(of error: JSONObject) -> Int {
        switch error["errorLevel"]?.string?.uppercased() {
        case "FATAL": fatal
        case "CRITICAL": 3
        case "URGENT": 2
        case "WARNING": 1
        default: 0
        }
    }

    /// 2.x says TEACHIN, 3.x TEACH_IN.
    private static func mode(_ value: JSONValue?) -> String? {
        let word = value?.string?.uppercased()
        return word == "TEACHIN" ? "TEACH_IN" : word
    }
}
