import FleetTestSupport
import Glibc
import JSON
import LocalBroker
import MQTTModel
import Testing

/// The program, run as a user runs it, beside a real broker.
@Suite("fleet-sim run", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct RunTests {
    private static let devices = (0..<16).map { "vacuum\($0)" }

    /// Bounded, so that nothing outlives a killed test run.
    private func simulator(_ broker: EmbeddedBroker, _ options: String...) throws -> ProductProcess {
        try ProductProcess(
            "fleet-sim", ["run", "--broker", broker.url, "--for", "60s", "--interval", "100ms"] + options)
    }

    /// The last word of each device, as a late joiner gets it.
    private func connections(_ broker: EmbeddedBroker) throws -> [String: String] {
        let messages = try TestClient.retained("fleet/vacuums/+/connection", port: broker.port)
        return Dictionary(uniqueKeysWithValues: messages.map { ($0.device, $0.text) })
    }

    /// Telemetry until each device has sent so many.
    private func telemetry(_ client: TestClient, each count: Int) throws -> [String: [JSONObject]] {
        var result: [String: [JSONObject]] = [:]
        while result.count < Self.devices.count || result.values.contains(where: { $0.count < count }) {
            let message = try client.next("telemetry") { $0.topicName.hasSuffix("/telemetry") }
            #expect(message.qos == .atLeastOnce && !message.retain)
            result[message.device, default: []].append(try #require(try JSONParser().parse(message.payload).object))
        }
        return result.mapValues { Array($0.prefix(count)) }
    }

    private func all(_ word: String) -> [String: String] {
        Dictionary(uniqueKeysWithValues: Self.devices.map { ($0, word) })
    }

    @Test("Sixteen vacuums are online and tell everything at their interval")
    func defaults() throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            try client.subscribe("fleet/vacuums/#")
            let simulator = try simulator(broker)
            let start = try client.next("telemetry") { $0.topicName.hasSuffix("/telemetry") }
            let began = monotonicNow()
            let told = try telemetry(client, each: 20)
            // Twenty intervals of 100 ms; a busy machine may be late, never early.
            #expect((1.7...8).contains((monotonicNow() - began) / .seconds(1)))
            #expect(Self.devices.contains(start.device))
            #expect(try connections(broker) == all("online"))
            for (device, objects) in told {
                let sequences = objects.compactMap { $0["seq"]?.number }
                let first = try #require(sequences.first)
                #expect(sequences == (0..<20).map { first + Double($0) })
                let keys = [
                    "lat", "lon", "floor", "charge", "heading", "speed", "accuracy", "ts", "seq", "state", "name",
                    "type",
                    "building",
                ]
                #expect(objects.allSatisfy { $0.members.map(\.key) == keys }, "\(device)")
            }
            simulator.send(SIGKILL)
        }
    }

    @Test("Asked to end, each device says offline once, and disconnects", arguments: [SIGTERM, SIGINT, SIGHUP])
    func goodbye(signal: Int32) throws {
        try Broker.withBroker { broker in
            let simulator = try simulator(broker)
            try simulator.waitForOutput("16 of 16 devices connected")
            let client = try TestClient(port: broker.port)
            try client.subscribe("fleet/vacuums/+/connection")
            _ = try client.settle()
            simulator.send(signal)
            #expect(try simulator.wait() == 0)
            // A will beside the goodbye would be a second message.
            let words = try client.settle().map { "\($0.device) \($0.text)" }
            #expect(words.sorted() == Self.devices.map { "\($0) offline" }.sorted())
            #expect(try connections(broker) == all("offline"))
            #expect(simulator.output.contains("16 of 16 devices said offline"))
        }
    }

    @Test("Killed, each device's will says offline")
    func wills() throws {
        try Broker.withBroker { broker in
            let simulator = try simulator(broker)
            try simulator.waitForOutput("16 of 16 devices connected")
            let client = try TestClient(port: broker.port)
            try client.subscribe("fleet/vacuums/+/connection")
            _ = try client.settle()
            simulator.send(SIGKILL)
            #expect(try simulator.wait() == 128 + SIGKILL)
            #expect(
                try client.take(16).map { "\($0.device) \($0.text)" }.sorted()
                    == Self.devices.map { "\($0) offline" }.sorted())
            #expect(try connections(broker) == all("offline"))
        }
    }

    @Test("The same seed repeats a run but for its times")
    func seed() throws {
        func run(_ seed: Int) throws -> [String: [JSONObject]] {
            try Broker.withBroker { broker in
                let client = try TestClient(port: broker.port)
                try client.subscribe("fleet/vacuums/+/telemetry")
                let simulator = try simulator(broker, "--seed", "\(seed)")
                defer { simulator.send(SIGKILL) }
                return try telemetry(client, each: 10).mapValues { objects in
                    objects.map { object in
                        var object = object
                        object["ts"] = nil
                        return object
                    }
                }
            }
        }
        let first = try run(4)
        #expect(first.values.allSatisfy { $0.first?["seq"] == 1 })
        #expect(try run(4) == first)
        #expect(try run(5) != first)
    }

    @Test("The broker may start later, and may be killed and come back")
    func brokerComesAndGoes() throws {
        try Broker.withBroker { broker in
            broker.kill()
            let simulator = try simulator(broker)
            try simulator.waitForOutput("0 of 16 devices connected, the others keep trying: ")
            try broker.start()
            try simulator.waitForOutput("16 of 16 devices connected")
            broker.kill()
            try simulator.waitForOutput("\n0 of 16 devices connected\n")
            try broker.start()

            let client = try TestClient(port: broker.port, patience: .seconds(30))
            try client.subscribe("fleet/vacuums/#")
            let told = try telemetry(client, each: 1)
            // They went on while they were cut off, for a second and more.
            #expect(told.values.allSatisfy { $0.first?["seq"]?.number ?? 0 > 3 })
            #expect(try connections(broker) == all("online"))
            simulator.send(SIGTERM)
            #expect(try simulator.wait() == 0)
        }
    }

    @Test("A broker that answers no more does not keep it from ending")
    func deafBroker() throws {
        try Broker.withBroker { broker in
            let simulator = try simulator(broker)
            try simulator.waitForOutput("16 of 16 devices connected")
            broker.pause()
            simulator.send(SIGTERM)
            #expect(try simulator.wait(atMost: .seconds(15)) == 0)
            broker.resume()
            #expect(simulator.output.contains("0 of 16 devices said offline"))
            // The connections are cut, so the wills say it.
            let client = try TestClient(port: broker.port)
            try client.subscribe("fleet/vacuums/+/connection", qos: .atMostOnce)
            var words: [String: String] = [:]
            while words != all("offline") {
                let message = try client.next("a will")
                words[message.device] = message.text
            }
        }
    }

    @Test("Without a broker it ends after its time, with a failure and the reason")
    func noBroker() throws {
        try Broker.withBroker { broker in
            broker.kill()
            let simulator = try ProductProcess("fleet-sim", ["run", "--broker", broker.url, "--for", "700ms"])
            #expect(try simulator.wait() == 1)
            #expect(simulator.output.contains("0 of 16 devices connected, the others keep trying: connect"))
        }
    }

    @Test("With --for it ends by itself, having said goodbye")
    func end() throws {
        try Broker.withBroker { broker in
            let simulator = try ProductProcess(
                "fleet-sim", ["run", "--broker", broker.url, "--for", "1s", "--count", "3", "--source", "robots"])
            #expect(try simulator.wait() == 0)
            let messages = try TestClient.retained("fleet/robots/+/connection", port: broker.port)
            #expect(messages.map { "\($0.device) \($0.text)" }.sorted() == (0..<3).map { "vacuum\($0) offline" })
            // Nothing but the connections is retained.
            #expect(try TestClient.retained("fleet/#", port: broker.port).count == 3)
        }
    }
}

extension Message {
    fileprivate var device: String {
        topicName.split(separator: "/").dropFirst(2).first.map(String.init) ?? ""
    }
}
