import FleetTestSupport
import Glibc
import JSON
import LocalBroker
import MQTTModel
import Testing

@Suite("What was stored before the bridge came", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct StoredMessageTests {
    @Test("All stored telemetry is read, though the broker's queue is short", arguments: [1_000, 5_000])
    func all(count: Int) throws {
        let short = ["max_queued_messages 100", "max_inflight_messages 20"]
        try Broker.withBroker(settings: short) { broker in
            let device = try TestClient(port: broker.port, patience: .seconds(30))
            for index in 0..<count {
                try device.publish(
                    "fleet/robots/r\(index)/telemetry", #"{"lat":57.5,"lon":9.25,"n":\#(index)}"#, qos: .atMostOnce,
                    retain: true)
            }
            _ = try device.settle()
            let bridge = try Bridge(broker, Settings.robots(bridge: ["republishRate: 20000"]))
            try bridge.waitUntilReady()
            // A subscriber that watches would lose some: the short queue is for it, too. A late joiner gets all.
            let limit = monotonicNow() + .seconds(60)
            var watcher = try Watcher(broker, qos: .atMostOnce)
            try watcher.settle()
            while watcher.locations().count < count, monotonicNow() < limit {
                watcher.client.disconnect()
                watcher = try Watcher(broker, qos: .atMostOnce)
                try watcher.settle()
            }
            #expect(watcher.locations().count == count)
            #expect(watcher.state("r\(count - 1)")?.number("properties.n") == Double(count - 1))
            // Their age is unknown.
            #expect(watcher.state("r0")?["status"] == "stale")
            #expect(try bridge.stop() == 0)
            let stats = try Stats(stored: broker)
            #expect(stats.balance && stats["received"] == count)
            #expect(!bridge.process.errors.contains("probe"))
        }
    }

    @Test("Stored telemetry is as old as it says; a stored offline counts, a stored online does not")
    func age() throws {
        try Broker.withBroker { broker in
            let devices = try Devices(broker)
            func store(_ device: String, _ age: Duration) throws {
                try devices.publish(
                    "fleet/robots/\(device)/telemetry", Array(#"{"lat":57,"lon":9,"ts":"\#(now(.zero - age))"}"#.utf8),
                    retain: true)
            }
            try store("young", .zero)
            try store("old", .seconds(3_600))
            try devices.publish("fleet/robots/old/connection", Array("online".utf8), retain: true)
            try store("gone", .zero)
            try devices.publish("fleet/robots/gone/connection", Array("offline".utf8), retain: true)
            let bridge = try Bridge(broker, Settings.robots)
            let watcher = try Watcher(broker)
            try watcher.waitForState("young", "status", "live")
            try watcher.waitForState("old", "status", "stale")
            try watcher.waitForState("gone", "status", "offline")
            // Each was shown as it is from the beginning.
            try watcher.settle()
            for (device, status) in [("young", "live"), ("old", "stale"), ("gone", "offline")] {
                let told = watcher.history("fleet-bridge/robots/\(device)/state").map { $0["status"] }
                #expect(Set(told) == [.string(status)])
            }
            #expect(try bridge.stop() == 0)
        }
    }

    @Test("Over MQTT 3.1.1 what is stored comes twice, and counts once")
    func twice() throws {
        try Broker.withBroker { broker in
            let devices = try Devices(broker)
            for device in ["a", "b", "c"] {
                try devices.publish(
                    "fleet/robots/\(device)/telemetry", Array(#"{"lat":57,"lon":9}"#.utf8), retain: true)
                try devices.publish("fleet/robots/\(device)/connection", Array("offline".utf8), retain: true)
            }
            let bridge = try Bridge(broker, Settings.robots(bridge: ["broker: {protocol: 3.1.1}"]))
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            for device in ["a", "b", "c"] { try watcher.waitForState(device, "status", "offline") }
            try watcher.waitForStatus("fleet-bridge/status", "state", "online")
            try devices.report("a")
            try watcher.waitForState("a", "status", "live")
            #expect(try bridge.stop() == 0)
            let stats = try Stats(stored: broker)
            #expect(stats.balance && stats["received"] == 13 && stats["duplicate"] == 6)
            #expect(stats["reasons.stored-twice"] == 6)
            #expect(!bridge.process.errors.contains("probe"))
            try watcher.settle()
            #expect(watcher.json("fleet-bridge/status")?["state"] == "offline")
        }
    }

    @Test("Over MQTT 3.1.1 a session keeps what devices sent while the bridge was away")
    func session() throws {
        try Broker.withBroker { broker in
            let settings = Settings.robots(bridge: ["broker: {protocol: 4, clientId: keeper, sessionExpiry: 1h}"])
            let first = try Bridge(broker, settings)
            try first.waitUntilReady()
            first.process.send(SIGKILL)
            let watcher = try Watcher(broker)
            try watcher.waitForStatus("fleet-bridge/status", "state", "offline")
            let devices = try Devices(broker)
            for _ in 0..<5 { try devices.report("r1") }
            let second = try Bridge(broker, settings)
            try devices.waitUntilCurrent(watcher)
            #expect(try second.stop() == 0)
            #expect(try Stats(stored: broker)["received"] == 5)
        }
    }
}
