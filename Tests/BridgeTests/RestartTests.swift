import FleetTestSupport
import Glibc
import JSON
import LocalBroker
import MQTTModel
import Testing

@Suite("The bridge comes again", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct RestartTests {
    private func kill(_ bridge: Bridge) throws {
        bridge.process.send(SIGKILL)
        _ = try bridge.process.wait(atMost: .seconds(10))
    }

    @Test("Thousands of locations are known again after a kill, and are not published again")
    func known() throws {
        try Broker.withBroker { broker in
            let count = 3_000
            let device = try TestClient(port: broker.port, patience: .seconds(30))
            let settings = Settings.robots(source: ["staleAfter: 1h"])
            var bridge = try Bridge(broker, settings)
            try bridge.waitUntilReady()
            for index in 0..<count {
                try device.publish(
                    "fleet/robots/r\(index)/telemetry", #"{"lat":57.5,"lon":9.25,"ts":"\#(now())"}"#, qos: .atMostOnce)
            }
            var watcher = try Watcher(broker, qos: .atMostOnce)
            try watcher.wait("all states") { $0.locations().count == count }
            let before = watcher.topics.filter { $0.key.text.hasSuffix("/state") }
            try kill(bridge)

            watcher = try Watcher(broker)
            try watcher.settle()
            watcher.forgetHistory()
            bridge = try Bridge(broker, settings)
            try watcher.waitForStatus("fleet-bridge/status", "state", "online")
            try watcher.wait("the status to count all") { watcher in
                watcher.json("fleet-bridge/robots/status")?.number("locations.live") == Double(count)
            }
            try watcher.settle()
            #expect(watcher.history.allSatisfy { !$0.topicName.hasSuffix("/state") })
            #expect(watcher.topics.filter { $0.key.text.hasSuffix("/state") } == before)
            #expect(watcher.json("fleet-bridge/robots/status")?["status"] == "available")
            #expect(try bridge.stop() == 0)
        }
    }

    @Test("Nothing is left of a source that was taken out of the configuration")
    func removed() throws {
        try Broker.withBroker { broker in
            let tags = "  tags: {topics: [\"fleet/tags/{device}/telemetry\"]}\n"
            var bridge = try Bridge(broker, Settings.robots + tags)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let device = try TestClient(port: broker.port, patience: .seconds(10))
            try device.publish("fleet/tags/t1/telemetry", #"{"lat":57.5,"lon":9.25}"#)
            try device.publish("fleet/robots/r1/telemetry", #"{"lat":57.5,"lon":9.25}"#)
            try watcher.waitForState("t1", of: "tags", "status", "live")
            try watcher.waitForState("r1", "status", "live")
            #expect(try bridge.stop() == 0)
            bridge = try Bridge(broker, Settings.robots)
            try watcher.wait("the topics to be cleared") { watcher in
                watcher.topics.keys.allSatisfy { !$0.text.hasPrefix("fleet-bridge/tags/") }
            }
            try watcher.settle()
            #expect(watcher.state("r1") != nil)
            try bridge.process.waitForErrors("what does not exist any more is cleared")
            #expect(try bridge.stop() == 0)
        }
    }

    @Test("A persistent session brings what devices sent meanwhile, after what was known")
    func session() throws {
        try Broker.withBroker(settings: ["persistence false", "max_queued_messages 10000"]) { broker in
            let settings = "broker: {clientId: bridge-test, sessionExpiry: 1h}\n" + Settings.robots
            var bridge = try Bridge(broker, settings)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let device = try TestClient(port: broker.port, patience: .seconds(10))
            try device.publish("fleet/robots/r1/telemetry", #"{"lat":57.5,"lon":9.25,"charge":72,"ts":"\#(now())"}"#)
            try watcher.waitForState("r1", "charge", 72)
            try kill(bridge)
            for index in 1...2_000 {
                try device.publish(
                    "fleet/robots/r1/telemetry", #"{"lat":57.5,"lon":9.25,"n":\#(index),"ts":"\#(now())"}"#)
            }
            bridge = try Bridge(broker, settings)
            try watcher.wait("the newest report") { $0.state("r1")?.number("properties.n") == 2_000 }
            #expect(watcher.state("r1")?["charge"] == 72)
            #expect(watcher.state("r1")?["status"] == "live")
            #expect(try bridge.stop() == 0)
            let stats = try Stats(stored: broker)
            #expect(stats.balance && stats["applied"] == 2_000)
        }
    }

    @Test("Two bridges with ids of their own serve one fleet: when one goes, the other stands for it")
    func pair() throws {
        try Broker.withBroker { broker in
            func settings(_ id: String) -> String { "broker: {clientId: \(id)}\n" + Settings.robots }
            let first = try Bridge(broker, settings("a"))
            try first.waitUntilReady()
            let second = try Bridge(broker, settings("b"))
            try second.waitUntilReady()
            let watcher = try Watcher(broker)
            let device = try TestClient(port: broker.port, patience: .seconds(10))
            for index in 0..<20 {
                try device.publish("fleet/robots/r\(index)/telemetry", #"{"lat":57.5,"lon":9.25,"ts":"\#(now())"}"#)
            }
            try watcher.wait("all states") { $0.locations().count == 20 }
            let before = watcher.topics.filter { $0.key.text.hasSuffix("/state") }.mapValues { $0.count }
            try kill(second)
            try watcher.wait("the other's word") { watcher in
                watcher.history("fleet-bridge/status").suffix(2).map { $0["state"] } == ["offline", "online"]
            }
            #expect(watcher.json("fleet-bridge/status")?["clientId"] == "a")
            #expect(watcher.json("fleet-bridge/robots/status")?["status"] == "available")
            #expect(watcher.topics.filter { $0.key.text.hasSuffix("/state") }.mapValues { $0.count } == before)
            #expect(try first.stop() == 0)
        }
    }
}
