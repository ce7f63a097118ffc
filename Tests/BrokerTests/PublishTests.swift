import FleetTestSupport
import Foundation
import LocalBroker
import MQTTClient
import MQTTModel
import Testing

@Suite("Publishing", .enabled(if: Broker.isInstalled))
struct PublishTests {
    @Test(
        "What is published arrives byte for byte",
        arguments: [
            ("a", []), ("a//b/", Array("x".utf8)), ("ünïcode/日本 x", [0, 1, 255, 0]),
            ("big", [UInt8](repeating: 7, count: 1 << 20)),
        ] as [(String, [UInt8])])
    func roundTrip(topicName: String, payload: [UInt8]) throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            try client.subscribe("#", qos: .exactlyOnce)
            for qos in [QoS.atMostOnce, .atLeastOnce, .exactlyOnce] {
                let message = Message(topicName: topicName, payload: payload, qos: qos)
                try client.publish(message)
                let received = try client.next()
                #expect(received == message)
                #expect(Array(received.topicName.utf8) == Array(topicName.utf8))
            }
        }
    }

    @Test("Nothing is left to the library before the connection or after it")
    func notConnected() throws {
        try Broker.withBroker { broker in
            let message = Message(topicName: "a", payload: [1], qos: .atLeastOnce, retain: true)
            let early = try MQTTConnection(ConnectOptions(host: "127.0.0.1", port: broker.port))
            try early.connect(now: monotonicNow())
            #expect(early.freeInFlight == 0)
            let before = #expect(throws: MQTTError.self) { try early.publish(message) }
            #expect(before?.reason == .notConnected)

            let client = try TestClient(port: broker.port)
            broker.kill()
            _ = try client.waitForEnd()
            let after = #expect(throws: MQTTError.self) { try client.connection.publish(message) }
            #expect(after?.reason == .notConnected)
            try broker.start()
            #expect(try TestClient.retained("#", port: broker.port) == [])
        }
    }

    @Test("Twenty publishes wait for their acknowledgement, the next is refused, and each comes back once")
    func inFlight() throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            broker.pause()
            let message = Message(topicName: "a", payload: [1], qos: .atLeastOnce)
            var identifiers: [PacketIdentifier?] = []
            for _ in 0..<20 { identifiers.append(try client.connection.publish(message)) }
            #expect(Set(identifiers).count == 20)
            #expect(client.connection.freeInFlight == 0)
            let error = #expect(throws: MQTTError.self) { try client.connection.publish(message) }
            #expect(error?.reason == .inFlightLimit)
            broker.resume()
            try client.wait("acknowledgements") { client.connection.freeInFlight == 20 }
            #expect(try client.publish(message).isFailure == false)
        }
    }

    @Test("QoS 0 fills the socket and a bounded queue, and goes on when the broker reads again")
    func sendQueue() throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port) { $0.sendQueueLimit = 10 }
            broker.pause()
            let message = Message(topicName: "a", payload: [UInt8](repeating: 0, count: 100_000))
            var error: MQTTError?
            for _ in 0..<1_000 where error == nil {
                do { try client.connection.publish(message) } catch let failure as MQTTError { error = failure }
            }
            #expect(error?.reason == .sendQueueFull)
            #expect(client.connection.wantsWrite)
            broker.resume()
            try client.wait("the socket") { !client.connection.wantsWrite }
            try client.publish(message)
            #expect(try client.settle() == [])
        }
    }

    @Test(
        "A topic name that MQTT does not allow is refused here, and the connection lives on",
        arguments: [
            "", "a/+", "a/#", "a\u{0}b", "a\u{1}b", String(repeating: "x", count: 65_536),
        ])
    func invalidTopic(topicName: String) throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            let error = #expect(throws: MQTTError.self) { try client.publish(topicName, "x") }
            #expect(error?.reason == .invalidTopic)
            #expect(try client.publish("fine", "x").isFailure == false)
        }
    }

    @Test(
        "A packet of just the broker's size passes, one byte more is refused here",
        arguments: [
            QoS.atMostOnce, .atLeastOnce,
        ])
    func maximumPacketSize(qos: QoS) throws {
        try Broker.withBroker(settings: ["max_packet_size 1000"]) { broker in
            let client = try TestClient(port: broker.port)
            try client.subscribe("abc", qos: .atMostOnce)
            let overhead = qos == .atMostOnce ? 9 : 11
            var message = Message(topicName: "abc", payload: [UInt8](repeating: 1, count: 1_000 - overhead), qos: qos)
            try client.publish(message)
            #expect(try client.next().payload.count == 1_000 - overhead)
            message.payload.append(1)
            let error = #expect(throws: MQTTError.self) { try client.publish(message) }
            #expect(error?.reason == .packetTooLarge)
            #expect(try client.settle() == [], "still connected")
        }
    }

    @Test("A publish that the access rules deny is acknowledged with 135, and the connection lives on")
    func accessDenied() throws {
        let rules = FileManager.default.temporaryDirectory.appending(
            path: "fleet-acl-\(UInt64.random(in: .min ... .max))")
        defer { try? FileManager.default.removeItem(at: rules) }
        try "topic read #\ntopic write allowed/#\ntopic write test-probe/#\n"
            .write(to: rules, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: rules.path)
        try Broker.withBroker(settings: ["acl_file \(rules.path)"]) { broker in
            let client = try TestClient(port: broker.port)
            try client.subscribe("#")
            for _ in 0..<3 { #expect(try client.publish("denied/a", "x") == .notAuthorized) }
            #expect(try client.publish("allowed/a", "x") == .success)
            #expect(try client.settle().map(\.topicName) == ["allowed/a"])
        }
    }

    @Test("A message with an expiry is gone from the broker after it")
    func messageExpiry() throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            var brief = Message(topicName: "kept/brief", payload: [1], qos: .atLeastOnce, retain: true)
            var lasting = Message(topicName: "kept/lasting", payload: [1], qos: .atLeastOnce, retain: true)
            brief.expirySeconds = 1
            lasting.expirySeconds = 1_000
            try client.connection.publish(brief)
            try client.connection.publish(lasting)
            #expect(try client.settle() == [])
            #expect(try TestClient.retained("kept/#", port: broker.port).count == 2)
            let limit = monotonicNow() + .seconds(5)
            var left: [String] = []
            repeat {
                left = try TestClient.retained("kept/#", port: broker.port).map(\.topicName)
            } while left.count == 2 && monotonicNow() < limit
            #expect(left == ["kept/lasting"])
        }
    }
}
