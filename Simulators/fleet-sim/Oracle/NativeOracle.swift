import JSON
import MQTTModel
import Timestamps

/// What a right consumer of one device's native messages knows, from what was truly sent and the rules in docs/formats.md and
/// docs/topics.md. Written beside the bridge, not from its code.
struct NativeOracle {
    /// What became of the telemetry.
    struct Counts: Sendable, Equatable {
        var applied = 0, duplicate = 0, late = 0, rejected = 0
    }

    private(set) var counts = Counts()
    /// Whether something was under way when the connection was lost, so that nobody knows whether it arrived.
    private(set) var isUncertain = false

    private enum Place {
        case unknown, lost
        case at(latitude: Double, longitude: Double)
    }

    private var order = DeviceOrder()
    private var place = Place.unknown
    /// Members of the styled state that are known.
    private var known = JSONObject()
    private var state: JSONValue?
    /// Of the newest applied report; `nil` where that is its arrival.
    private var time: Timestamp?
    private var isOffline = false

    private static let ranges: [(key: String, range: ClosedRange<Double>)] = [
        ("charge", 0...100), ("speed", 0...Double.greatestFiniteMagnitude),
        ("accuracy", 0...Double.greatestFiniteMagnitude),
    ]

    /// Notes a message that the broker was given.
    mutating func hear(_ message: Message, at arrival: Timestamp) {
        switch message.topicName.split(separator: "/").last {
        case "telemetry": hearTelemetry(message.payload, at: arrival)
        case "connection": isOffline = message.payload == Array("offline".utf8)
        default: break
        }
    }

    /// Notes that messages may be lost.
    mutating func doubt() { isUncertain = true }

    private mutating func hearTelemetry(_ payload: [UInt8], at arrival: Timestamp) {
        guard let content = try? JSONParser().parse(payload).object, !content.isEmpty, let place = Self.place(content)
        else {
            counts.rejected += 1
            return
        }
        let told = content["ts"]?.string.flatMap { Timestamp(iso8601: $0) }
        let time = DeviceOrder.usable(told, arrival: arrival)
        switch order.judge(content, time: time) {
        case .duplicate: counts.duplicate += 1
        case .late: counts.late += 1
        case .applied:
            counts.applied += 1
            // Each of our reports tells all there is.
            isUncertain = false
            self.time = time
            if let place { self.place = place }
            apply(content)
        }
        // Whatever the verdict, the device lives.
        isOffline = false
    }

    /// `nil` rejects the message; a place of `nil` says nothing.
    private static func place(_ content: JSONObject) -> Place?? {
        if content["position"]?.isNull == true { return .some(.lost) }
        guard let latitude = content["lat"], let longitude = content["lon"] else {
            return content["lat"] == nil && content["lon"] == nil ? .some(nil) : nil
        }
        guard let latitude = latitude.number, let longitude = longitude.number, (-90...90).contains(latitude),
            (-180...180).contains(longitude)
        else { return nil }
        return .some(latitude == 0 && longitude == 0 ? .lost : .at(latitude: latitude, longitude: longitude))
    }

    /// Absent keeps what was known; what cannot be used is unknown.
    private mutating func apply(_ content: JSONObject) {
        for (key, range) in Self.ranges {
            guard let value = content[key] else { continue }
            known[key] = value.number.flatMap { range.contains($0) ? .number($0) : nil }
        }
        if let heading = content["heading"] { known["heading"] = heading.number.map { .number($0) } }
        if let floor = content["floor"] { known["floor"] = floor.number.flatMap { $0.rounded() == $0 ? floor : nil } }
        for key in ["name", "type", "building"] {
            guard let value = content[key] else { continue }
            known[key] = value.string.flatMap { $0.isEmpty ? nil : value }
        }
        if let state = content["state"] { self.state = state.isNull ? nil : state }
    }

    /// Members as in the styled state, and how the messages were judged. `time` only where the device's own counts.
    func json(_ device: DeviceIdentity) -> JSONValue {
        var json: JSONObject = ["source": .string(device.source), "id": .string(device.id)]
        var status = "live"
        switch place {
        case .unknown: json["position"] = .null
        case .lost: (json["position"], status) = (.null, "lost")
        case .at(let latitude, let longitude):
            json["position"] = ["lat": .number(latitude), "lon": .number(longitude)]
        }
        json["charge"] = .null
        for member in known.members { json[member.key] = member.value }
        if let state { json["properties"] = ["state": state] }
        json["status"] = .string(isOffline ? "offline" : status)
        if let time { json["time"] = .string(time.iso8601) }
        json["uncertain"] = .bool(isUncertain)
        json["messages"] = [
            "applied": .number(Double(counts.applied)), "duplicate": .number(Double(counts.duplicate)),
            "late": .number(Double(counts.late)), "rejected": .number(Double(counts.rejected)),
        ]
        return .object(json)
    }
}
