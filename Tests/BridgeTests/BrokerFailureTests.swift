import FleetTestSupport
import Foundation
import Glibc
import JSON
import LocalBroker
import Testing

@Suite("A broker that fails", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct BrokerFailureTests {
    private static let fleet = (0..<20).map { "r\($0)" }

    @Test("A bridge started before its broker comes in when the broker does")
    func absentAtStart() throws {
        try Broker.withBroker { broker in
            broker.kill()
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.process.waitForErrors("disconnected")
            try broker.start()
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let devices = try Devices(broker)
            try devices.report("r1")
            try devices.waitUntilCurrent(watcher)
            #expect(try bridge.stop() == 0)
        }
    }

    @Test("After the broker lost everything, subscriptions and all retained output come back")
    func restart() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            let before = try Watcher(broker)
            var devices = try Devices(broker)
            for device in Self.fleet { try devices.report(device) }
            try devices.waitUntilCurrent(before)
            try before.waitForStatus("fleet-bridge/robots/status", "status", "available")
            let session = try #require(before.json("fleet-bridge/status")?.number("session"))

            broker.kill()
            try bridge.process.waitForErrors("disconnected")
            try broker.start()
            let after = try Watcher(broker)
            try after.wait("everything retained") { $0.locations().count == Self.fleet.count }
            try after.waitForStatus("fleet-bridge/robots/status", "status", "available")
            try after.waitForStatus("fleet-bridge/status", "state", "online")
            #expect(after.json("fleet-bridge/status")?.number("session") ?? 0 > session)
            for device in Self.fleet { #expect(after.state(device) == before.state(device)) }

            devices = try Devices(broker)
            for device in Self.fleet { for _ in 0..<2 { try devices.report(device) } }
            try devices.waitUntilCurrent(after)
            #expect(try bridge.stop() == 0)
            #expect(try Stats(stored: broker).balance)
        }
    }

    @Test("What was cleared is cleared again where the broker comes back with an older store")
    func olderStore() throws {
        try Broker.withStoringBroker { broker, path in
            let store = URL(filePath: path)
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            let before = try Watcher(broker)
            let devices = try Devices(broker)
            for device in ["r1", "r2"] { try devices.report(device) }
            try devices.waitUntilCurrent(before)
            var stored = Data()
            try before.wait("the store to be written") { _ in
                stored = (try? Data(contentsOf: store)) ?? Data()
                return ["r1", "r2"].allSatisfy { stored.range(of: Data("fleet-bridge/robots/\($0)/state".utf8)) != nil }
            }
            try devices.publish("fleet/robots/r1/telemetry", [])
            try before.wait("r1 to be gone") { $0.locations() == ["r2"] }

            bridge.process.send(SIGSTOP)
            broker.kill()
            try stored.write(to: store)
            try broker.start()
            let after = try Watcher(broker)
            try after.settle()
            #expect(after.locations() == ["r1", "r2"], "the broker knows no better")
            bridge.process.send(SIGCONT)
            try after.wait("r1 to be gone again") { $0.locations() == ["r2"] }
            #expect(try bridge.stop() == 0)
        }
    }

    @Test("What changed while the broker was away is shown once, and nothing old after it")
    func nothingStale() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            let before = try Watcher(broker)
            let devices = try Devices(broker)
            // The broker dies while the bridge has its hands full.
            for _ in 0..<100 { for device in Self.fleet { try devices.burst(device) } }
            try before.wait("the first states") { $0.locations().count == Self.fleet.count }
            broker.kill()
            try broker.start()
            let after = try Watcher(broker)
            let again = try Devices(broker)
            for device in Self.fleet {
                try again.publish(
                    "fleet/robots/\(device)/telemetry",
                    Array(#"{"lat":58,"lon":9,"ts":"\#(now())","n":1000}"#.utf8), retain: true)
            }
            try after.wait("the newest of each") { watcher in
                Self.fleet.allSatisfy { watcher.numbers(of: $0).last == 1000 }
            }
            try after.settle()
            for device in Self.fleet { #expect(after.numbers(of: device) == [1000]) }
            #expect(try bridge.stop() == 0)
        }
    }

    @Test("A broker that hangs is given up, and taken again when it wakes")
    func hangs() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots(bridge: ["broker: {keepAlive: 5s}"]))
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let devices = try Devices(broker)
            try devices.report("r1")
            try devices.waitUntilCurrent(watcher)
            broker.pause()
            try bridge.process.waitForErrors("disconnected")
            broker.resume()
            try bridge.waitUntilReady(times: 2)
            let after = try Watcher(broker)
            let again = try Devices(broker)
            try again.report("r2")
            try again.waitUntilCurrent(after)
            // The old connection's will may come late; it does not stay.
            try after.waitForStatus("fleet-bridge/status", "state", "online")
            #expect(after.locations() == ["r1", "r2"])
            #expect(try bridge.stop() == 0)
        }
    }

    @Test("A pause that the keep-alive survives loses nothing")
    func shortPause() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let devices = try Devices(broker)
            for _ in 0..<50 { for device in Self.fleet { try devices.burst(device) } }
            broker.pause()
            usleep(300_000)
            broker.resume()
            for device in Self.fleet { try devices.report(device) }
            try devices.waitUntilCurrent(watcher)
            #expect(try bridge.stop() == 0)
            let stats = try Stats(stored: broker)
            #expect(stats.balance && stats["received"] == 51 * Self.fleet.count)
            #expect(!bridge.process.errors.contains("disconnected"))
        }
    }

    @Test("A bridge that was held up for a while catches up")
    func bridgePaused() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let devices = try Devices(broker)
            bridge.process.send(SIGSTOP)
            for _ in 0..<50 { for device in Self.fleet { try devices.report(device) } }
            bridge.process.send(SIGCONT)
            try devices.waitUntilCurrent(watcher)
            for device in Self.fleet {
                let numbers = watcher.numbers(of: device)
                #expect(numbers == numbers.sorted())
            }
            #expect(try bridge.stop() == 0)
            let stats = try Stats(stored: broker)
            #expect(stats.balance && stats["received"] == 50 * Self.fleet.count)
        }
    }

    @Test("A subscriber that does not read holds up nobody")
    func slowConsumer() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            let deaf = try TestClient(port: broker.port)
            try deaf.subscribe("#")
            let watcher = try Watcher(broker)
            let devices = try Devices(broker)
            for _ in 0..<100 { for device in Self.fleet { try devices.burst(device) } }
            for device in Self.fleet { try devices.report(device) }
            try devices.waitUntilCurrent(watcher)
            #expect(try bridge.stop() == 0)
            #expect(try Stats(stored: broker).balance)
            deaf.cut()
        }
    }
}
