import FleetTestSupport
import Glibc
import Testing

/// Brokers that can less than mosquitto, played byte by byte.
@Suite("A broker with less to offer", .timeLimit(.minutes(5)))
struct CapabilityTests {
    @Test("Where there are no subscription identifiers, it subscribes without them", arguments: [true, false])
    func subscriptionIdentifiers(areAvailable: Bool) throws {
        let broker = try FakeBroker()
        let file = try TemporaryFile("bridge.yaml", Settings.robots)
        let bridge = try ProductProcess(
            "fleet-bridge",
            ["run", "--broker", "mqtt://127.0.0.1:\(broker.port)", "--config", file.path, "--for", "20s"])
        try broker.accept()
        #expect(try broker.nextPacket().first == 0x10)
        // CONNACK; property 41: subscription identifiers are available, or not.
        broker.send([0x20, 5, 0, 0, 2, 41, areAvailable ? 1 : 0])
        // The bridge's own topics come first, and need none.
        let haveIdentifiers = try broker.subscriptions(10, properties: [0]).map { $0[4] != 0 }
        #expect(haveIdentifiers == Array(repeating: false, count: 7) + Array(repeating: areAvailable, count: 3))
        #expect(!bridge.errors.contains("subscription"))
        broker.close()
        bridge.send(SIGTERM)
        #expect(try bridge.wait() == 0)
    }

    @Test("Asked for MQTT 3.1.1, it sends nothing that only MQTT 5 has")
    func olderVersion() throws {
        let broker = try FakeBroker()
        let bridge = try run(broker, protocol: "3.1.1", "clientId: c, sessionExpiry: 1h")
        try broker.accept()
        let connect = try broker.nextPacket()
        let body = Array(connect.dropFirst(connect[1] < 0x80 ? 2 : 3))
        #expect(body.prefix(7).elementsEqual([0, 4] + Array("MQTT".utf8) + [4]))
        // Will, its QoS 1 and retain; no clean session, since one is to stay. No properties before the client's name.
        #expect(body[7] == 0b0010_1100)
        #expect(body[10...12].elementsEqual([0, 1, UInt8(ascii: "c")]))
        broker.send([0x20, 2, 0, 0])
        for packet in try broker.subscriptions(10, properties: []) {
            // The packet's identifier, the filter, and its QoS: nothing between, no option bits.
            let length = Int(packet[4]) << 8 | Int(packet[5])
            #expect(packet.count == 7 + length)
            #expect(packet.last.map { $0 <= 2 } == true)
        }
        broker.close()
        bridge.send(SIGTERM)
        #expect(try bridge.wait() == 0)
    }

    @Test(
        "A broker that speaks another version is told with the setting that helps",
        arguments: [
            ("5", [0x20, 2, 0, 1], "unsupported protocol version (132)", "broker.protocol to 3.1.1"),
            ("3.1.1", [0x20, 2, 0, 1], "unsupported protocol version (132)", "broker.protocol to 5"),
            ("5", [], "closed by the other side", "broker.protocol to 3.1.1"),
            ("5", [0x20, 2, 0, 0], "protocol error", "broker.protocol to 3.1.1"),
        ] as [(String, [UInt8], String, String)])
    func otherVersion(version: String, answer: [UInt8], reason: String, hint: String) throws {
        let broker = try FakeBroker()
        let bridge = try run(broker, protocol: version)
        try broker.accept()
        _ = try broker.nextPacket()
        broker.send(answer)
        broker.close()
        try bridge.waitForErrors(hint)
        #expect(bridge.errors.contains(reason))
        bridge.send(SIGTERM)
        #expect(try bridge.wait() == 0)
    }

    private func run(_ broker: FakeBroker, protocol version: String, _ more: String = "qos: 1") throws -> ProductProcess
    {
        let file = try TemporaryFile(
            "bridge.yaml", Settings.robots(bridge: ["broker: {protocol: \(version), \(more)}"]))
        let process = try ProductProcess(
            "fleet-bridge",
            ["run", "--broker", "mqtt://127.0.0.1:\(broker.port)", "--config", file.path, "--for", "20s"])
        try process.waitForErrors("starting")  // it has read the file
        return process
    }
}
