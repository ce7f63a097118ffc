import FleetTestSupport
import Foundation
import JSON
import LocalBroker
import MQTTClient
import MQTTModel
import Testing

/// The files of examples/mosquitto-secure, as they are shipped, with a real broker.
@Suite(
    "examples/mosquitto-secure", .enabled(if: Broker.isInstalled && CertificateAuthority.isInstalled),
    .timeLimit(.minutes(5)))
struct SecureSetupTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "examples/mosquitto-secure").path
    private static let installed = "/etc/mosquitto/fleet"

    /// A broker that is set up as the example says.
    private struct Setup {
        let broker: EmbeddedBroker
        let folder: String

        /// Where a user's password is.
        func secret(_ user: String) -> String { "\(folder)/secrets/\(user)" }

        func password(_ user: String) throws -> Secret {
            try #require(Secret(passwordFile: Array(Data(contentsOf: URL(filePath: secret(user))))))
        }

        func connect(
            _ user: String, as identifier: String? = nil, _ adjust: (inout ConnectOptions) -> Void = { _ in }
        ) throws -> TestClient {
            let password = try password(user)
            return try TestClient(port: broker.port, identifier) {
                $0.host = "localhost"
                $0.tls = TLSOptions()
                $0.tls?.caFile = "\(folder)/ca.pem"
                $0.username = user
                $0.password = password
                adjust(&$0)
            }
        }

        /// The shipped configuration, for this broker, with a source of robots.
        func configuration(user: String = "bridge") throws -> TemporaryFile {
            let shipped = try String(contentsOfFile: "\(SecureSetupTests.folder)/fleet-bridge.yaml", encoding: .utf8)
            let text = shipped.replacing(SecureSetupTests.installed, with: folder)
                .replacing("broker.example", with: "localhost:\(broker.port)").replacing("bridge\n", with: "\(user)\n")
            return try TemporaryFile("bridge.yaml", text + Settings.robots)
        }

        func bridge(_ configuration: TemporaryFile) throws -> ProductProcess {
            try ProductProcess(
                "fleet-bridge", ["run", "--config", configuration.path, "--for", "60s", "--log-level", "debug"])
        }
    }

    private func withSetup(_ users: String..., body: (Setup) throws -> Void) throws {
        let temporary = FileManager.default.temporaryDirectory.appending(path: "secure-\(UUID())")
        defer { try? FileManager.default.removeItem(at: temporary) }
        let folder = temporary.appending(path: "fleet").path
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        // Twice: further users are added, and nothing else changes.
        try CertificateAuthority.run(["\(Self.folder)/make-credentials", folder, "localhost", "bridge", "map"])
        try CertificateAuthority.run(["\(Self.folder)/make-credentials", folder, "localhost", "bridge"] + users)
        // The broker of a test may run as another user than the one that mosquitto's package has made.
        for name in ["server.pem", "server.key", "passwords", "acl"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(folder)/\(name)")
        }
        // Test clients say so to themselves when they have heard everything.
        let rules = try String(contentsOfFile: "\(folder)/acl", encoding: .utf8) + "pattern readwrite test-probe/#\n"
        try Data(rules.utf8).write(to: URL(filePath: "\(folder)/acl"))
        let shipped = try String(contentsOfFile: "\(Self.folder)/mosquitto.conf", encoding: .utf8)
        let lines = shipped.replacing(Self.installed, with: folder).split(separator: "\n").map(String.init)
        #expect(lines.contains("listener 8883"))
        let settings = lines.filter { !$0.hasPrefix("#") && $0 != "listener 8883" }
        try Broker.withBroker(settings: settings) { try body(Setup(broker: $0, folder: folder)) }
    }

    private static let position = #"{"lat":57.5,"lon":9.25}"#

    @Test("Devices write their own topics and nothing else; maps read what the bridge makes of it")
    func rules() throws {
        try withSetup("robots/r1", "robots/r2") { setup in
            let configuration = try setup.configuration()
            let bridge = try setup.bridge(configuration)
            try bridge.waitForErrors(" ready ")
            let map = try setup.connect("map")
            try map.subscribe("#")
            let r1 = try setup.connect("robots/r1")
            try r1.subscribe("#")

            #expect(try r1.publish("fleet/robots/r1/connection", "online") == .success)
            #expect(try r1.publish("fleet/robots/r1/telemetry", Self.position) == .success)
            let state = try map.next("the state") { $0.topicName == "fleet-bridge/robots/r1/state" }
            #expect(try JSONParser().parse(state.payload).object?["status"] == "live")

            let forbidden = [
                "fleet/robots/r2/telemetry", "fleet/robots/r2/connection", "fleet/people/r1/telemetry",
                "fleet/robots/status", "fleet/robots/r1/command", "fleet-bridge/robots/r1/state",
                "fleet-bridge/status", "fleet-bridge/request/explain", "else/where",
            ]
            for topicName in forbidden {
                #expect(try r1.publish(topicName, Self.position, retain: true) == .notAuthorized, "\(topicName)")
            }
            #expect(try map.publish("fleet/robots/r1/telemetry", Self.position) == .notAuthorized)
            #expect(try map.publish("fleet-bridge/robots/r1/state", "") == .notAuthorized)
            // Nor does a device hear others, or the map what devices say.
            #expect(try r1.settle().isEmpty)
            #expect(try map.settle().allSatisfy { $0.topicName.hasPrefix("fleet-bridge/") })

            let asked = #"{"transaction":"1","source":"robots","id":"r1"}"#
            #expect(try map.publish("fleet-bridge/request/explain", asked) == .success)
            let answer = try map.next("the answer") { $0.topicName == "fleet-bridge/response/explain" }
            #expect(try JSONParser().parse(answer.payload).object?["ok"] == true)
            bridge.send(SIGTERM)
            #expect(try bridge.wait() == 0)
        }
    }

    @Test("Nobody gets in without a password and TLS, or pushes another off by its name")
    func entrance() throws {
        try withSetup("robots/r1", "robots/r2") { setup in
            for adjust: (inout ConnectOptions) -> Void in [
                { $0.password = Secret("guessed") }, { ($0.username, $0.password) = (nil, nil) },
                { $0.username = "robots/r2" }, { $0.tls = nil }, { $0.tls?.caFile = nil },
            ] {
                #expect(throws: (any Error).self) { try setup.connect("robots/r1", adjust) }
            }
            let r2 = try setup.connect("robots/r2", as: "robots/r2")
            let r1 = try setup.connect("robots/r1", as: "robots/r2")
            #expect(try !r2.publish("fleet/robots/r2/telemetry", Self.position).isFailure)
            #expect(try !r1.publish("fleet/robots/r1/telemetry", Self.position).isFailure)
        }
    }

    @Test("The simulator's devices log in, each as itself")
    func simulator() throws {
        try withSetup("vacuums/vacuum0") { setup in
            let map = try setup.connect("bridge")
            try map.subscribe("fleet/#")
            let simulator = try ProductProcess(
                "fleet-sim",
                [
                    "run", "--broker", "mqtts://localhost:\(setup.broker.port)", "--count", "1", "--for", "30s",
                    "--ca-file", "\(setup.folder)/ca.pem", "--username", "{source}/{device}", "--password-file",
                    setup.secret("vacuums/vacuum0"),
                ])
            _ = try map.next("telemetry") { $0.topicName == "fleet/vacuums/vacuum0/telemetry" }
            simulator.send(SIGTERM)
            #expect(try simulator.wait() == 0)
            #expect(simulator.output.contains("1 of 1 devices said offline"))
        }
    }

    @Test("What the broker's rules refuse is named once for each topic")
    func refusals() throws {
        try withSetup { setup in
            let configuration = try setup.configuration(user: "map")
            let bridge = try setup.bridge(configuration)
            // Its probe is refused, and whatever else it says.
            for topicName in ["fleet-bridge/status", "fleet-bridge/robots/status"] {
                try bridge.waitForErrors("the broker refuses a publish topic=\(topicName) ")
            }
            usleep(2_500_000)  // it tries again, and does not tell again
            let told = bridge.errors.split(separator: "\n").filter { $0.contains("refuses a publish") }
            #expect(Set(told.map { $0.split(separator: "topic=").last }).count == told.count, "\(told)")
            #expect(told.allSatisfy { $0.contains("not authorized (135)") })
            bridge.send(SIGTERM)
            #expect(try bridge.wait() == 0)
        }
    }

    @Test("The password stands in no log line, no argument and no topic")
    func secrets() throws {
        try withSetup { setup in
            let password = String(decoding: try setup.password("bridge").revealed, as: UTF8.self)
            let configuration = try setup.configuration()
            let bridge = try setup.bridge(configuration)
            try bridge.waitForErrors(" ready ")
            bridge.send(SIGHUP)
            setup.broker.kill()
            try bridge.waitForErrors("disconnected")
            try setup.broker.start()
            try bridge.waitForErrors(" ready ", times: 2)
            let arguments = try Data(contentsOf: URL(filePath: "/proc/\(bridge.identifier)/cmdline"))
            let map = try setup.connect("map")
            try map.subscribe("#")
            let topics = try map.settle()
            #expect(topics.contains { $0.topicName == "fleet-bridge/status" })
            bridge.send(SIGTERM)
            #expect(try bridge.wait() == 0)
            let seen = [bridge.errors, bridge.output, String(decoding: arguments, as: UTF8.self)] + topics.map(\.text)
            #expect(!seen.contains { $0.contains(password) })
        }
    }
}
