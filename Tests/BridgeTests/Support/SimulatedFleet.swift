import FleetTestSupport
import Glibc
import JSON
import LocalBroker
import MQTTModel

/// Devices of a `fleet-sim` process, which dies with all of them.
final class SimulatedFleet {
    static let count = 8

    let source: String
    private let broker: EmbeddedBroker, lasting: Duration
    private var process: ProductProcess?

    init(_ source: String, _ broker: EmbeddedBroker, lasting: Duration) throws {
        (self.source, self.broker, self.lasting) = (source, broker, lasting)
        try start()
    }

    func start() throws {
        // Bounded, so that nothing outlives a killed test run.
        process = try ProductProcess(
            "fleet-sim",
            [
                "run", "--broker", broker.url, "--source", source, "--count", "\(Self.count)", "--interval", "200ms",
                "--for", "\(lasting.components.seconds)s",
            ])
    }

    func kill() throws {
        process?.send(SIGKILL)
        _ = try process?.wait()
    }

    /// Keeps the connections, and says nothing more.
    func pause() { process?.send(SIGSTOP) }
}

/// What devices say, heard beside the bridge.
final class Listener {
    private let client: TestClient
    private var last: [String: JSONObject] = [:]

    init(_ broker: EmbeddedBroker) throws {
        client = try TestClient(port: broker.port, patience: .seconds(30))
        try client.subscribe("fleet/+/+/telemetry")
    }

    /// The last reports of a source's devices, by topic, of what the broker has got by now.
    func lastReports(of source: String) throws -> [String: JSONObject] {
        for message in try client.settle() { last[message.topicName] = try JSONParser().parse(message.payload).object }
        return last.filter { $0.key.hasPrefix("fleet/\(source)/") }
    }
}
