import JSON
import MQTTModel
import Testing
import Timestamps

@testable import FleetEngine
@testable import Locations

/// What others send, and how long nothing goes out, decides over no memory.
struct BoundednessTests {
    private func broker(_ adjust: (inout SourceSettings) -> Void = { _ in }) -> ScriptedBroker {
        ScriptedBroker(
            [
                .robots {
                    $0.maxRate = 2
                    adjust(&$0)
                }
            ], snapshots: .seconds(5))
    }

    private func cut(_ broker: ScriptedBroker) {
        broker.loseConnection()
        broker.isUp = false
    }

    @Test(
        "In an hour without the broker the queues grow to what there is to say, and each state goes out once after it")
    func outage() {
        let broker = broker()
        let devices = 50
        func report(_ round: Int) {
            for device in 0..<devices { broker.report("r\(device)", #"{"lat":57.\#(1_000 + round),"lon":9}"#) }
        }
        report(0)
        broker.wait(.seconds(5))
        cut(broker)
        var most = 0
        for round in 1...720 {
            report(round)
            broker.wait(.seconds(5))
            most = max(most, broker.engine.output.publisher.entries)
        }
        #expect(most < 4 * devices + 1_100)
        #expect(broker.engine.output.publisher.topicCount < devices + 10)
        #expect(broker.log.count < 1_000)  // a line for each attempt to connect
        broker.forget()
        broker.isUp = true
        broker.wait(.seconds(15))
        #expect(broker.published.count { $0.topicName.hasSuffix("/state") } == devices)
        #expect(broker.published.allSatisfy { !$0.topicName.hasSuffix("/event") })
        #expect(AccountingTests.balances(broker.stats()))
        #expect(broker.engine.output.publisher.tally.coalesced >= 719 * devices)
    }

    @Test("Devices that are made and withdrawn without end leave nothing behind while the broker is away or silent")
    func churn() {
        for isAway in [true, false] {
            let broker = broker()
            if isAway { cut(broker) } else { broker.acknowledges = false }
            for index in 0..<20_000 {
                broker.report("d\(index)", #"{"lat":57,"lon":9}"#)
                broker.report("d\(index)", "")
            }
            #expect(broker.engine.output.publisher.topicCount < 100)
            #expect(broker.engine.output.publisher.entries < 2_000)
            (broker.isUp, broker.acknowledges) = (true, true)
            while broker.hasHeld { broker.acknowledgeHeld() }
            broker.wait(.seconds(30))
            #expect(!broker.retained.keys.contains { $0.hasSuffix("/state") })
            #expect(broker.engine.output.publisher.topicCount < 10)
            #expect(AccountingTests.balances(broker.stats()))
        }
    }

    @Test("A status that comes and goes does not pile up what a long interval holds back")
    func flapping() {
        let broker = broker {
            $0.minInterval = .seconds(3_600)
            $0.hold = .zero
        }
        for index in 0..<5_000 {
            broker.report(#"{"lat":57.\#(index),"lon":9}"#)
            broker.report(#"{"lat":58.\#(index),"lon":9}"#)
            broker.send("fleet/robots/r1/connection", "offline")
            broker.wait(.milliseconds(100))
        }
        #expect(broker.engine.output.publisher.entries < 2_000)
    }

    @Test("A device that sends garbage a thousand times a second fills neither log nor topics, and delays nobody")
    func garbage() {
        let broker = broker { $0.maxRate = nil }
        for second in 0..<60 {
            for index in 0..<1_000 {
                broker.report(index % 2 == 0 ? "bad" : "fake\(second)-\(index)", "{not json")
            }
            broker.report("good", #"{"lat":57.\#(100 + second),"lon":9}"#)
            #expect(broker.state("good")?.number("position", "lat") == Double("57.\(100 + second)"))
            broker.wait(.seconds(1))
        }
        #expect(broker.log.count < 1_200)
        #expect(broker.published.count { $0.topicName == "fleet-bridge/rejected" } <= 700)
        let stats = broker.stats()
        #expect(stats.number("rejected") == 60_000)
        #expect(AccountingTests.balances(stats))
    }

    @Test("Of a hundred thousand made-up devices as many are known as may be, and the rest leaves nothing")
    func fakes() {
        let broker = broker { $0.maxLocations = 100 }
        for index in 0..<100_000 {
            broker.send("fleet/robots/f\(index)/connection", "offline")
            if index % 10 == 0 { broker.report("f\(index)", #"{"lat":57,"lon":9}"#) }
        }
        broker.wait(.seconds(5))
        #expect(broker.engine.locations.count == 100)
        #expect(broker.engine.sources.all.map { $0.source.offlineBeforeBirth.count } == [100])
        #expect(broker.retained.keys.count { $0.hasSuffix("/state") } == 100)
        #expect(broker.log.count < 1_100)
        #expect(AccountingTests.balances(broker.stats()))
    }

    @Test("Ten thousand fields, and five megabytes, cost no more than a location may")
    func large() {
        let broker = broker()
        let fields = (0..<10_000).map { #""k\#($0)":1"# }.joined(separator: ",")
        broker.send("fleet/robots/r1/telemetry", Array(#"{"lat":57,"lon":9,\#(fields)}"#.utf8.prefix(64 * 1_024)))
        broker.report(#"{"lat":57,"lon":9,\#((0..<5_000).map { #""k\#($0)":1"# }.joined(separator: ","))}"#)
        #expect(broker.engine.locations.first?.properties.count == 256)
        broker.send("fleet/robots/r1/telemetry", [UInt8](repeating: 0x7B, count: 5 << 20))
        broker.send(
            "fleet/robots/r1/telemetry",
            Array(#"{"lat":57,"lon":9,"\#(String(repeating: "x", count: 60_000))":[}"#.utf8))
        let rejected = broker.published.filter { $0.topicName == "fleet-bridge/rejected" }
        #expect(rejected.map { $0.json?.object?["reason"] } == ["invalid-json", "payload-too-large"])
        #expect(rejected.allSatisfy { $0.payload.count < 4_000 })
        #expect(broker.log.flatMap(\.fields).allSatisfy { $0.value.utf8.count <= 1_000 })
    }
}
