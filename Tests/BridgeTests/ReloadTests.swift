import FleetTestSupport
import Glibc
import JSON
import LocalBroker
import MQTTModel
import Testing

@Suite("Another configuration while the bridge runs", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct ReloadTests {
    private static let rule = "displayRules: [{name: all, set: {iconColor: %}}]\n"

    private func rule(_ color: String) -> String { Self.rule.replacing("%", with: color) }

    @Test("A wrong file changes nothing, the right one everything at once, on one connection")
    func reload() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots + rule("red"))
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let device = try TestClient(port: broker.port, patience: .seconds(10))
            try device.publish("fleet/robots/r1/telemetry", #"{"lat":57.5,"lon":9.25}"#)
            try watcher.waitForState("r1", "display", ["iconColor": "#ff0000"])

            try bridge.reload(Settings.robots + "    staleAftr: 3s\n" + rule("blue"))
            try bridge.process.waitForErrors("unknown setting")
            #expect(bridge.process.errors.contains("bridge.yaml:5:5: error: sources.robots:"))
            try device.publish("fleet/robots/r2/telemetry", #"{"lat":57.5,"lon":9.25}"#)
            try watcher.waitForState("r2", "display", ["iconColor": "#ff0000"])

            // As an editor leaves it for a moment, or a full disk for good.
            for cut in ["", "# nothing\n", "broker: {keepAlive: 20s}\n"] {
                try bridge.reload(cut)
                try bridge.process.waitForErrors("has no `sources` any more")
            }
            #expect(watcher.locations() == ["r1", "r2"])

            let tags = "  tags: {topics: [\"fleet/tags/{device}/telemetry\"]}\n"
            try bridge.reload(Settings.robots + tags + rule("blue"))
            try watcher.waitForState("r1", "display", ["iconColor": "#0000ff"])
            try device.publish("fleet/tags/t1/telemetry", #"{"lat":57.5,"lon":9.25}"#)
            try watcher.waitForState("t1", of: "tags", "status", "live")

            try bridge.reload(Settings.robots + rule("blue"))
            try watcher.wait("the topics to be cleared") { watcher in
                // Events are not retained.
                watcher.topics.keys.allSatisfy {
                    !$0.text.hasPrefix("fleet-bridge/tags/") || $0.text.hasSuffix("/event")
                }
            }
            #expect(watcher.locations() == ["r1", "r2"])
            #expect(watcher.history("fleet-bridge/status").count == 1)
            #expect(try bridge.stop() == 0)
        }
    }

    @Test("Sources are added and removed by request; the file is the truth again once it is read")
    func requests() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker, "fleet-bridge/tags/#")
            let client = try TestClient(port: broker.port, patience: .seconds(10))
            try client.subscribe("fleet-bridge/response/#")
            func ask(_ name: String, _ request: String) throws -> JSONObject {
                try client.publish("fleet-bridge/request/\(name)", request)
                let answer = try client.next { $0.topicName == "fleet-bridge/response/\(name)" }
                return try #require(try JSONParser().parse(answer.payload).object)
            }
            let wrong = try ask("sources/add", #"{"source":"tags","settings":{"topics":["t/{device}"],"hol":"1s"}}"#)
            #expect(wrong.value("error.code") == "invalid-configuration")
            #expect(wrong.value("error.message")?.string?.contains("did you mean \"hold\"?") == true)
            let added = try ask("sources/add", #"{"source":"tags","settings":{"topics":["t/{device}/telemetry"]}}"#)
            #expect(added.value("data.added") == ["tags"])
            try client.publish("t/t1/telemetry", #"{"lat":57.5,"lon":9.25}"#)
            try watcher.waitForState("t1", of: "tags", "status", "live")
            let page = try ask("locations/get", #"{"source":"tags"}"#)
            #expect(page.value("data.locations")?.array?.first?.object == watcher.state("t1", of: "tags"))
            let reloaded = try ask("config/reload", "{}")
            #expect(reloaded.value("data.removed") == ["tags"])
            try watcher.wait("the topics to be cleared") { $0.topics.keys.allSatisfy { $0.text.hasSuffix("/event") } }
            #expect(try bridge.stop() == 0)
        }
    }
}
