import JSON
import MQTTModel
import Timestamps

/// The bridge's own telemetry: `fleet/{source}/{device}/telemetry` and `…/connection`.
struct NativeFormat: DeviceFormat {
    let device: DeviceIdentity

    func telemetry(_ reading: Reading, sequence: Int, at time: Timestamp) -> [Message] {
        var json = JSONWriter()
        json.beginObject()
        if let position = reading.motion.position {
            json.write("lat", position.latitude, decimals: 7)  // a centimetre
            json.write("lon", position.longitude, decimals: 7)
        } else {
            json.key("position")
            json.null()
        }
        json.key("floor")
        json.integer(device.floor)
        if let charge = reading.charge { json.write("charge", charge, decimals: 0) }
        // 359.97° is told as 0, never as 360.
        if let heading = reading.motion.heading { json.write("heading", heading >= 359.95 ? 0 : heading, decimals: 1) }
        json.write("speed", reading.motion.speed, decimals: 2)
        if let accuracy = reading.motion.accuracy { json.write("accuracy", accuracy, decimals: 2) }
        json.write("ts", time.iso8601)
        json.key("seq")
        json.integer(sequence)
        if let state = reading.state { json.write("state", state) }
        json.write("name", device.name)
        json.write("type", device.type)
        if !device.building.isEmpty { json.write("building", device.building) }
        json.endObject()
        return [Message(topicName: topic("telemetry"), payload: json.bytes, qos: .atLeastOnce)]
    }

    func will(at time: Timestamp) -> Message? { connection("offline") }
    func greeting(at time: Timestamp) -> [Message] { [connection("online")] }
    func farewell(at time: Timestamp) -> [Message] { [connection("offline")] }

    private func connection(_ word: String) -> Message {
        Message(topic("connection"), word, qos: .atLeastOnce, retain: true)
    }

    private func topic(_ last: String) -> String {
        "fleet/\(device.source)/\(device.id)/\(last)"
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ key: StaticString, _ text: String) {
        self.key(key)
        string(text)
    }

    /// Half a unit of the last decimal is all that is lost.
    fileprivate mutating func write(_ key: StaticString, _ value: Double, decimals: Int) {
        let scale = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7][decimals]
        self.key(key)
        number((value * scale).rounded() / scale)
    }
}
