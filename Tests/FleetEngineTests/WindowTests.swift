import FleetEngine
import JSON
import MQTTModel
import Testing

/// How many publishes wait for their acknowledgement.
struct WindowTests {
    /// A broker that acknowledges nothing until told, and counts what waits.
    private final class SlowBroker {
        let engine = Engine(
            EngineConfiguration(sources: [.robots()], displayRules: .none), version: "test", seed: 1,
            at: ScriptedBroker.start)
        private(set) var waiting: [RequestToken] = []
        private(set) var most = 0
        private(set) var topics: [String] = []

        func run(_ event: Event) {
            for effect in engine.handle(event, at: ScriptedBroker.start) {
                switch effect {
                case .connect: run(.connected(maximumPacketSize: nil, receiveMaximum: nil))
                case .subscribe(let subscription, let token):
                    run(.subscribed(token, ReasonCode(rawValue: subscription.qos.rawValue)))
                case .publish(let message, let token):
                    topics.append(message.topicName)
                    if message.qos > .atMostOnce { waiting.append(token) }
                    most = max(most, waiting.count)
                    if message.topicName.contains("/probe/") { run(.message(message)) }
                default: break
                }
            }
        }

        func acknowledge(_ count: Int) {
            for token in waiting.prefix(count) {
                waiting.removeFirst()
                run(.published(token, .success))
            }
        }

        func report(_ device: Int) {
            run(
                .message(
                    Message(
                        topicName: "fleet/robots/r\(device)/telemetry", payload: Array(#"{"lat":57,"lon":9}"#.utf8))))
        }

        func ask() {
            run(.message(Message(topicName: "fleet-bridge/request/nothing", payload: Array("{}".utf8))))
        }
    }

    @Test("Whatever comes, no more than the limit wait for the broker: the probe and answers take places, too")
    func limit() {
        let broker = SlowBroker()
        broker.run(.tick)
        for device in 0..<100 {
            broker.report(device)
            broker.ask()
        }
        #expect(broker.most == Engine.publishesInFlight)
        #expect(broker.waiting.count == Engine.publishesInFlight)
        while !broker.waiting.isEmpty { broker.acknowledge(7) }
        #expect(broker.most == Engine.publishesInFlight)
        #expect(broker.topics.count { $0.hasSuffix("/state") } == 100)
        #expect(broker.topics.count { $0.hasPrefix("fleet-bridge/response/") } == 100)
    }
}
