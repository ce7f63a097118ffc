import FleetEngine
import JSON
import Locations
import MQTTModel
import Testing
import Timestamps

/// States that the broker forgets, and topics without special characters.
struct ExpiryTests {
    /// What is published, with its expiry.
    private func run(
        expiry: Duration?, strict: Bool = false, _ play: (_ send: (_ second: Int, _ device: String) -> Void) -> Void
    ) -> [(second: Int, message: Message)] {
        var configuration = EngineConfiguration(
            sources: [
                .robots {
                    $0.heartbeat = nil
                    $0.staleAfter = nil
                }
            ], displayRules: .none)
        (configuration.stateExpiry, configuration.encodesTopicsStrictly) = (expiry, strict)
        var published: [(second: Int, message: Message)] = []
        let start = ScriptedBroker.start.wall
        let replayer = Replayer(configuration, version: "test") {
            published.append((Int($0.duration(since: start).components.seconds), $1))
        }
        play { second, device in
            let payload = #"{"lat":57,"lon":9,"ts":"\#(start.advanced(by: .seconds(second)).iso8601)"}"#
            replayer.play(
                Replayer.Line(
                    time: start.advanced(by: .seconds(second)),
                    message: Message(topicName: "fleet/robots/\(device)/telemetry", payload: Array(payload.utf8))))
        }
        return published
    }

    @Test(
        "States expire, and nothing else does",
        arguments: [(nil, 0), (.milliseconds(1_500), 2), (.seconds(60), 60)] as [(Duration?, UInt32)])
    func expiry(expiry: Duration?, seconds: UInt32) {
        let published = run(expiry: expiry) { send in for second in 0..<30 { send(second, "r1") } }
        #expect(published.contains { $0.message.topicName.hasSuffix("/state") })
        for (_, message) in published {
            #expect(message.expirySeconds == (message.topicName.hasSuffix("/state") ? seconds : 0))
        }
    }

    @Test("What lives is published again before it expires, though it stays as it is and there is no heartbeat")
    func renewal() {
        let published = run(expiry: .seconds(60)) { send in for second in 0..<100 { send(second, "r1") } }
        #expect(published.filter { $0.message.topicName.hasSuffix("/state") }.map(\.second) == [0, 30, 60, 90])
    }

    @Test("Strictly, topics have nothing but letters, digits, _ and - of ids, which states have whole")
    func strict() throws {
        let published = run(expiry: nil, strict: true) { send in send(0, "Robot ä.1") }
        let state = try #require(published.first { $0.message.topicName.hasSuffix("/state") })
        #expect(state.message.topicName == "fleet-bridge/robots/Robot%20%C3%A4%2E1/state")
        #expect(try JSONParser().parse(state.message.payload).object?["id"] == "Robot ä.1")
    }
}
