import JSON
import MQTTModel
import Timestamps

/// OwnTracks, the apps for phones (OwnTracks Booklet, *JSON*): `owntracks/{user}/{device}`.
///
/// Locations are retained, and elements that are zero are left out. Without a fix nothing is published. The will has the time
/// of the connect and comes on the location's topic; a phone that leaves in good order says nothing. Commands are not heard.
struct OwnTracksFormat: DeviceFormat {
    let device: DeviceIdentity

    private var topic: String { "owntracks/\(device.source)/\(device.id)" }
    /// The last two characters of the topic, as the apps do where nobody has chosen others.
    private var trackerID: String { String(topic.suffix(2)) }

    func will(at time: Timestamp) -> Message? {
        Message(topic, ["_type": "lwt", "tst": .number(time.seconds)], qos: .atLeastOnce)
    }

    func greeting(at time: Timestamp) -> [Message] {
        let card: JSONValue = ["_type": "card", "name": .string(device.name), "tid": .string(trackerID)]
        return [Message("\(topic)/info", card, qos: .atLeastOnce, retain: true)]
    }

    func telemetry(_ reading: Reading, sequence: Int, at time: Timestamp) -> [Message] {
        guard let position = reading.motion.position else { return [] }
        var json: JSONObject = ["_type": "location"]
        func add(_ key: String, _ value: Double?) {
            if let value, value.rounded() != 0 { json[key] = .rounded(value, 0) }
        }
        // Phones tell whole metres, km/h and degrees; 0° would be left out, so north is 360.
        add("acc", reading.motion.accuracy.map { max(1, $0.rounded(.up)) })
        if let charge = reading.charge { json["batt"] = .rounded(charge, 0) }
        if let charge = reading.charge { json["bs"] = .number(reading.isCharging ? 2 : charge == 100 ? 3 : 1) }
        add("cog", reading.motion.heading.map { $0.rounded() == 0 ? 360 : $0 })
        json["conn"] = "m"
        json["lat"] = .rounded(position.latitude, 7)
        json["lon"] = .rounded(position.longitude, 7)
        json["t"] = "t"
        json["tid"] = .string(trackerID)
        json["tst"] = .number(time.seconds)
        add("vel", reading.motion.speed * 3.6)
        return [Message(topic, .object(json), qos: .atLeastOnce, retain: true)]
    }
}

extension Timestamp {
    /// Whole seconds since 1970.
    var seconds: Double { (Double(milliseconds) / 1_000).rounded(.down) }
}
