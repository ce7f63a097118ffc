import JSON
import MQTTModel
import Timestamps

/// Home Assistant's MQTT device tracker: attributes with coordinates, found by discovery on
/// `{prefix}/device_tracker/{object}/config`, beside it `attributes`, `state` and `availability`.
///
/// There is no time in it. A tracker that has lost its place takes its word back: `None`.
struct HomeAssistantFormat: DeviceFormat {
    let device: DeviceIdentity
    private var hadPosition = true

    init(device: DeviceIdentity) { self.device = device }

    func will(at time: Timestamp) -> Message? { availability("offline") }
    func farewell(at time: Timestamp) -> [Message] { [availability("offline")] }

    func greeting(at time: Timestamp) -> [Message] {
        let config: JSONValue = [
            "name": .string(device.name), "unique_id": .string("\(device.source)_\(device.id)"),
            "json_attributes_topic": .string(topic("attributes")), "state_topic": .string(topic("state")),
            "availability_topic": .string(topic("availability")), "source_type": "gps",
        ]
        return [
            Message(topic("config"), config, qos: .atLeastOnce, retain: true), availability("online"),
        ]
    }

    mutating func telemetry(_ reading: Reading, sequence: Int, at time: Timestamp) -> [Message] {
        guard let position = reading.motion.position else {
            defer { hadPosition = false }
            return hadPosition ? [Message(topic("state"), "None", qos: .atLeastOnce)] : []
        }
        hadPosition = true
        var json: JSONObject = [
            "latitude": .rounded(position.latitude, 7), "longitude": .rounded(position.longitude, 7),
        ]
        if let accuracy = reading.motion.accuracy { json["gps_accuracy"] = .rounded(accuracy, 1) }
        if let charge = reading.charge { json["battery_level"] = .rounded(charge, 0) }
        return [Message(topic("attributes"), .object(json), qos: .atLeastOnce)]
    }

    private func availability(_ word: String) -> Message {
        Message(topic("availability"), word, qos: .atLeastOnce, retain: true)
    }

    private func topic(_ last: String) -> String { "\(device.source)/device_tracker/\(device.id)/\(last)" }
}
