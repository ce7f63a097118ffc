import FleetTestSupport
import LocalBroker
import MQTTClient
import MQTTModel
import Testing

@Test("smoke", .enabled(if: Broker.isInstalled))
func smoke() throws {
    try Broker.withBroker { broker in
        let client = try TestClient(port: broker.port, "a")
        #expect(try client.subscribe("x/#") == ReasonCode(rawValue: 1))
        try client.publish("x/y", "hello")
        #expect(try client.next().text == "hello")
        client.disconnect()
        #expect(client.end == .disconnected(.requested))
    }
}
