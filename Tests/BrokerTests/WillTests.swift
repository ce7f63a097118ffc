import FleetTestSupport
import LocalBroker
import MQTTClient
import MQTTModel
import Testing

@Suite("Will message", .enabled(if: Broker.isInstalled))
struct WillTests {
    private func connect(_ broker: EmbeddedBroker, _ identifier: String) throws -> TestClient {
        try TestClient(port: broker.port, identifier) {
            $0.willMessage = Message(
                topicName: "will/\(identifier)", payload: Array("offline".utf8), qos: .atLeastOnce, retain: true)
        }
    }

    @Test("A cut connection publishes the will, with QoS and retain as set")
    func cut() throws {
        try Broker.withBroker { broker in
            let watcher = try TestClient(port: broker.port)
            try watcher.subscribe("will/#")
            let client = try connect(broker, "a")
            client.cut()
            let will = try watcher.next("the will")
            #expect(will.topicName == "will/a")
            #expect(will.text == "offline")
            #expect(will.qos == .atLeastOnce)
            #expect(try TestClient.retained("will/#", port: broker.port).map(\.text) == ["offline"])
        }
    }

    @Test("A clean disconnect publishes no will, whether idle, or flooded with messages it has not read")
    func disconnect() throws {
        try Broker.withBroker { broker in
            let watcher = try TestClient(port: broker.port)
            try watcher.subscribe("will/#")
            let idle = try connect(broker, "idle")
            idle.disconnect()
            #expect(idle.end == .disconnected(.requested))

            // More than the socket takes, so that the broker is still writing when the client goes.
            let publisher = try TestClient(port: broker.port)
            let message = Message(topicName: "flood", payload: [UInt8](repeating: 1, count: 20_000), qos: .atLeastOnce)
            for round in 0..<10 {
                let flooded = try connect(broker, "flooded\(round)")
                try flooded.subscribe("flood", qos: .atMostOnce)
                for _ in 0..<350 { try publisher.publish(message) }
                flooded.disconnect()
                #expect(flooded.end == .disconnected(.requested))
            }
            #expect(try watcher.settle() == [])
        }
    }

    @Test("A disconnect whose broker hangs ends by itself")
    func disconnectFromHangingBroker() throws {
        try Broker.withBroker { broker in
            let client = try connect(broker, "a")
            broker.pause()
            let start = monotonicNow()
            client.disconnect()
            #expect(client.end == .disconnected(.requested))
            #expect(monotonicNow() - start < .seconds(4))
        }
    }
}
