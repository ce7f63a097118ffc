internal import Geometry
internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// OwnTracks (the booklet's JSON page and the recorder's CSV of Greenwich trackers): phones and some vehicle trackers.
///
/// A device is `user/device`: the two topic levels before a suffix. `tst` is the time of the fix, also where a ping repeats
/// an old one. `vel` is km/h, `cog` degrees clockwise from true north; −1 means unknown.
struct OwnTracksFormat: TelemetryFormat {
    /// Levels below the device's own topic, and what else they carry.
    private static let suffixes: Set<String> = [
        "event", "waypoint", "waypoints", "info", "cmd", "step", "beacon", "dump", "status", "request",
    ]
    /// What others send to the device: no sign of its life.
    private static let commands: Set<String> = ["cmd", "request"]
    private static let cardsAtMost = 10_000

    private enum Stream { static let location = 0, card = 1 }

    private let input: PayloadReader
    /// Names from cards, which win over the two letters that every location carries.
    private var cardNames: [Identifier: String] = [:]

    init(settings: SourceSettings) { input = PayloadReader(settings) }

    mutating func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        let (id, suffix) = try identity(message)
        if message.payload.isEmpty { return .empty(withdrawing: suffix == nil ? id : nil) }
        if let suffix, Self.commands.contains(suffix) { return .ignored(reason: "command", id: nil) }
        let first = message.payload.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
        if let first, first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
            message.payload.contains(UInt8(ascii: ","))
        {
            return .report(try greenwich(message.payload, id))
        }
        return try input.messages(message.payload) { (object) throws(Rejection) in try read(object, id) }
    }

    private func identity(_ message: IncomingMessage) throws(Rejection) -> (id: Identifier, suffix: String?) {
        var levels = message.topic.levels[...]
        let suffix = levels.last.flatMap { levels.count > 2 && Self.suffixes.contains($0) ? $0 : nil }
        if suffix != nil { levels = levels.dropLast() }
        let user = message.names["user"] ?? levels.dropLast().last ?? ""
        let device = message.names["device"] ?? levels.last ?? ""
        guard !user.isEmpty, !device.isEmpty else {
            throw Rejection(.badDeviceID, "the topic names no user and device")
        }
        return (try DeviceID.check("\(user)/\(device)"), suffix)
    }

    private mutating func read(_ object: JSONObject, _ id: Identifier) throws(Rejection) -> Decoded {
        guard let type = object["_type"]?.string else {
            throw Rejection(.missingType, at: "/_type", "without _type nobody can tell what this is")
        }
        switch type {
        case "location": return .report(try location(object, id))
        case "transition":
            var report = try location(object, id)
            let words = [object["event"]?.string, object["desc"]?.string].compactMap { $0 }
            if !words.isEmpty { report.properties.append("event", .string(words.joined(separator: " "))) }
            return .report(report)
        case "lwt":
            var report = Report(id: id)
            report.connection = .offline
            return .report(report)
        case "card": return card(object, id)
        case "waypoint", "waypoints": return .ignored(reason: "waypoint", id: id)
        case "cmd", "request": return .ignored(reason: "command", id: nil)
        case "encrypted": throw Rejection(.encrypted, at: "/data", "an encrypted message, and no key")
        default: return .ignored(reason: "other-type", id: id)
        }
    }

    private func location(_ object: JSONObject, _ id: Identifier) throws(Rejection) -> Report {
        guard let lat = object["lat"], let lon = object["lon"] else {
            throw Rejection(.missingPosition, at: object["lat"] == nil ? "/lat" : "/lon", "a location without a place")
        }
        var report = Report(id: id)
        report.stream = Stream.location
        report.position = try PositionReader.degrees(
            latitude: lat, longitude: lon, at: ("/lat", "/lon"), acceptNullIsland: input.settings.acceptNullIsland)
        var fields = FieldReader(nullMeans: .absent)
        report.accuracy = fields.metres(object["acc"], "accuracy").filter { $0 > 0 }
        report.altitude = fields.metres(object["alt"], "altitude")
        report.speed = fields.number(object["vel"], "speed").filter { $0 >= 0 }.map { $0 / 3.6 }
        report.heading = fields.number(object["cog"], "heading").filter { $0 >= 0 }.map(normalizedDirection)
        report.charge = charge(object["batt"], &fields)
        report.charging = charging(object["bs"])
        input.stamp(&report, object["tst"], &fields)
        if let name = cardNames[id] ?? object["tid"]?.string, !name.isEmpty { report.name = .value(name) }
        // SSID and BSSID are the owner's business and go no further.
        for (key, property) in [("inregions", "regions"), ("t", "trigger"), ("conn", "network"), ("motion", "motion")] {
            if let value = object[key], !value.isNull { report.properties.append(property, value) }
        }
        report.faults = fields.faults
        return report
    }

    private func charge(_ value: JSONValue?, _ fields: inout FieldReader) -> Reading<Double> {
        if let value, FieldReader.number(value) == -1 { return .unknown }
        return fields.charge(value, scale: input.settings.chargeScale)
    }

    /// 0 unknown, 1 unplugged, 2 charging, 3 full.
    private func charging(_ value: JSONValue?) -> Reading<Bool> {
        guard let value, let code = FieldReader.number(value) else { return .absent }
        switch code {
        case 2: return .value(true)
        case 1, 3: return .value(false)
        default: return .unknown
        }
    }

    private mutating func card(_ object: JSONObject, _ id: Identifier) -> Decoded {
        var report = Report(id: id)
        report.stream = Stream.card
        guard let name = object["name"]?.string ?? object["tid"]?.string, !name.isEmpty else {
            return .ignored(reason: "card-without-name", id: id)
        }
        if cardNames.count < Self.cardsAtMost || cardNames[id] != nil { cardNames[id] = name }
        report.name = .value(name)
        return .report(report)
    }

    /// Greenwich trackers: `tid,tst (hexadecimal),t,lat·10⁶,lon·10⁶,cog/10,vel,alt/10,dist,trip`.
    private func greenwich(_ payload: [UInt8], _ id: Identifier) throws(Rejection) -> Report {
        let text = try PayloadReader.text(payload)
        let fields = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard fields.count >= 8, let seconds = Int64(fields[1], radix: 16), seconds >= 0 else {
            throw Rejection(.invalidJSON, "neither JSON nor a tracker's CSV")
        }
        func number(_ index: Int) -> Double? { DecimalText.number(fields[index]) }
        guard let lat = number(3), let lon = number(4) else {
            throw Rejection(.positionNotANumber, "a coordinate that is no number")
        }
        var report = Report(id: id)
        report.position = try PositionReader.degrees(
            latitude: .number(lat / 1e6), longitude: .number(lon / 1e6), at: ("", ""),
            acceptNullIsland: input.settings.acceptNullIsland)
        report.time = Timestamp(unix: Double(seconds))
        if let cog = number(5), cog >= 0 { report.heading = .value(normalizedDirection(cog * 10)) }
        if let vel = number(6), vel >= 0 { report.speed = .value(vel / 3.6) }
        if let alt = number(7) { report.altitude = .value(alt * 10) }
        if !fields[0].isEmpty { report.name = .value(cardNames[id] ?? fields[0]) }
        if !fields[2].isEmpty { report.properties.append("trigger", .string(fields[2])) }
        return report
    }
}

extension Rejection.Reason {
    static let missingType = Self(rawValue: "missing-type")
    static let encrypted = Self(rawValue: "encrypted")
}

extension FieldReader {
    /// Metres; old phones write "75m".
    fileprivate mutating func metres(_ value: JSONValue?, _ field: StaticString) -> Reading<Double> {
        if let text = value?.string, text.hasSuffix("m") { return number(.string(String(text.dropLast())), field) }
        return number(value, field)
    }
}
