import FleetTestSupport
import Glibc
import Testing

/// Brokers that can less than mosquitto, played byte by byte.
@Suite("A broker with less to offer", .timeLimit(.minutes(1)))
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
        var haveIdentifiers: [Bool] = []
        for _ in 0..<6 {
            let packet = try broker.nextPacket()
            #expect(packet.first == 0x82)
            haveIdentifiers.append(packet.dropFirst(4).first != 0)
        }
        // Status, probe and requests come first, and need none.
        #expect(haveIdentifiers == [false, false, false] + Array(repeating: areAvailable, count: 3))
        #expect(!bridge.errors.contains("subscription"))
        broker.close()
        bridge.send(SIGTERM)
        #expect(try bridge.wait() == 0)
    }
}
