import FleetEngine
import JSON
import Locations
import MQTTModel
import Testing
import Timestamps

/// What is told once when something happens to a location.
struct EventTests {
    private func events(_ broker: ScriptedBroker, _ device: String = "r1") -> [ScriptedBroker.Publication] {
        broker.published.filter { $0.topicName == "fleet-bridge/robots/\(device)/event" }
    }

    /// Without their times.
    private func told(_ broker: ScriptedBroker, _ device: String = "r1") -> [JSONValue] {
        events(broker, device).compactMap { event in
            guard var object = event.json?.object else { return nil }
            object["time"] = nil
            return .object(object)
        }
    }

    private let lost: JSONValue = ["event": "positionLost", "reason": "no-fix"]
    private let recovered: JSONValue = ["event": "positionRecovered"]

    private func status(_ from: String, _ to: String, _ reason: String) -> JSONValue {
        ["event": "statusChanged", "from": .string(from), "to": .string(to), "reason": .string(reason)]
    }

    @Test("A lost and found position is told, not retained, at QoS 0, after the state")
    func position() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.report(#"{"position":null}"#)
        broker.report(#"{"lat":57,"lon":9}"#)
        #expect(
            told(broker) == [
                lost, status("live", "lost", "no-fix"), recovered, status("lost", "live", "heard"),
            ])
        #expect(events(broker).allSatisfy { $0.qos == .atMostOnce && !$0.retain })
        #expect(events(broker).first?.json?.object?["time"] == "2026-11-29T12:00:00.000Z")
        let topics = broker.published.map(\.topicName).filter { $0.contains("/r1/") }.map { $0.suffix(5) }
        #expect(topics == ["state", "state", "event", "event", "state", "event", "event"])
    }

    @Test(
        "A position that is lost behind a stronger status is told; the first state and a position that never was are not"
    )
    func quiet() {
        let broker = ScriptedBroker([.robots { $0.hold = .zero }])
        broker.report(#"{"charge":5}"#)
        broker.report(#"{"lat":57,"lon":9}"#)
        #expect(told(broker).isEmpty)
        broker.send("fleet/robots/r1/connection", "offline")
        broker.report(#"{"position":null}"#)
        broker.send("fleet/robots/r1/connection", "offline")
        broker.report("r2", #"{"position":null}"#)
        #expect(
            told(broker) == [
                status("live", "offline", "connection-offline"), lost, status("offline", "lost", "no-fix"),
                status("lost", "offline", "connection-offline"),
            ])
        #expect(told(broker, "r2").isEmpty)
        broker.report("r2", #"{"lat":57,"lon":9}"#)
        #expect(told(broker, "r2") == [recovered, status("lost", "live", "heard")])
    }

    @Test("Silence and age are told when they come, with their times")
    func time() {
        let broker = ScriptedBroker([
            .robots {
                $0.lostAfter = .seconds(60)
                $0.removeAfter = .seconds(100)
            }
        ])
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(200))
        #expect(
            told(broker) == [
                status("live", "stale", "silent"), ["event": "positionLost", "reason": "position-too-old"],
                status("stale", "lost", "position-too-old"), ["event": "removed"],
            ])
        let times = events(broker).map { $0.json?.object?["time"] }
        #expect(
            times == [
                "2026-11-29T12:00:30.000Z", "2026-11-29T12:01:00.000Z", "2026-11-29T12:01:00.000Z",
                "2026-11-29T12:01:40.000Z",
            ])
    }

    @Test("A location that is withdrawn is told as removed, and is new when it comes back")
    func removed() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.report("")
        broker.report("")
        broker.report(#"{"position":null}"#)
        #expect(told(broker) == [["event": "removed"]])
    }

    @Test("An absence shorter than the hold is told to nobody")
    func hold() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        for _ in 0..<5 {
            broker.send("fleet/robots/r1/connection", "offline")
            broker.wait(.milliseconds(1_999))
            broker.send("fleet/robots/r1/connection", "online")
        }
        #expect(told(broker).isEmpty)
        broker.send("fleet/robots/r1/connection", "offline")
        broker.wait(.seconds(2))
        #expect(told(broker) == [status("live", "offline", "connection-offline")])
    }

    @Test("While the bridge is not connected nothing is told, or kept for later")
    func away() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.loseConnection()
        broker.isUp = false
        for _ in 0..<100 {
            broker.report(#"{"position":null}"#)
            broker.report(#"{"lat":57,"lon":9}"#)
        }
        broker.report("")
        broker.isUp = true
        broker.wait(.seconds(20))
        #expect(told(broker).isEmpty)
    }

    @Test("A message that the socket does not take is told in the log")
    func notSent() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.failure = ("/event", mayRetry: true)
        broker.report(#"{"position":null}"#)
        #expect(broker.log.contains { $0.message == "a message was not sent" })
    }

    @Test("A replay tells the same again")
    func replay() {
        func run() -> [String] {
            var lines: [String] = []
            let replayer = Replayer(
                EngineConfiguration(
                    sources: [.robots { $0.removeAfter = .seconds(50) }], displayRules: .none), version: "test"
            ) { time, message in
                guard message.topicName.hasSuffix("/event") else { return }
                lines.append("\(time.iso8601) \(String(decoding: message.payload, as: UTF8.self))")
            }
            for (second, device, payload) in [
                (0, "a", #"{"lat":57,"lon":9}"#), (0, "b", #"{"lat":57,"lon":9}"#), (31, "a", "{\"position\":null}"),
                (32, "a", #"{"lat":57,"lon":9}"#), (90, "b", #"{"lat":57,"lon":9}"#),
            ] {
                replayer.play(
                    Replayer.Line(
                        time: ScriptedBroker.start.wall.advanced(by: .seconds(second)),
                        message: Message(
                            topicName: "fleet/robots/\(device)/telemetry", payload: Array(payload.utf8))))
            }
            replayer.finish()
            return lines
        }
        let first = run()
        #expect(first == run())
        #expect(first.count == 9, "\(first)")
    }
}
