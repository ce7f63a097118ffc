import DisplayRules
import FleetEngine
import JSON
import Locations
import Testing

/// With `minDistance`, movement alone is published only from so far on. A degree of latitude has 111 km here.
@Suite("Significant changes")
struct SignificantChangeTests {
    private static func broker(
        rules: DisplayRuleSet? = nil, _ adjust: (inout SourceSettings) -> Void = { _ in }
    ) -> ScriptedBroker {
        let sources = [
            SourceConfiguration.robots {
                $0.minDistance = 5
                adjust(&$0)
            }
        ]
        guard let rules else { return ScriptedBroker(sources) }
        return ScriptedBroker(sources, rules: rules)
    }

    @Test("Movement of less is not published, more is, and each step is measured from what was published")
    func movement() {
        let broker = Self.broker()
        broker.report(#"{"lat":57,"lon":9}"#)
        for lat in ["57.00001", "57.00002", "57.00003", "57.00004"] {
            broker.report(#"{"lat":\#(lat),"lon":9,"speed":1,"heading":0,"accuracy":3,"altitude":2}"#)
        }
        #expect(broker.states().count == 1)
        broker.report(#"{"lat":57.00005,"lon":9}"#)
        #expect(broker.state()?.number("position", "lat") == 57.00005)
        #expect(broker.states().count == 2)
        let stats = broker.stats()
        #expect(stats.number("reports", "unchanged") == 4)
        #expect(AccountingTests.balances(stats))
    }

    @Test("The heartbeat stays, and says where the location really is")
    func heartbeat() {
        let broker = Self.broker()
        broker.report(#"{"lat":57,"lon":9}"#)
        for second in 1...30 {
            broker.wait(.seconds(1))
            broker.report(#"{"lat":57.0000\#(second % 2 + 1),"lon":9}"#)
        }
        #expect(broker.states().count == 4)
        #expect(broker.state()?.number("position", "lat") == 57.00002)
    }

    @Test("Whoever falls silent after a small movement is shown where he is, with the heartbeat")
    func silence() {
        let broker = Self.broker { $0.staleAfter = .seconds(3_600) }
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.milliseconds(400))
        broker.report(#"{"lat":57.00002,"lon":9}"#)
        broker.wait(.milliseconds(9_599))
        #expect(broker.states().count == 1)
        broker.wait(.milliseconds(1))
        #expect(broker.state()?.number("position", "lat") == 57.00002)
        broker.wait(.seconds(100))
        #expect(broker.states().count == 2)
        #expect(AccountingTests.balances(broker.stats()))
    }

    @Test(
        "Whatever else changes is published at once",
        arguments: [
            #""charge":71"#, #""floor":20"#, #""state":"docked""#, #""name":"R""#, #""type":"agv""#, #""building":"B""#,
            #""position":null"#, #""rssi":-70"#,
        ])
    func anythingElse(member: String) {
        let broker = Self.broker()
        broker.report(#"{"lat":57,"lon":9,"charge":72}"#)
        broker.report(#"{\#(member == #""position":null"# ? "" : #""lat":57.00001,"lon":9,"#)\#(member)}"#)
        #expect(broker.states().count == 2)
    }

    @Test("Being drawn in another way is published, but a turned icon is movement")
    func drawing() throws {
        let broker = Self.broker(
            rules: DisplayRuleSet([
                try DisplayRule(
                    name: "main",
                    set: [
                        ("iconRotation", ["get", "heading"]),
                        ("iconColor", ["step", ["get", "speed"], "grey", 0.5, "green"]),
                    ])
            ]))
        broker.report(#"{"lat":57,"lon":9,"speed":0.1,"heading":10}"#)
        broker.report(#"{"lat":57,"lon":9,"speed":0.2,"heading":90}"#)
        #expect(broker.states().count == 1)
        broker.report(#"{"lat":57,"lon":9,"speed":0.6,"heading":90}"#)
        #expect(broker.states().count == 2)
    }

    @Test("A new status says where the location really is")
    func status() {
        let broker = Self.broker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.report(#"{"lat":57.00002,"lon":9}"#)
        broker.wait(.seconds(31))
        #expect(broker.state()?["status"] == "stale")
        #expect(broker.state()?.number("position", "lat") == 57.00002)
    }

    @Test("After a lost connection everything is published again, as it is")
    func connection() {
        let broker = Self.broker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.report(#"{"lat":57.00002,"lon":9}"#)
        broker.loseConnection(forgettingRetained: true)
        broker.wait(.seconds(20))
        #expect(broker.state()?.number("position", "lat") == 57.00002)
    }

    @Test("It goes with minInterval: not sooner than that, and then only what is far enough")
    func interval() {
        let broker = Self.broker { $0.minInterval = .seconds(4) }
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(1))
        broker.report(#"{"lat":57.001,"lon":9}"#)
        #expect(broker.states().count == 1)
        broker.wait(.seconds(3))
        #expect(broker.states().count == 2)
        broker.report(#"{"lat":57.00101,"lon":9}"#)
        broker.wait(.seconds(5))
        #expect(broker.states().count == 2)
    }
}
