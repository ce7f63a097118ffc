import MQTTModel
import Testing

@testable import MQTTClient

@Test(
    "The size of a PUBLISH packet counts every byte",
    arguments: [
        // header 1, remaining length 1, topic 2 + 3, properties' length 1
        (payload: 0, qos: QoS.atMostOnce, properties: 0, expected: 8),
        (payload: 0, qos: .atLeastOnce, properties: 0, expected: 10),
        (payload: 0, qos: .atLeastOnce, properties: 5, expected: 15),
        // the remaining length takes its second byte at 128, third at 16 384, fourth at 2 097 152
        (payload: 121, qos: .atMostOnce, properties: 0, expected: 129),
        (payload: 122, qos: .atMostOnce, properties: 0, expected: 131),
        (payload: 16_377, qos: .atMostOnce, properties: 0, expected: 16_386),
        (payload: 16_378, qos: .atMostOnce, properties: 0, expected: 16_388),
        (payload: 2_097_146, qos: .atMostOnce, properties: 0, expected: 2_097_157),
    ])
func publishPacketSize(payload: Int, qos: QoS, properties: Int, expected: Int) {
    let message = Message(topicName: "abc", payload: [UInt8](repeating: 0, count: payload), qos: qos)
    #expect(message.publishPacketSize(propertiesLength: properties) == expected)
}

@Test("The properties of a PUBLISH packet: an identifier each, and a length before topic and data")
func propertiesLength() {
    func length(_ correlation: Correlation?, expires: Bool = false) -> Int {
        var message = Message(topicName: "abc", payload: [], correlation: correlation)
        if expires { message.expirySeconds = 1 }
        return message.propertiesLength
    }
    #expect(length(nil) == 0)
    #expect(length(nil, expires: true) == 5)
    #expect(length(Correlation(responseTopic: nil, data: [1, 2])) == 5)
    #expect(length(Correlation(responseTopic: "a/é", data: nil)) == 7)
    #expect(length(Correlation(responseTopic: "a/b", data: []), expires: true) == 14)
}
