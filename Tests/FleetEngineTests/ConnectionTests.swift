import Foundation
import JSON
import MQTTModel
import Testing

@testable import FleetEngine

struct ConnectionTests {
    @Test("Birth and will stand on one topic, both retained, and carry the session")
    func birth() {
        let broker = ScriptedBroker()
        #expect(broker.will?.topicName == "fleet-bridge/status")
        #expect(broker.will?.retain == true)
        #expect(broker.will?.qos == .atLeastOnce)
        let status = broker.json("fleet-bridge/status")
        #expect(status?["state"] == "online")
        #expect(status?.number("session") == 1_795_953_600_000)
        #expect(status?["clientId"] == "fleet-bridge")
        let will = broker.will.flatMap { try? JSONParser().parse($0.payload) }?.object
        #expect(will?["state"] == "offline")
        #expect(will?["session"] == status?["session"])
        #expect(status?["instance"] == nil)
    }

    @Test("A bridge that has a name says it whether it is there or not")
    func instance() {
        let broker = ScriptedBroker(connect: false)
        broker.configure { $0.instance = "Hall \"1\"" }
        broker.isUp = true
        broker.restart()
        #expect(broker.json("fleet-bridge/status")?["instance"] == "Hall \"1\"")
        let will = broker.will.flatMap { try? JSONParser().parse($0.payload) }?.object
        #expect(will?["instance"] == "Hall \"1\"" && will?["state"] == "offline")
        #expect(broker.engine.figures.instance == "Hall \"1\"" && broker.engine.figures.version != "")
    }

    @Test("Each connection has a newer session, also when the clock stands or goes back")
    func sessions() {
        let broker = ScriptedBroker()
        broker.stepWallClock(by: .seconds(-3_600))
        broker.loseConnection()
        broker.wait(.seconds(2))
        #expect(broker.json("fleet-bridge/status")?.number("session") == 1_795_953_600_001)
    }

    @Test("Stored messages are read at QoS 0, then the filters are held at QoS 1 without them")
    func subscriptions() {
        let broker = ScriptedBroker()
        let source = broker.subscriptions.filter { $0.topicFilter.hasPrefix("fleet/") }
        #expect(
            source.map(\.topicFilter)
                == Array(
                    repeating: ["fleet/robots/+/telemetry", "fleet/robots/+/connection", "fleet/robots/status"],
                    count: 2
                ).flatMap { $0 })
        #expect(source.map(\.qos) == [.atMostOnce, .atMostOnce, .atMostOnce, .atLeastOnce, .atLeastOnce, .atLeastOnce])
        #expect(source.map(\.retainHandling) == [.always, .always, .always, .never, .never, .never])
        #expect(source.map(\.identifier) == [1, 2, 3, 1, 2, 3])
    }

    @Test("A broker that is not there is tried again, 1 s doubling to 10 s, with jitter")
    func unreachable() {
        let broker = ScriptedBroker(connect: false)
        broker.wait(.seconds(60))
        let gaps = zip(broker.connectsAt.dropFirst(), broker.connectsAt).map { $0 - $1 }
        for (gap, base) in zip(gaps, [1.0, 2, 4, 8, 10, 10]) {
            #expect(gap >= .seconds(base * 0.75) && gap <= .seconds(base))
        }
        broker.isUp = true
        broker.wait(.seconds(11))
        #expect(broker.json("fleet-bridge/status")?["state"] == "online")
    }

    @Test("Being accepted and dropped again and again slows down to a minute")
    func kicked() {
        let broker = ScriptedBroker()
        for expected in [1.0, 2, 4, 8, 16, 32, 60, 60] {
            broker.wait(.seconds(1))
            let lost = broker.now.monotonic
            broker.loseConnection()
            let before = broker.connectsAt.count
            while broker.connectsAt.count == before { broker.wait(.milliseconds(100)) }
            let wait = broker.connectsAt.last.map { $0 - lost } ?? .zero
            #expect(wait >= .seconds(expected * 0.75) && wait <= .seconds(expected))
        }
    }

    @Test("A connection that has lived for 30 s forgets earlier trouble")
    func recovered() {
        let broker = ScriptedBroker()
        for _ in 0..<4 {
            broker.loseConnection()
            broker.wait(.seconds(9))
        }
        broker.wait(.seconds(31))
        broker.loseConnection()
        let before = broker.connectsAt.count
        broker.wait(.seconds(1))
        #expect(broker.connectsAt.count == before + 1)
    }

    @Test("Everything retained is published again after each connect, once")
    func republish() {
        let broker = ScriptedBroker()
        broker.report("r1", #"{"lat":57,"lon":9}"#)
        broker.report("r2", #"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(1))
        broker.loseConnection(forgettingRetained: true)
        broker.forget()
        broker.wait(.seconds(5))
        #expect(broker.state("r1") != nil && broker.state("r2") != nil)
        #expect(broker.sourceStatus?["status"] == "available")
        #expect(broker.states("r1").count == 1)
        #expect(broker.json("fleet-bridge/status")?["state"] == "online")
    }

    @Test(
        "What was cleared is cleared again where the broker comes back with an older store", arguments: [false, true])
    func olderStore(isInUseAgain: Bool) {
        let broker = ScriptedBroker(snapshots: .seconds(5))
        for device in ["r1", "r2"] { broker.report(device, #"{"lat":57,"lon":9}"#) }
        broker.wait(.seconds(10))
        let store = broker.retained
        broker.report("")
        broker.report("r2", "")
        broker.wait(.seconds(10))
        #expect(broker.state() == nil && broker.json("fleet-bridge/robots/geojson/0") == nil)

        // Once more: having cleared it again is no reason not to do so the next time.
        for _ in 0..<2 {
            broker.loseConnection()
            broker.retained = store
            if isInUseAgain { broker.report("r2", #"{"lat":58,"lon":9}"#) }
            broker.wait(.seconds(30))
            #expect(broker.state() == nil)
            #expect(broker.state("r2")?.number("position", "lat") == (isInUseAgain ? 58 : nil))
            #expect((broker.json("fleet-bridge/robots/geojson/0") != nil) == isInUseAgain)
        }
    }

    @Test("Of cleared topics the last names are kept, each once")
    func clearedTopics() {
        var cleared = ClearedTopics()
        for index in 0..<ClearedTopics.limit + 100 {
            cleared.insert("fleet-bridge/robots/d\(index)/state")
            cleared.insert("fleet-bridge/robots/d\(index)/state")
        }
        let names = cleared.takeAll().map(\.text)
        #expect(names.count == ClearedTopics.limit && names.first == "fleet-bridge/robots/d100/state")
        #expect(cleared.takeAll().isEmpty)
    }

    @Test("After a connect the newest change comes first, and the rest is paced")
    func pace() {
        let broker = ScriptedBroker()
        for index in 0..<500 {
            broker.report("r\(index)", #"{"lat":57,"lon":9}"#)
            broker.wait(.milliseconds(1))
        }
        broker.loseConnection(forgettingRetained: true)
        broker.forget()
        broker.wait(.seconds(2))
        let states = broker.published.filter { $0.topicName.hasSuffix("/state") }
        #expect(states.count == 500)
        #expect(states.first?.topicName == "fleet-bridge/robots/r499/state")
        #expect(states.last?.topicName == "fleet-bridge/robots/r0/state")
        #expect(states[499].at - states[0].at >= .milliseconds(390))
    }

    @Test("While the broker is away only the newest state of each location waits")
    func outage() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.loseConnection()
        broker.forget()
        for index in 1...50 { broker.report(#"{"lat":57.\#(100 + index),"lon":9}"#) }
        broker.wait(.seconds(5))
        #expect(broker.states().count == 1)
        #expect(broker.state()?.number("position", "lat") == 57.15)
    }

    @Test("At most 20 publishes wait for their acknowledgement, and what comes meanwhile is merged")
    func window() {
        let broker = ScriptedBroker()
        broker.wait(.seconds(2))
        broker.acknowledges = false
        broker.forget()
        for index in 0..<50 { broker.report("r\(index)", #"{"lat":57,"lon":9}"#) }
        #expect(broker.published.count == 20)
        for index in 0..<50 { broker.report("r\(index)", #"{"lat":58,"lon":9}"#) }
        broker.acknowledges = true
        broker.acknowledgeHeld()
        #expect(broker.states("r49").count == 1)
        #expect(broker.state("r49")?.number("position", "lat") == 58)
        #expect(broker.state("r0")?.number("position", "lat") == 58)
    }

    @Test("Ending says offline, waits for the acknowledgement, and leaves with 0")
    func shutdown() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(2))
        broker.acknowledges = false
        broker.run(.shutdown)
        #expect(broker.json("fleet-bridge/status")?["state"] == "offline")
        #expect(broker.sourceStatus?["status"] == "inactive")
        #expect(broker.sourceStatus?["reason"] == "shutdown")
        #expect(broker.state() != nil)
        #expect(broker.exitCode == nil)
        broker.acknowledgeHeld()
        #expect(broker.exitCode == 0)
    }

    @Test("What waits to be sent does not keep the bridge from saying that it ends")
    func shutdownWithQueue() {
        let broker = ScriptedBroker()
        broker.wait(.seconds(2))
        broker.acknowledges = false
        for index in 0..<5_000 { broker.report("r\(index)", #"{"lat":57,"lon":9}"#) }
        broker.report("r0", "")
        broker.forget()
        broker.run(.shutdown)
        broker.acknowledges = true
        broker.acknowledgeHeld()
        #expect(broker.exitCode == 0)
        let topicNames = broker.published.map(\.topicName)
        #expect(
            topicNames == [
                "fleet-bridge/robots/status", "fleet-bridge/status", "fleet-bridge/robots/r0/state",
                "fleet-bridge/stats",
            ])
        #expect(broker.json("fleet-bridge/status")?["state"] == "offline")
        #expect(broker.state("r0") == nil)
        #expect(AccountingTests.balances(broker.json("fleet-bridge/stats") ?? JSONObject()))
    }

    @Test("A source's new status does not wait behind states")
    func statusFirst() {
        let broker = ScriptedBroker([.robots { $0.staleAfter = .seconds(5) }])
        for index in 0..<100 { broker.report("r\(index)", #"{"lat":57,"lon":9}"#) }
        broker.wait(.seconds(2))
        broker.acknowledges = false
        broker.forget()
        broker.wait(.seconds(4))
        broker.acknowledges = true
        broker.acknowledgeHeld()
        let topicNames = broker.published.map(\.topicName)
        #expect(topicNames.count { $0.hasSuffix("/state") } == 100)
        #expect((topicNames.firstIndex(of: "fleet-bridge/robots/status") ?? 100) <= 21)
    }

    @Test("A broker that acknowledges nothing does not keep the bridge from ending")
    func stubbornShutdown() {
        let broker = ScriptedBroker()
        broker.acknowledges = false
        broker.run(.shutdown)
        broker.wait(.seconds(4))
        #expect(broker.exitCode == 0)
    }

    @Test("Ending without a connection ends at once")
    func shutdownWhileDown() {
        let broker = ScriptedBroker(connect: false)
        broker.run(.shutdown)
        #expect(broker.exitCode == 0)
    }

    @Test("An old will that arrives after the birth is corrected, at most once in 5 s")
    func oldWill() {
        let broker = ScriptedBroker()
        broker.wait(.seconds(1))
        broker.forget()
        let old = #"{"state":"offline","session":1795953599000,"since":"2026-11-29T11:00:00.000Z","version":"x"}"#
        for _ in 0..<5 { broker.send("fleet-bridge/status", old) }
        #expect(broker.published.filter { $0.topicName == "fleet-bridge/status" }.count == 1)
        // The correction comes back to its sender, so it stands there now.
        broker.send("fleet-bridge/status", broker.retained["fleet-bridge/status"] ?? [])
        broker.wait(.seconds(5))
        broker.send("fleet-bridge/status", "offline")
        #expect(broker.published.filter { $0.topicName == "fleet-bridge/status" }.count == 2)
        #expect(broker.json("fleet-bridge/status")?["state"] == "online")
    }

    @Test("What is said against the bridge within 5 s of a correction does not stay: it is corrected after them")
    func secondOldWill() {
        let broker = ScriptedBroker()
        broker.wait(.seconds(1))
        broker.forget()
        for _ in 0..<2 {
            broker.send("fleet-bridge/status", "offline")
            let corrections = broker.published.filter { $0.topicName == "fleet-bridge/status" }
            #expect(corrections.count == 1)
            broker.send("fleet-bridge/status", corrections.last?.payload ?? [])
            broker.wait(.seconds(1))
        }
        broker.send("fleet-bridge/status", "offline")
        broker.wait(.seconds(2.9))
        #expect(broker.published.filter { $0.topicName == "fleet-bridge/status" }.count == 1)
        broker.wait(.seconds(0.2))
        #expect(broker.published.filter { $0.topicName == "fleet-bridge/status" }.count == 2)
    }

    @Test(
        "The instance that came later and was dropped leaves the client id to the other",
        arguments: [
            // Whoever takes a client id over makes the broker send the other's will first, so that is what is found.
            #"{"state":"offline","session":1795953600500,"since":"2026-11-29T11:59:00.000Z","version":"x"}"#,
            #"{"state":"online","session":1795953600500,"since":"2026-11-29T11:59:00.000Z","version":"x"}"#,
            #"{"state":"online","session":1795953609000,"since":"2026-11-29T11:59:00.000Z","version":"x"}"#,
        ])
    func clientIdentifierInUse(status: String) {
        let broker = ScriptedBroker()
        broker.loseConnection()
        broker.wait(.seconds(2))
        broker.send("fleet-bridge/status", status)
        #expect(broker.exitCode == 1)
        #expect(broker.log.contains { $0.message.contains("client id in use") })
    }

    @Test("Another bridge's session is no sign of a client id in use", arguments: ["online", "offline"])
    func otherClientIdentifier(state: String) {
        let broker = ScriptedBroker()
        broker.loseConnection()
        broker.wait(.seconds(2))
        broker.send(
            "fleet-bridge/status",
            #"{"state":"\#(state)","session":1795953609000,"since":"2026-11-29T11:59:00.000Z","version":"x","clientId":"b"}"#
        )
        #expect(broker.exitCode == nil)
        #expect(broker.json("fleet-bridge/status")?["state"] == "online")
    }

    @Test("The end of a bridge beside this one is not the end of the fleet: birth and source statuses are said again")
    func pairEnds() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(6))
        broker.forget()
        broker.store("fleet-bridge/robots/status", #"{"status":"inactive","reason":"shutdown"}"#)
        broker.store(
            "fleet-bridge/status",
            #"{"state":"offline","session":1795953700000,"since":"2026-11-29T12:01:00.000Z","version":"x","clientId":"b"}"#
        )
        #expect(broker.json("fleet-bridge/status")?["state"] == "online")
        #expect(broker.sourceStatus?["status"] == "available")
        #expect(broker.states().isEmpty)
        // A live one that is newer is left alone.
        broker.forget()
        broker.store(
            "fleet-bridge/status",
            #"{"state":"online","session":1795953800000,"since":"2026-11-29T12:01:00.000Z","version":"x","clientId":"b"}"#
        )
        broker.wait(.seconds(6))
        #expect(broker.published.allSatisfy { $0.topicName != "fleet-bridge/status" })
    }

    @Test("The instance that was there first stays")
    func clientIdentifierKept() {
        let broker = ScriptedBroker()
        broker.loseConnection()
        broker.wait(.seconds(2))
        for state in ["online", "offline"] {
            broker.send(
                "fleet-bridge/status",
                #"{"state":"\#(state)","session":1795953601500,"since":"2026-11-29T12:00:01.000Z","version":"x"}"#)
        }
        #expect(broker.exitCode == nil)
    }

    @Test("What an earlier instance left behind is no sign of another one")
    func clientIdentifierOfThePast() {
        let broker = ScriptedBroker()
        broker.loseConnection()
        broker.wait(.seconds(2))
        broker.send(
            "fleet-bridge/status",
            #"{"state":"offline","session":1795953599999,"since":"2026-11-29T11:59:00.000Z","version":"x"}"#)
        #expect(broker.exitCode == nil)
    }

    @Test("A newer session on the status topic is connected above, after the usual wait and no sooner")
    func newerSession() {
        let broker = ScriptedBroker(connect: false)
        broker.returnsProbes = false
        broker.isUp = true
        broker.wait(.seconds(2))
        var session = 1_795_953_700_000
        for wait in [1.0, 2, 4, 8] {
            #expect(broker.isConnected)
            let (connects, now) = (broker.connectsAt.count, broker.now.monotonic)
            session += 100_000
            broker.send(
                "fleet-bridge/status",
                #"{"state":"offline","session":\#(session),"since":"2026-11-29T11:00:00.000Z","version":"x"}"#)
            #expect(!broker.isConnected)
            broker.wait(.seconds(wait))
            #expect(broker.connectsAt.count == connects + 1)
            #expect(broker.connectsAt.last.map { $0 - now >= .seconds(wait * 0.75) } == true)
        }
        broker.wait(.seconds(11))
        #expect(broker.json("fleet-bridge/status")?.number("session") == Double(session + 1))
        #expect(broker.exitCode == nil)
    }

    @Test("A number that can be no session is corrected and not taken over", arguments: ["9007199254740994", "9e18"])
    func impossibleSession(number: String) {
        let broker = ScriptedBroker()
        broker.wait(.seconds(1))
        broker.send("fleet-bridge/status", #"{"state":"online","session":\#(number),"since":"2026-11-29T11:00:00Z"}"#)
        #expect(broker.json("fleet-bridge/status")?.number("session") == 1_795_953_600_000)
        broker.loseConnection()
        broker.wait(.seconds(2))
        #expect(broker.json("fleet-bridge/status")?.number("session") ?? 0 < 1_795_953_610_000)
    }

    @Test("A refused filter makes its source unavailable, and is told by name")
    func denied() {
        let broker = ScriptedBroker(connect: false)
        broker.deniedFilters = ["fleet/robots/+/telemetry"]
        broker.isUp = true
        broker.wait(.seconds(2))
        #expect(broker.sourceStatus?["status"] == "unavailable")
        #expect(broker.sourceStatus?["reason"] == "accessDenied")
        let told = broker.log.filter { $0.level == .error }
        #expect(told.count == 1 && told[0].fields.contains { $0.value == "fleet/robots/+/telemetry" })
    }

    @Test("A subscription that does not leave is told with its reason, once, and the others work")
    func failedSubscription() {
        let broker = ScriptedBroker(connect: false)
        broker.failingFilters = ["fleet/robots/+/telemetry"]
        broker.isUp = true
        broker.wait(.seconds(2))
        #expect(broker.sourceStatus?["status"] == "unavailable")
        let told = broker.log.filter { $0.level == .error }
        #expect(told.count == 1 && told[0].message == "a subscription failed")
        #expect(told.first?.fields.map(\.value) == ["fleet/robots/+/telemetry", "no way"])
    }

    @Test("A broker that answers no subscription is given up after 10 s, and tried again")
    func silentBroker() {
        let broker = ScriptedBroker(connect: false)
        broker.answersSubscriptions = false
        broker.isUp = true
        broker.wait(.seconds(1))
        #expect(broker.isConnected)
        let connects = broker.connectsAt.count
        broker.wait(.seconds(9.5))
        #expect(broker.connectsAt.count == connects)
        broker.answersSubscriptions = true
        broker.wait(.seconds(2))
        #expect(broker.connectsAt.count == connects + 1)
        #expect(broker.json("fleet-bridge/status")?["state"] == "online")
        #expect(broker.log.contains { $0.message.contains("does not answer") })
    }

    @Test("As long as stored messages come, the answers are behind them")
    func answersBehindStoredMessages() {
        let broker = ScriptedBroker(connect: false)
        broker.answersSubscriptions = false
        broker.isUp = true
        broker.wait(.seconds(1))
        let connects = broker.connectsAt.count
        for index in 0..<10 {
            broker.wait(.seconds(5))
            broker.report("r\(index)", #"{"lat":57,"lon":9}"#, retain: true)
        }
        #expect(broker.connectsAt.count == connects)
    }

    @Test("Birth comes first, then the sources' statuses, then what was stored, paced")
    func birthFirst() {
        let broker = ScriptedBroker(connect: false)
        broker.returnsProbes = false
        broker.isUp = true
        broker.wait(.seconds(7))  // the first one ends the reading of what stands on the own topics
        for index in 0..<500 { broker.report("r\(index)", #"{"lat":57,"lon":9}"#, retain: true) }
        broker.wait(.seconds(5.2))
        let topicNames = broker.published.map(\.topicName)
        #expect(topicNames.prefix(2) == ["fleet-bridge/status", "fleet-bridge/robots/status"])
        #expect((50..<500).contains(topicNames.count { $0.hasSuffix("/state") }))
        broker.wait(.seconds(1))
        #expect(broker.published.map(\.topicName).count { $0.hasSuffix("/state") } == 500)
        #expect(AccountingTests.balances(broker.stats()))
    }

    @Test("As long as stored messages come, the probe is behind them and not lost")
    func probeBehindStoredMessages() {
        let broker = ScriptedBroker(connect: false)
        broker.returnsProbes = false
        broker.isUp = true
        broker.wait(.seconds(7))  // the first one ends the reading of what stands on the own topics
        for index in 0..<10 {
            broker.report("r\(index)", #"{"lat":57,"lon":9}"#, retain: true)
            broker.wait(.seconds(1))
            #expect(broker.json("fleet-bridge/status") == nil)
        }
        // Live ones prove nothing: they never end.
        for _ in 0..<5 {
            broker.report(#"{"lat":57,"lon":9}"#)
            broker.wait(.seconds(1))
        }
        #expect(broker.json("fleet-bridge/status")?["state"] == "online")
    }

    @Test("A probe that never comes back delays the start, but does not prevent it")
    func lostProbe() {
        let broker = ScriptedBroker(connect: false)
        broker.returnsProbes = false
        broker.isUp = true
        broker.wait(.seconds(2))
        #expect(broker.json("fleet-bridge/status") == nil)
        broker.wait(.seconds(10))
        #expect(broker.json("fleet-bridge/status")?["state"] == "online")
    }
}
