import DisplayRules
import FleetEngine
import JSON
import Locations
import MQTTModel
import Testing
import Timestamps

/// Rules that look back, and the events of bands, as they are seen from outside.
struct BandTests {
    static let charge: JSONValue = ["step", ["get", "charge"], "red", 30, "yellow", 60, "green"]

    private func broker(_ rules: [DisplayRule]) -> ScriptedBroker {
        ScriptedBroker([.robots { $0.staleAfter = nil }], rules: DisplayRuleSet(rules))
    }

    private func plain() throws -> DisplayRule { try DisplayRule(name: "by charge", set: [("iconColor", Self.charge)]) }

    private func held(margin: Double? = nil, hold: Duration? = nil) throws -> DisplayRule {
        try DisplayRule(
            name: "by charge", hysteresis: Hysteresis(property: "charge", margin: margin, hold: hold),
            set: [("iconColor", Self.charge)])
    }

    private func report(_ broker: ScriptedBroker, _ charges: Double...) {
        for charge in charges { broker.report(#"{"lat":57,"lon":9,"charge":\#(charge)}"#) }
    }

    private func colours(_ broker: ScriptedBroker) -> [JSONValue?] {
        broker.states().map { $0.json?.object?["display"]?.object?["iconColor"] }
    }

    private func events(_ broker: ScriptedBroker) -> [ScriptedBroker.Publication] {
        broker.published.filter {
            $0.topicName == "fleet-bridge/robots/r1/event" && $0.json?.object?["event"] == "bandChanged"
        }
    }

    @Test("A charge that falls into another band is told as an event, not retained, at QoS 0")
    func event() throws {
        let broker = broker([try plain()])
        report(broker, 61, 60, 59)
        let events = events(broker)
        #expect(
            events.map(\.json) == [
                [
                    "event": "bandChanged", "time": "2026-11-29T12:00:00.000Z", "property": "iconColor",
                    "rule": "by charge", "input": "charge", "value": 59, "from": "#008000", "to": "#ffff00",
                ]
            ])
        #expect(events.first?.qos == .atMostOnce)
        #expect(events.first?.retain == false)
    }

    @Test("The first state, the same band, and a state that is published again tell nothing")
    func silence() throws {
        let broker = broker([try plain()])
        report(broker, 31, 30, 59)
        broker.loseConnection()
        broker.wait(.seconds(10))
        report(broker, 58)
        #expect(events(broker).isEmpty)
        #expect(broker.states().count > 3)
    }

    @Test("Another rule on top tells nothing; a band that has changed under it is told when it shows")
    func overruled() throws {
        let broker = broker([
            try plain(),
            try DisplayRule(name: "busy", when: ["==", ["get", "state"], "busy"], set: [("iconColor", "blue")]),
        ])
        report(broker, 31)
        broker.report(#"{"lat":57,"lon":9,"charge":31,"state":"busy"}"#)
        broker.report(#"{"lat":57,"lon":9,"charge":31,"state":"idle"}"#)
        #expect(events(broker).isEmpty)
        broker.report(#"{"lat":57,"lon":9,"charge":31,"state":"busy"}"#)
        broker.report(#"{"lat":57,"lon":9,"charge":29,"state":"busy"}"#)
        #expect(events(broker).isEmpty)
        broker.report(#"{"lat":57,"lon":9,"charge":29,"state":"idle"}"#)
        #expect(events(broker).map { $0.json?.object?["to"] } == ["#ff0000"])
    }

    @Test("With a margin neither colour nor events flicker")
    func margin() throws {
        let broker = broker([try held(margin: 5)])
        report(broker, 31, 29, 31, 29, 24, 29, 31, 36)
        let yellow: JSONValue = "#ffff00"
        let red: JSONValue = "#ff0000"
        #expect(colours(broker) == [yellow, yellow, yellow, yellow, red, red, red, yellow])
        #expect(events(broker).map { $0.json?.object?["to"] } == [red, yellow])
    }

    @Test("After the hold the band is left though nothing is heard")
    func hold() throws {
        let broker = broker([try held(hold: .seconds(10))])
        report(broker, 31)
        report(broker, 29)
        broker.wait(.milliseconds(9_999))
        #expect(colours(broker).last == "#ffff00")
        broker.wait(.milliseconds(1))
        #expect(colours(broker).last == "#ff0000")
        #expect(events(broker).map { $0.json?.object?["time"] } == ["2026-11-29T12:00:10.000Z"])
        #expect(broker.stats().number("publishedByTime") == 1)
    }

    @Test("The hold goes on while the broker is away")
    func holdWithoutBroker() throws {
        let broker = broker([try held(hold: .seconds(10))])
        report(broker, 31, 29)
        broker.isUp = false
        broker.loseConnection()
        broker.wait(.seconds(12))
        broker.isUp = true
        broker.wait(.seconds(30))
        #expect(colours(broker).last == "#ff0000")
    }

    @Test("A rule with until: each report counts, also one that a rate holds back")
    func until() throws {
        let rules = [
            try DisplayRule(name: "main", set: [("iconColor", "green")]),
            try DisplayRule(
                name: "low", when: ["<", ["get", "charge"], 20], until: [">=", ["get", "charge"], 25],
                set: [("iconColor", "red")]),
        ]
        let broker = broker(rules)
        report(broker, 21, 20, 19, 20, 19, 21, 24, 19, 25, 24, 20)
        let green: JSONValue = "#008000"
        let red: JSONValue = "#ff0000"
        #expect(colours(broker) == [green, green, red, red, red, red, red, red, green, green, green])

        let slow = ScriptedBroker([.robots { $0.maxRate = 1 }], rules: DisplayRuleSet(rules))
        report(slow, 21, 19, 21)
        slow.wait(.seconds(1))
        #expect(slow.states().count == 2)
        #expect(colours(slow) == [green, red])
    }

    @Test("A location that was removed is new when it comes back")
    func removal() throws {
        let broker = broker([try held(margin: 5)])
        report(broker, 31)
        broker.send("fleet/robots/r1/telemetry", "")
        report(broker, 29)
        #expect(colours(broker).last == "#ff0000")
        #expect(events(broker).isEmpty)
    }

    @Test("What a rate holds back at the end of a replay tells its events, too, and no hold ends for it")
    func replayEnd() throws {
        func events(_ rule: DisplayRule) -> Int {
            var count = 0
            let replayer = Replayer(
                EngineConfiguration(sources: [.robots { $0.maxRate = 1 }], displayRules: DisplayRuleSet([rule])),
                version: "test"
            ) { _, message in
                if message.topicName.hasSuffix("/event") { count += 1 }
            }
            for charge in [31, 29] {
                let payload = #"{"lat":57,"lon":9,"charge":\#(charge)}"#
                replayer.play(
                    Replayer.Line(
                        time: ScriptedBroker.start.wall,
                        message: Message(topicName: "fleet/robots/r1/telemetry", payload: Array(payload.utf8))))
            }
            replayer.finish()
            return count
        }
        #expect(events(try plain()) == 1)
        #expect(events(try held(hold: .milliseconds(500))) == 0)
    }

    @Test("A replay tells the same again")
    func replay() throws {
        let configuration = EngineConfiguration(
            sources: [.robots()], displayRules: DisplayRuleSet([try held(margin: 5, hold: .seconds(3))]))
        func run() -> [String] {
            var lines: [String] = []
            let replayer = Replayer(configuration, version: "test") { time, message in
                lines.append("\(time.iso8601) \(message.topicName) \(String(decoding: message.payload, as: UTF8.self))")
            }
            for (index, charge) in [31, 29, 28, 27, 31, 20, 29, 36, 61, 66].enumerated() {
                let time = ScriptedBroker.start.wall.advanced(by: .seconds(index * 2))
                let payload = #"{"lat":57,"lon":9,"charge":\#(charge)}"#
                replayer.play(
                    Replayer.Line(
                        time: time,
                        message: Message(topicName: "fleet/robots/r1/telemetry", payload: Array(payload.utf8))))
            }
            replayer.finish()
            return lines
        }
        let first = run()
        #expect(first == run())
        #expect(first.count { $0.contains("bandChanged") } == 3)
    }
}
