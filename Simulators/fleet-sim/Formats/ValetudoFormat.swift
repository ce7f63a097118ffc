import JSON
import MQTTModel
import Timestamps

/// Valetudo: `valetudo/{identifier}/…`, one property a topic after the Homie convention 4.0, and the map.
///
/// Every property is retained and told only when it changes; the map comes at QoS 0, everything else at QoS 1. `$state` is
/// `lost` by will and `disconnected` in good order. No message has a time.
struct ValetudoFormat: DeviceFormat {
    private let device: DeviceIdentity
    private var map: ValetudoMap
    private var told: [String: String] = [:]

    init(device: DeviceIdentity, plan: LocalPlan) {
        self.device = device
        map = ValetudoMap(device: device, plan: plan)
    }

    func will(at time: Timestamp) -> Message? { state("lost") }
    func farewell(at time: Timestamp) -> [Message] { [state("disconnected")] }

    mutating func greeting(at time: Timestamp) -> [Message] {
        told = [:]
        map.forget()
        return [state("init")] + ValetudoNode.attributes(of: device).map(property) + [state("ready")]
    }

    mutating func telemetry(_ reading: Reading, sequence: Int, at time: Timestamp) -> [Message] {
        var values = [
            ("StatusStateAttribute/status", Self.status(reading.state)),
            ("StatusStateAttribute/flag", reading.state == "charging" ? "resumable" : "none"),
            ("StatusStateAttribute/error_description", "No error"),
            (
                "StatusStateAttribute/error",
                #"{"severity":{"kind":"none","level":"none"},"subsystem":"none","message":""}"#
            ),
            ("BatteryStateAttribute/status", Self.batteryStatus(reading.state)),
        ]
        if let charge = reading.charge {
            values.append(("BatteryStateAttribute/level", JSONValue.rounded(charge, 0).text))
        }
        let changed = values.filter { told[$0.0] != $0.1 }
        for (topic, value) in changed { told[topic] = value }
        var messages = changed.map(property)
        if let packed = map.update(reading) {
            messages.append(
                Message(topicName: topic("MapData/map-data"), payload: packed, qos: .atMostOnce, retain: true))
        }
        return messages
    }

    private static func status(_ state: String?) -> String {
        switch state {
        case "charging": "docked"
        case let state?: state
        case nil: "idle"
        }
    }

    private static func batteryStatus(_ state: String?) -> String {
        switch state {
        case "charging": "charging"
        case "docked": "charged"
        default: "discharging"
        }
    }

    private func state(_ word: String) -> Message { property("$state", word) }

    private func property(_ name: String, _ value: String) -> Message {
        Message(topic(name), value, qos: .atLeastOnce, retain: true)
    }

    private func topic(_ name: String) -> String { "\(device.source)/\(device.id)/\(name)" }
}
