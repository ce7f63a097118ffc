import FleetTestSupport
import LocalBroker
import MQTTClient
import MQTTModel
import Testing

@Suite("Subscriptions", .enabled(if: Broker.isInstalled))
struct SubscriptionTests {
    @Test(
        "Stored messages come as the retain handling says",
        arguments: [
            (Subscription.RetainHandling.always, 3, 3), (.ifNew, 3, 0), (.never, 0, 0),
        ])
    func retainHandling(handling: Subscription.RetainHandling, first: Int, again: Int) throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            for name in ["a", "b", "c"] { try client.publish("kept/\(name)", name, retain: true) }
            for expected in [first, again] {
                try client.subscribe("kept/#", retainHandling: handling)
                let messages = try client.settle()
                #expect(messages.count == expected)
                #expect(messages.allSatisfy { $0.retain })
            }
        }
    }

    @Test("Subscribed at QoS 0, then at QoS 1 with retain handling never: stored copies once, live messages at QoS 1")
    func upgrade() throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            for index in 0..<50 { try client.publish("kept/\(index)", "old", retain: true) }
            #expect(try client.subscribe("kept/#", qos: .atMostOnce, identifier: 1) == .success)
            #expect(
                try client.subscribe("kept/#", qos: .atLeastOnce, retainHandling: .never, identifier: 1)
                    == ReasonCode(rawValue: 1))
            #expect(try client.settle().count == 50)
            try client.publish("kept/1", "new")
            let live = try client.settle()
            #expect(live.map(\.text) == ["new"])
            #expect(live.map(\.qos) == [.atLeastOnce])
            #expect(live.map(\.retain) == [false])
            #expect(live.map(\.subscriptionIdentifiers) == [[1]])
        }
    }

    /// So a copy is recognised by its identifier: mosquitto 2.0.11 sends one copy a subscription, each with one
    /// identifier.
    @Test("Overlapping filters: every copy tells the subscription that it is for")
    func overlappingFilters() throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            try client.subscribe("fleet/+/+/telemetry", identifier: 1)
            try client.subscribe("fleet/#", qos: .atMostOnce, identifier: 2)
            try client.subscribe("fleet/vacuums/#", identifier: 268_435_455)
            try client.publish("fleet/vacuums/v1/telemetry", "x")
            let copies = try client.settle()
            #expect(Set(copies.map(\.subscriptionIdentifiers)) == [[1], [2], [268_435_455]])
            #expect(copies.count == 3)
            #expect(copies.first { $0.subscriptionIdentifiers == [2] }?.qos == .atMostOnce)
        }
    }

    @Test("After unsubscribing nothing comes")
    func unsubscribe() throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            try client.subscribe("a/#")
            try client.unsubscribe("a/#")
            try client.publish("a/b", "x")
            #expect(try client.settle() == [])
        }
    }

    @Test(
        "A filter that MQTT does not allow is refused here, and the connection lives on",
        arguments: [
            "", "a+", "a/#/b", "#a", "a\u{0}b", "a\u{1}b",
        ])
    func invalidFilter(filter: String) throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            let error = #expect(throws: MQTTError.self) { try client.subscribe(filter) }
            #expect(error?.reason == .invalidTopic)
            #expect(try client.subscribe("#") == ReasonCode(rawValue: 1))
        }
    }

    @Test("A subscription identifier outside 1 … 268 435 455 is refused", arguments: [0, 268_435_456] as [UInt32])
    func invalidIdentifier(identifier: UInt32) throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            let error = #expect(throws: MQTTError.self) { try client.subscribe("a", identifier: identifier) }
            #expect(error?.reason == .invalidOption)
        }
    }

    @Test("A flood is handed over in portions, in order and whole")
    func flood() throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            try client.subscribe("flood", qos: .atMostOnce)
            let publisher = try TestClient(port: broker.port)
            try publisher.subscribe("flood", qos: .atMostOnce)
            for index in 0..<3_000 { try publisher.publish("flood", "\(index)", qos: .atMostOnce) }
            #expect(try publisher.settle().count == 3_000, "so the broker has sent all of it")

            var texts: [String] = []
            var portions: [Int] = []
            while texts.count < 3_000, portions.count < 3_000 {
                let events = client.connection.service(readable: true, now: monotonicNow())
                portions.append(events.count)
                for case .message(let message) in events { texts.append(message.text) }
            }
            #expect(texts == (0..<3_000).map(String.init))
            #expect(portions.allSatisfy { $0 <= 256 }, "\(portions)")
        }
    }
}
