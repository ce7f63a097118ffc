import FleetTestSupport
import Foundation
import Glibc
import JSON
import LocalBroker
import MQTTModel
import Randomness
import Testing

/// Brokers, bridges and devices that are killed, paused and cut at random while a fleet publishes. In the end each
/// retained state must be what the devices last said. `SEEDS=N` runs seeds 1…N, `SEED=n` just one.
@Suite("Chaos", .enabled(if: Broker.isInstalled), .serialized, .timeLimit(.minutes(5)))
struct ChaosTests {
    static var seeds: [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SEED"].flatMap({ UInt64($0) }) { return [seed] }
        return Array(1...max(1, environment["SEEDS"].flatMap { UInt64($0) } ?? 1))
    }

    @Test("Whatever dies, the retained states end as the devices said last, and the counters balance", arguments: seeds)
    func chaos(seed: UInt64) throws {
        try Broker.withBroker { broker in
            var run = try ChaosRun(broker, seed: seed)
            try run.disturb()
            try run.calm()
            try run.compare()
        }
    }
}

private struct ChaosRun {
    private enum Disturbance: CaseIterable {
        case cutDevices, withdrawDevices, pauseBroker, killBroker, pauseBridge, killBridge
    }

    private static let rounds = 12
    private static let configuration = Settings.robots(
        source: ["hold: 100ms"], bridge: ["broker: {keepAlive: 5s}", "republishRate: 5000"])

    private let broker: EmbeddedBroker
    private let seed: UInt64
    private var random: SeededRandom
    private var bridge: Bridge
    private let fleet: [ChaosDevice]
    /// Sees what one bridge publishes on one life of the broker.
    private var watcher: Watcher
    /// Each one makes the bridge wait twice as long before it comes again.
    private var brokerKills = 0

    init(_ broker: EmbeddedBroker, seed: UInt64) throws {
        self.broker = broker
        self.seed = seed
        random = SeededRandom(seed: seed)
        watcher = try Watcher(broker)
        bridge = try Bridge(broker, Self.configuration)
        fleet = (0..<12).map { ChaosDevice(id: "r\($0)", port: broker.port) }
    }

    /// Lets the fleet publish while things break.
    mutating func disturb() throws {
        for _ in 0..<Self.rounds {
            for _ in 0..<Int.random(in: 5...60, using: &random) {
                fleet.randomElement(using: &random)?.report(retain: Bool.random(using: &random))
            }
            try disturb(by: Disturbance.allCases.randomElement(using: &random) ?? .cutDevices)
        }
        try watcher.settle()
        expectNothingWentBack()
    }

    private mutating func disturb(by kind: Disturbance) throws {
        let pause = UInt32.random(in: 0..<300_000, using: &random)
        switch kind {
        case .cutDevices: for device in fleet where Bool.random(using: &random) { device.cut() }
        case .withdrawDevices: for device in fleet where Bool.random(using: &random) { device.withdraw() }
        case .pauseBroker:
            broker.pause()
            for device in fleet { device.report(waits: false) }
            usleep(pause)
            broker.resume()
        case .killBroker where brokerKills < 2:
            brokerKills += 1
            for device in fleet { device.report(waits: false) }
            try watcher.settle()
            broker.kill()
            expectNothingWentBack()
            usleep(pause)
            try broker.start()
            watcher = try Watcher(broker)
        case .killBridge:
            for device in fleet { device.report(waits: false) }
            bridge.process.send(SIGKILL)
            // Its will comes after all that it had published.
            try watcher.wait("the will") { $0.json("fleet-bridge/status")?["state"] != "online" }
            expectNothingWentBack()
            // The next one knows only what is stored, which may be older.
            bridge = try Bridge(broker, Self.configuration)
            watcher = try Watcher(broker)
            try watcher.settle()
            watcher.forgetHistory()
        case .pauseBridge, .killBroker:
            bridge.process.send(SIGSTOP)
            for device in fleet { device.report(waits: false) }
            usleep(pause)
            bridge.process.send(SIGCONT)
        }
    }

    private func expectNothingWentBack() {
        for device in fleet {
            let numbers = watcher.numbers(of: device.id)
            #expect(numbers == numbers.sorted(), "seed \(seed): \(device.id) went back")
        }
    }

    /// Nothing breaks any more: each device says its last word, and some leave in one way or the other.
    mutating func calm() throws {
        // A report that comes through tells that the bridge is back.
        let probe = ChaosDevice(id: "probe", port: broker.port)
        try watcher.wait("a report to come through") {
            if $0.state("probe") == nil { probe.report() }
            return $0.state("probe") != nil
        }
        for (index, device) in fleet.enumerated() {
            try device.lastReport(retain: index % 2 == 0)
            switch index % 4 {
            case 0: device.cut()
            case 1: try device.leave()
            default: break
            }
        }
    }

    mutating func compare() throws {
        for (index, device) in fleet.enumerated() {
            let comment = "seed \(seed): \(device.id)"
            switch index % 4 {
            case 0:
                try watcher.waitForState(device.id, "status", "offline")
                try watcher.waitForState(device.id, "properties.n", .number(Double(device.number)))
            case 1: try watcher.wait("\(comment) to be gone") { $0.state(device.id) == nil }
            default:
                try watcher.waitForState(device.id, "properties.n", .number(Double(device.number)))
                try watcher.waitForState(device.id, "status", "live")
            }
            if let state = watcher.state(device.id) {
                #expect(state.number("charge") == Double(device.number % 101), "\(comment)")
                #expect(state.number("position.lat") == device.latitude, "\(comment)")
            }
        }
        try watcher.settle()
        let expected = fleet.indices.filter { $0 % 4 != 1 }.map { fleet[$0].id } + ["probe"]
        #expect(watcher.locations() == expected.sorted(), "seed \(seed)")
        expectNothingWentBack()
        let status = watcher.json("fleet-bridge/robots/status")
        #expect(status?["status"] == "available", "seed \(seed)")
        #expect(try bridge.stop() == 0)
        #expect(try Stats(stored: broker).balance, "seed \(seed)")
        let ending = try TestClient.retained("fleet-bridge/status", port: broker.port)
        #expect(ending.first.map { $0.text.contains(#""state":"offline""#) } == true, "seed \(seed)")
    }
}

/// A device with a connection and a will of its own, that comes back whenever it has something to say.
private final class ChaosDevice {
    let id: String
    private let port: UInt16
    private var client: TestClient?
    private(set) var number = 0

    init(id: String, port: UInt16) {
        (self.id, self.port) = (id, port)
    }

    var latitude: Double { 50 + Double(number) / 1_000 }

    /// Says the next thing; what does not reach the broker is lost.
    func report(retain: Bool = false, waits: Bool = true) {
        let message = next(retain: retain)
        do {
            if waits {
                try connect().publish(message)
            } else {
                try client?.connection.publish(message)
            }
        } catch {
            cut()
        }
    }

    /// Says the next thing until it has arrived.
    func lastReport(retain: Bool) throws {
        cut()
        try connect(patience: .seconds(30)).publish(next(retain: retain))
    }

    /// Clears what is stored of it, in passing or for good.
    func withdraw() { if (try? leave()) == nil { cut() } }

    func leave() throws { try connect().publish("fleet/robots/\(id)/telemetry", "", retain: true) }

    /// Its connection breaks, and the broker sends its will.
    func cut() {
        client?.cut()
        client = nil
    }

    private func next(retain: Bool) -> Message {
        number += 1
        let text =
            #"{"lat":\#(latitude),"lon":9,"charge":\#(number % 101),"ts":"\#(now())","seq":\#(number),"n":\#(number)}"#
        return Message(
            topicName: "fleet/robots/\(id)/telemetry", payload: Array(text.utf8), qos: .atLeastOnce, retain: retain)
    }

    private func connect(patience: Duration = .seconds(2)) throws -> TestClient {
        if let client, client.connection.state == .connected { return client }
        let topicName = "fleet/robots/\(id)/connection"
        let client = try TestClient(port: port, patience: patience) {
            $0.willMessage = Message(
                topicName: topicName, payload: Array("offline".utf8), qos: .atLeastOnce, retain: true)
        }
        try client.publish(topicName, "online", retain: true)
        self.client = client
        return client
    }
}
