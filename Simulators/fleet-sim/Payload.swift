import JSON
import MQTTModel

extension Message {
    init(_ topicName: String, _ payload: JSONValue, qos: QoS, retain: Bool = false) {
        self.init(topicName: topicName, payload: Array(payload.text.utf8), qos: qos, retain: retain)
    }

    init(_ topicName: String, _ text: String, qos: QoS, retain: Bool = false) {
        self.init(topicName: topicName, payload: Array(text.utf8), qos: qos, retain: retain)
    }
}

extension JSONValue {
    /// A number with so many decimals at most.
    static func rounded(_ value: Double, _ decimals: Int) -> JSONValue {
        let scale = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7][decimals]
        return .number((value * scale).rounded() / scale)
    }
}
