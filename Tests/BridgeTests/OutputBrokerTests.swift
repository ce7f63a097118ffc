import FleetTestSupport
import Glibc
import JSON
import LocalBroker
import MQTTModel
import Testing

@Suite("Two real brokers, one to read and one to publish", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct OutputBrokerTests {
    private func withBrokers(
        _ body: (_ site: EmbeddedBroker, _ centre: EmbeddedBroker, _ bridge: Bridge) throws -> Void
    )
        throws
    {
        try Broker.withBroker { site in
            try Broker.withBroker { centre in
                let bridge = try Bridge(
                    site, Settings.robots(bridge: ["outputBroker: {url: \"\(centre.url)\", protocol: 3.1.1}"]))
                try body(site, centre, bridge)
            }
        }
    }

    @Test("Each broker's outage is its own")
    func outages() throws {
        try withBrokers { site, centre, bridge in
            try bridge.waitUntilReady()
            try bridge.process.waitForErrors("the sources are read")
            let watcher = try Watcher(centre)
            var devices = try Devices(site)
            try devices.report("r1")
            try devices.waitUntilCurrent(watcher)
            try watcher.waitForStatus("fleet-bridge/robots/status", "status", "available")
            #expect(try TestClient.retained("#", port: site.port).isEmpty, "nothing is published there")

            site.kill()
            try watcher.waitForStatus("fleet-bridge/robots/status", "reason", "disconnected")
            #expect(watcher.json("fleet-bridge/status")?["state"] == "online")
            try site.start()
            try bridge.process.waitForErrors("the sources are read", times: 2)
            devices = try Devices(site)
            for _ in 0..<3 { try devices.report("r1") }
            try devices.waitUntilCurrent(watcher)
            try watcher.waitForStatus("fleet-bridge/robots/status", "status", "available")
            #expect(watcher.history("fleet-bridge/status").allSatisfy { $0["state"] == "online" })

            centre.kill()
            for _ in 0..<5 { try devices.report("r1") }
            try centre.start()
            let late = try Watcher(centre)
            try devices.waitUntilCurrent(late)
            try late.waitForStatus("fleet-bridge/status", "state", "online")
            try late.waitForStatus("fleet-bridge/robots/status", "status", "available")

            #expect(try bridge.stop() == 0)
            try late.settle()
            #expect(late.json("fleet-bridge/status")?["state"] == "offline")
            #expect(try Stats(stored: centre).balance && Stats(stored: centre)["received"] == 9)
        }
    }

    @Test(
        "With either of them away from the start it does what can be done, and ends when asked",
        arguments: [true, false])
    func absent(isSite: Bool) throws {
        try withBrokers { site, centre, bridge in
            if isSite { site.kill() } else { centre.kill() }
            // Whatever it reached before: from here on it is in this state.
            try bridge.process.waitForErrors(isSite ? "the sources' broker is disconnected" : " disconnected")
            if isSite {
                let watcher = try Watcher(centre)
                try watcher.waitForStatus("fleet-bridge/status", "state", "online")
                try watcher.waitForStatus("fleet-bridge/robots/status", "reason", "disconnected")
            } else {
                try bridge.process.waitForErrors("the sources are read")
                try Devices(site).report("r1")
            }
            #expect(try bridge.stop() == 0)
        }
    }
}
