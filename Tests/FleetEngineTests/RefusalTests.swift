import MQTTModel
import Testing

/// What the broker, or the way to it, does not take.
struct RefusalTests {
    @Test("What the broker refuses is tried again, also of a device that says nothing more, and told once by name")
    func refused() {
        let broker = ScriptedBroker([.robots { $0.staleAfter = nil }])
        broker.refusal = ("r1/state", .notAuthorized)
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(25))
        #expect(broker.states().map { $0.at - ScriptedBroker.start.monotonic } == [.zero, .seconds(10), .seconds(20)])
        #expect(broker.state() == nil)
        let told = broker.log.filter { $0.level == .error }
        #expect(told.count == 1)
        #expect(told.first?.fields.contains { $0.value == "fleet-bridge/robots/r1/state" } == true)
        broker.refusal = nil
        broker.wait(.seconds(6))
        #expect(broker.state()?.number("position", "lat") == 57)
        broker.forget()
        broker.wait(.seconds(60))
        #expect(broker.states().isEmpty)
        #expect(AccountingTests.balances(broker.stats()))
    }

    @Test("What changes meanwhile goes out at its own pace")
    func changed() {
        let broker = ScriptedBroker()
        broker.refusal = ("r1/state", .notAuthorized)
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.refusal = nil
        broker.wait(.seconds(1))
        broker.report(#"{"lat":58,"lon":9}"#)
        #expect(broker.state()?.number("position", "lat") == 58)
        broker.forget()
        broker.wait(.seconds(20))
        #expect(broker.states().isEmpty)
    }

    @Test("A removal that the broker refuses leaves no ghost behind")
    func refusedRemoval() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.refusal = ("r1/state", ReasonCode(rawValue: 0x97))
        broker.report("")
        #expect(broker.state() != nil)
        broker.refusal = nil
        broker.wait(.seconds(10))
        #expect(broker.state() == nil)
        broker.forget()
        broker.wait(.seconds(20))
        #expect(broker.states().isEmpty)
    }

    @Test("A removal that the broker refused is made up for after the next connect, too")
    func refusedRemovalAndReconnect() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.refusal = ("r1/state", .notAuthorized)
        broker.report("")
        broker.loseConnection()
        broker.refusal = nil
        broker.wait(.seconds(2))
        #expect(broker.state() == nil)
    }

    @Test("A removal is not over when an earlier publish of its topic is acknowledged")
    func removalBehindState() {
        let broker = ScriptedBroker()
        broker.wait(.seconds(2))
        broker.acknowledges = false
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.refusal = ("r1/state", .notAuthorized)
        broker.report("")
        broker.acknowledgeHeld()
        #expect(broker.state() != nil)
        broker.loseConnection()
        broker.refusal = nil
        broker.wait(.seconds(2))
        #expect(broker.state() == nil)
    }

    @Test("After a connect even what waits for a long interval is published")
    func waitingAtConnect() {
        let broker = ScriptedBroker([.robots { $0.minInterval = .seconds(3_600) }])
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.report(#"{"lat":58,"lon":9}"#)
        broker.loseConnection(forgettingRetained: true)
        broker.wait(.seconds(2))
        #expect(broker.state()?.number("position", "lat") == 58)
        #expect(AccountingTests.balances(broker.stats()))
    }

    @Test("What did not leave is tried again")
    func failed() {
        let broker = ScriptedBroker()
        broker.failure = ("r1/state", mayRetry: true)
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.failure = nil
        broker.wait(.seconds(10))
        #expect(broker.state()?.number("position", "lat") == 57)
    }

    @Test("What is too large for the broker is not tried again until something changes", arguments: [true, false])
    func tooLarge(byBroker: Bool) {
        let broker = ScriptedBroker()
        if byBroker {
            broker.refusal = ("r1/state", .packetTooLarge)
        } else {
            broker.failure = ("r1/state", mayRetry: false)
        }
        for _ in 0..<20 {
            broker.report(#"{"lat":57,"lon":9}"#)
            broker.wait(.seconds(3))
        }
        #expect(broker.states().count == 1)
        (broker.refusal, broker.failure) = (nil, nil)
        broker.report(#"{"lat":58,"lon":9}"#)
        #expect(broker.state()?.number("position", "lat") == 58)
        broker.wait(.seconds(11))
        broker.report(#"{"lat":58,"lon":9}"#)
        #expect(broker.states().count == 3)
    }
}
