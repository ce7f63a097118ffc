import FleetTestSupport
import Glibc
import JSON
import LocalBroker
import Testing

@Suite("How the bridge ends", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct EndingTests {
    @Test("Asked to end, it leaves offline and inactive behind, with its last counters", arguments: [SIGTERM, SIGINT])
    func goodbye(signal: Int32) throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let devices = try Devices(broker)
            for _ in 0..<10 { try devices.report("r1") }
            try devices.waitUntilCurrent(watcher)
            bridge.process.send(signal)
            #expect(try bridge.process.wait() == 0)
            try watcher.settle()
            #expect(watcher.json("fleet-bridge/status")?["state"] == "offline")
            #expect(watcher.json("fleet-bridge/robots/status")?["status"] == "inactive")
            #expect(watcher.json("fleet-bridge/robots/status")?["reason"] == "shutdown")
            #expect(watcher.locations() == ["r1"])
            // A will beside the goodbye would be a second one.
            #expect(watcher.history("fleet-bridge/status").map { $0["state"] } == ["online", "offline"])
            let stats = try Stats(stored: broker)
            #expect(stats.balance && stats["received"] == 10)
        }
    }

    @Test("Killed, its will says offline for the session that is over")
    func will() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            try watcher.waitForStatus("fleet-bridge/status", "state", "online")
            let session = watcher.json("fleet-bridge/status")?["session"]
            bridge.process.send(SIGKILL)
            try watcher.waitForStatus("fleet-bridge/status", "state", "offline")
            #expect(watcher.json("fleet-bridge/status")?["session"] == session)
            let next = try Bridge(broker, Settings.robots)
            try next.waitUntilReady()
            try watcher.waitForStatus("fleet-bridge/status", "state", "online")
        }
    }

    @Test("Without a broker it ends at once when asked")
    func noBroker() throws {
        try Broker.withBroker { broker in
            broker.kill()
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.process.waitForErrors("disconnected")
            #expect(try bridge.stop() == 0)
        }
    }

    @Test("A broker that accepts and says nothing does not keep it from ending")
    func deafWhileConnecting() throws {
        try Broker.withBroker { broker in
            broker.pause()
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.process.waitForErrors("starting")
            usleep(200_000)  // whether it has connected by now or not, it must end
            bridge.process.send(SIGTERM)
            #expect(try bridge.process.wait(atMost: .seconds(8)) == 0)
            broker.resume()
        }
    }

    @Test("A broker that answers no more does not keep it from ending")
    func deafBroker() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            broker.pause()
            bridge.process.send(SIGTERM)
            #expect(try bridge.process.wait(atMost: .seconds(12)) == 0)
            broker.resume()
        }
    }

    @Test("Asked twice, it does not wait for the broker", arguments: [SIGTERM, SIGINT])
    func askedTwice(signal: Int32) throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            broker.pause()
            bridge.process.send(signal)
            try bridge.process.waitForErrors("shutting down")
            bridge.process.send(signal)
            #expect(try bridge.process.wait(atMost: .seconds(2)) == 0)
            broker.resume()
        }
    }

    @Test("With --for it ends by itself, having said goodbye")
    func bounded() throws {
        try Broker.withBroker { broker in
            let process = try ProductProcess("fleet-bridge", ["run", "--broker", broker.url, "--for", "1s"])
            #expect(try process.wait() == 0)
            let status = try TestClient.retained("fleet-bridge/status", port: broker.port)
            #expect(status.count == 1 && status[0].text.contains(#""state":"offline""#))
        }
    }

    @Test("The later of two bridges with one client identifier ends, the first stays")
    func twoBridges() throws {
        try Broker.withBroker { broker in
            let settings = Settings.robots(bridge: ["broker: {clientId: the-one}"])
            let first = try Bridge(broker, settings)
            try first.waitUntilReady()
            let watcher = try Watcher(broker)
            try watcher.waitForStatus("fleet-bridge/status", "state", "online")
            let since = watcher.json("fleet-bridge/status")?["since"]
            let second = try Bridge(broker, settings)
            #expect(try second.process.wait(atMost: .seconds(30)) == 1)
            #expect(second.process.errors.contains("client id in use"))
            try watcher.wait("the first") {
                let status = $0.json("fleet-bridge/status")
                return status?["state"] == "online" && status?["since"] == since
            }
            let devices = try Devices(broker)
            try watcher.wait("its work") { _ in
                try devices.report("r1")
                return watcher.state("r1") != nil
            }
            #expect(!first.process.errors.contains("client id in use"))
            #expect(try first.stop() == 0)
        }
    }
}
