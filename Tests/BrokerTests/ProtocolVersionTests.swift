import FleetTestSupport
import LocalBroker
import MQTTClient
import MQTTModel
import Testing

@Suite("MQTT 3.1.1", .enabled(if: Broker.isInstalled))
struct ProtocolVersionTests {
    private func connect(
        _ broker: EmbeddedBroker, _ identifier: String? = nil, _ adjust: (inout ConnectOptions) -> Void = { _ in }
    ) throws -> TestClient {
        try TestClient(port: broker.port, identifier) {
            $0.version = .mqtt311
            adjust(&$0)
        }
    }

    @Test("The broker says nothing of itself, whatever its limits are")
    func capabilities() throws {
        try Broker.withBroker(settings: ["max_packet_size 1000", "max_inflight_messages 5"]) { broker in
            let client = try connect(broker)
            #expect(client.connection.capabilities.maximumPacketSize == nil)
            #expect(!client.connection.capabilities.subscriptionIdentifiersAvailable)
            #expect(client.connection.freeInFlight == 20)
        }
    }

    @Test("Messages go and come, stored ones with each subscription, without what only MQTT 5 has")
    func messages() throws {
        try Broker.withBroker { broker in
            let client = try connect(broker)
            let correlation = Correlation(responseTopic: nil, data: [1])
            try client.publish(
                Message(topicName: "a", payload: [1], qos: .atLeastOnce, retain: true, correlation: correlation))
            var brief = Message(topicName: "b", payload: [2], retain: true)
            brief.expirySeconds = 1
            try client.connection.publish(brief)
            #expect(try client.subscribe("+", qos: .atMostOnce) == .success)
            #expect(Set(try client.take(2).map(\.payload)) == [[1], [2]])
            #expect(try client.subscribe("+", qos: .atLeastOnce, retainHandling: .never).rawValue == 1)
            let again = try client.take(2)
            #expect(again.allSatisfy { $0.retain && $0.subscriptionIdentifiers.isEmpty && $0.correlation == nil })
            try client.publish("a", "live")
            let live = try client.next()
            #expect(live.text == "live" && live.qos == .atLeastOnce && !live.retain)
            try client.unsubscribe("+")
            try client.publish("a", "unheard")
            #expect(try client.settle().isEmpty)
        }
    }

    @Test("A subscription identifier is refused before it is sent")
    func identifiers() throws {
        try Broker.withBroker { broker in
            let client = try connect(broker)
            let error = #expect(throws: MQTTError.self) { try client.subscribe("a", identifier: 1) }
            #expect(error?.reason == .notSupported)
        }
    }

    @Test("A session stays where clean start is off, whatever the expiry, and only there", arguments: [true, false])
    func session(isClean: Bool) throws {
        try Broker.withBroker { broker in
            func again() throws -> TestClient {
                try connect(broker, "keeper") {
                    $0.cleanStart = isClean
                    $0.sessionExpiry = .seconds(isClean ? 0 : 60)
                }
            }
            let first = try again()
            try first.subscribe("queue/#")
            first.disconnect()
            try TestClient(port: broker.port).publish("queue/1", "while away")
            let second = try again()
            #expect(second.sessionPresent == !isClean)
            #expect(try second.settle().map(\.text) == (isClean ? [] : ["while away"]))
        }
    }

    @Test("A will is published when the connection is cut, and not after a goodbye")
    func will() throws {
        try Broker.withBroker { broker in
            let watcher = try connect(broker)
            try watcher.subscribe("will")
            for isCut in [false, true] {
                let client = try connect(broker) {
                    $0.willMessage = Message(topicName: "will", payload: [1], qos: .atLeastOnce, retain: true)
                }
                if isCut { client.cut() } else { client.disconnect() }
                if isCut { #expect(try watcher.next().payload == [1]) } else { #expect(try watcher.settle().isEmpty) }
            }
        }
    }

    @Test("A refused login says why in the words of MQTT 5")
    func refusal() throws {
        try Broker.withBroker(settings: ["allow_anonymous false"]) { broker in
            let failure = #expect(throws: TestClient.Failure.self) { try connect(broker) }
            #expect(failure?.description.contains("\(ReasonCode.notAuthorized)") == true, "\(failure as Any)")
        }
    }
}
