import FleetTestSupport
import Foundation
import Glibc
import JSON
import LocalBroker
import MQTTModel
import Testing

/// Simulators that are told things over MQTT, seen from outside.
@Suite("fleet-sim: commands, fleets and shared connections", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct CommandedRunTests {
    private func simulator(_ broker: EmbeddedBroker, _ options: [String]) throws -> ProductProcess {
        try ProductProcess(
            "fleet-sim", ["run", "--broker", broker.url, "--for", "60s", "--interval", "50ms"] + options)
    }

    private func json(_ message: Message) throws -> JSONObject {
        try #require(try JSONParser().parse(message.payload).object)
    }

    /// Commands are heard only once the listener is there; whoever comes first is asked again.
    private func command(
        _ client: TestClient, _ topic: String, _ text: String, until isSeen: (Message) throws -> Bool
    ) throws {
        while true {
            try client.publish(topic, text)
            let limit = monotonicNow() + .seconds(2)
            while monotonicNow() < limit {
                if try isSeen(try client.next()) { return }
            }
        }
    }

    @Test("A device loses its position and recovers, the others go on", arguments: ["own", "shared"])
    func positionLost(connections: String) throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            try client.subscribe("fleet/vacuums/+/telemetry")
            let simulator = try simulator(broker, ["--count", "3", "--connections", connections])
            try simulator.waitForOutput("3 of 3 devices connected")
            try command(client, "fleet/vacuums/vacuum1/command", #"{"command":"positionLost","for":"1s"}"#) { message in
                let isLost = try json(message)["position"]?.isNull == true
                #expect(!isLost || message.topicName.contains("vacuum1"))
                return isLost
            }
            _ = try client.next("the position again") {
                $0.topicName.contains("vacuum1") && (try? json($0)["lat"]?.number) != nil
            }
            simulator.send(SIGTERM)
            #expect(try simulator.wait() == 0)
            #expect(simulator.output.contains("commands done, 0 refused"), "\(simulator.output)")
        }
    }

    @Test("As a user of its own each device hears its commands itself")
    func ownUsers() throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            let simulator = try simulator(broker, ["--count", "2", "--username", "{source}/{device}"])
            try simulator.waitForOutput("2 of 2 devices connected")
            try client.subscribe("fleet/vacuums/+/telemetry")
            try command(client, "fleet/vacuums/vacuum0/command", #"{"command":"positionLost"}"#) { message in
                try json(message)["position"]?.isNull == true
            }
            simulator.send(SIGTERM)
            #expect(try simulator.wait() == 0)
        }
    }

    @Test(
        "Told to leave, a device says offline itself or by its will, and comes back",
        arguments: [("own", true), ("own", false), ("shared", true), ("shared", false)])
    func disconnect(connections: String, graceful: Bool) throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            let simulator = try simulator(broker, ["--count", "2", "--connections", connections])
            try simulator.waitForOutput("2 of 2 devices connected")
            try client.subscribe("fleet/vacuums/+/connection", retainHandling: .never)
            _ = try client.settle()
            try client.publish(
                "fleet/vacuums/vacuum0/command", #"{"command":"disconnect","graceful":\#(graceful),"for":"500ms"}"#)
            let words = try (0..<2).map { _ in
                let message = try client.next("a connection message")
                return "\(message.topicName) \(message.text)"
            }
            #expect(words == ["offline", "online"].map { "fleet/vacuums/vacuum0/connection \($0)" })
            simulator.send(SIGTERM)
            #expect(try simulator.wait() == 0)
            #expect(simulator.output.contains("2 of 2 devices said offline"))
        }
    }

    @Test("A bad command is told and counted, and nothing else happens")
    func refused() throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            let simulator = try simulator(broker, ["--count", "2", "--motion", "walk"])
            try simulator.waitForOutput("2 of 2 devices connected")
            try client.publish("fleet/people/person0/command", #"{"command":"stpo"}"#)
            try simulator.waitForOutput("did you mean \"stop\"?")
            for (topic, text) in [
                ("person9", #"{"command":"stop"}"#), ("person0", #"{"command":"dock"}"#), ("person1", "stop"),
            ] {
                try client.publish("fleet/people/\(topic)/command", text)
            }
            try simulator.waitForOutput("there is no device \"person9\" of people here")
            try simulator.waitForOutput("fleet/people/person0/command refused: it has no dock")
            try simulator.waitForOutput("fleet/people/person1/command refused: no JSON")
            try client.subscribe("fleet/people/person0/telemetry")
            _ = try client.next("telemetry as before")
            simulator.send(SIGTERM)
            #expect(try simulator.wait() == 0)
            #expect(simulator.output.contains("0 commands done, 4 refused"))
        }
    }

    @Test("Killed, devices on shared connections are offline by the source's status")
    func sharedWill() throws {
        try Broker.withBroker { broker in
            let simulator = try simulator(broker, ["--count", "600", "--connections", "shared"])
            try simulator.waitForOutput("600 of 600 devices connected")
            let client = try TestClient(port: broker.port)
            try client.subscribe("fleet/vacuums/status")
            #expect(try client.next().text == "online")
            simulator.send(SIGKILL)
            #expect(try client.next().text == "offline")
        }
    }

    @Test("Devices that never got in are named, and the run has failed")
    func absent() throws {
        let users = try TemporaryFile("users", "")
        try Broker.withBroker(settings: ["allow_anonymous false", "password_file \(users.path)"]) { broker in
            let simulator = try ProductProcess(
                "fleet-sim", ["run", "--broker", broker.url, "--for", "1s", "--count", "12"])
            #expect(try simulator.wait() == 1)
            #expect(
                simulator.output.contains("12 devices never connected: vacuums/vacuum0, vacuums/vacuum1"),
                "\(simulator.output)")
            #expect(simulator.output.contains(" and 2 more: refused by the broker"), "\(simulator.output)")
        }
    }

    @Test("The example with vacuums and people runs, with its schedule")
    func example() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "examples/sims/tutorial.yaml").path
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port, patience: .seconds(30))
            try client.subscribe("fleet/people/+/telemetry")
            try client.subscribe("fleet/vacuums/vacuum3/telemetry")
            let simulator = try ProductProcess(
                "fleet-sim", ["run", "--broker", broker.url, "--config", path, "--for", "60s", "--seed", "1"])
            try simulator.waitForOutput("116 of 116 devices connected")
            let person = try json(try client.next("a person") { $0.topicName.hasPrefix("fleet/people/") })
            #expect(person["type"] == "People" && person["floor"] == 1 && person["charge"] == nil)
            #expect(person["name"]?.string?.hasPrefix("Person #") == true)
            _ = try client.next("the loss of the schedule") {
                $0.topicName.contains("vacuum3") && (try? json($0)["position"]?.isNull) == true
            }
            simulator.send(SIGTERM)
            #expect(try simulator.wait() == 0)
        }
    }

    @Test("A file with faults is refused with their places, and options beside a file too")
    func badFile() throws {
        let file = try TemporaryFile("sims.yaml", "fleets:\n  - cuont: 3\n")
        let simulator = try ProductProcess("fleet-sim", ["run", "--config", file.path])
        #expect(try simulator.wait() == 2)
        #expect(simulator.errors.contains("sims.yaml:2:5: error: fleets[0]: unknown setting \"cuont\""))
        let other = try ProductProcess("fleet-sim", ["run", "--config", file.path, "--count", "3"])
        #expect(try other.wait() == 64)
        #expect(other.errors.contains("--count is for one fleet"))
    }
}
