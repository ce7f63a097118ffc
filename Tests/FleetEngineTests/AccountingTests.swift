import FleetEngine
import JSON
import Locations
import MQTTModel
import TelemetryFormats
import Testing

struct AccountingTests {
    /// Every message in exactly one counter, every applied report in exactly one outcome.
    static func balances(_ stats: JSONObject) -> Bool {
        let ends = ["applied", "duplicate", "late", "ignored", "rejected"]
        let messages = ends.compactMap { stats.number($0) }.reduce(0, +)
        let outcomes = ["published", "coalesced", "unchanged", "pending"].compactMap { stats.number("reports", $0) }
        return messages == stats.number("received") && outcomes.reduce(0, +) == stats.number("reports", "applied")
    }

    @Test("Each kind of message ends in its counter, and the sums balance")
    func counters() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9,"ts":"2026-11-29T12:00:00Z"}"#)
        broker.report(#"{"lat":57,"lon":9,"ts":"2026-11-29T12:00:00Z"}"#)
        broker.report(#"{"lat":56,"lon":9,"ts":"2026-11-29T11:59:00Z"}"#)
        broker.report("{")
        broker.report("")
        broker.send("fleet/robots/zz/connection", "offline")
        broker.report("r2", #"{"lat":57,"lon":9,"charge":"57,05"}"#)
        let stats = broker.stats()
        #expect(stats.number("received") == 7)
        #expect(stats.number("applied") == 2)
        #expect(stats.number("duplicate") == 1)
        #expect(stats.number("late") == 1)
        #expect(stats.number("ignored") == 2)
        #expect(stats.number("rejected") == 1)
        #expect(stats.number("reasons", "invalid-json") == 1)
        #expect(stats.number("fields", "charge-not-a-number") == 1)
        #expect(Self.balances(stats))
    }

    @Test("A stored copy that comes a second time before the bridge is ready is a duplicate, whatever it says")
    func storedTwice() {
        let broker = ScriptedBroker()
        broker.returnsProbes = false
        broker.loseConnection()
        broker.wait(.seconds(2))
        for payload in [#"{"lat":57,"lon":9}"#, #"{"lat":58,"lon":9}"#] { broker.report(payload, retain: true) }
        for _ in 0..<2 { broker.send("fleet/robots/r1/connection", "offline", retain: true) }
        broker.report(#"{"lat":59,"lon":9}"#)
        broker.wait(.seconds(6))
        #expect(broker.state()?.number("position", "lat") == 59)
        // What comes later was published later: somebody stores again while we listen with another filter.
        broker.send("fleet/robots/r1/connection", "offline", retain: true)
        let stats = broker.stats()
        #expect(stats.number("reasons", "stored-twice") == 2)
        #expect(stats.number("duplicate") == 2 && stats.number("received") == 6)
        #expect(Self.balances(stats))
    }

    @Test("The last counters go out before the bridge ends")
    func lastCounters() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.run(.shutdown)
        #expect(broker.exitCode == 0)
        #expect(broker.json("fleet-bridge/stats")?.number("received") == 1)
        #expect(broker.json("fleet-bridge/stats")?.number("reports", "published") == 1)
    }

    @Test("A field that cannot be used is told once a device and reason, and so is an id that is not the topic's")
    func fieldFaults() {
        let broker = ScriptedBroker()
        for _ in 0..<3 {
            broker.report(#"{"lat":57,"lon":9,"ts":"2031-01-01T00:00:00Z","charge":"72%","id":"r9"}"#)
            broker.report("r2", #"{"lat":57,"lon":9,"charge":"72%","id":"r2"}"#)
        }
        let told = broker.log.filter { $0.level == .warning }.map { entry in
            entry.fields.filter { ["topic", "reason", "id"].contains($0.name) }.map(\.value).joined(separator: " ")
        }
        let (first, second) = ("fleet/robots/r1/telemetry", "fleet/robots/r2/telemetry")
        #expect(
            told.sorted() == [
                "charge-not-a-number \(first)", "charge-not-a-number \(second)", "\(first) r9", "ts-in-future \(first)",
            ])
        #expect(broker.state()?["id"] == "r1")
    }

    @Test("Reports that a newer one overtakes are coalesced, waiting ones pending")
    func coalesced() {
        let broker = ScriptedBroker([.robots { $0.maxRate = 0.05 }])
        for index in 0..<5 { broker.report(#"{"lat":57.\#(index)1,"lon":9}"#) }
        let stats = broker.stats()
        #expect(stats.number("reports", "published") == 1)
        #expect(stats.number("reports", "coalesced") == 3)
        #expect(stats.number("reports", "pending") == 1)
        #expect(Self.balances(stats))
    }

    @Test("The queue counts the topics that wait, the most there were, and what was given up")
    func queue() {
        let source = SourceConfiguration.robots {
            $0.maxRate = 0.05
            $0.staleAfter = nil
        }
        let broker = ScriptedBroker([source])
        for _ in 0..<3 { for device in ["a", "b", "c"] { broker.report(device, #"{"lat":57,"lon":9}"#) } }
        var stats = broker.stats()
        #expect(stats.number("queue", "now") == 3)
        #expect(stats.number("queue", "max") == 4)  // with the source's status
        #expect(stats.number("queue", "dropped") == 0)
        broker.wait(.seconds(20))
        broker.failure = ("a/state", mayRetry: false)
        broker.report("a", #"{"lat":58,"lon":9}"#)
        broker.wait(.seconds(20))
        stats = broker.stats()
        #expect(stats.number("queue", "now") == 0)
        #expect(stats.number("queue", "dropped") == 1)
    }

    @Test(
        "A report whose state is too large for the broker waits until one fits, and is not taken for published or unchanged"
    )
    func tooLarge() {
        // Room for the barest state there is, but not with so many digits.
        let broker = ScriptedBroker(maximumPacketSize: 270)
        broker.report(#"{"lat":57.123456789012,"lon":9.123456789012,"name":"n"}"#)
        #expect(broker.states().isEmpty)
        var stats = broker.stats()
        #expect(stats.number("reports", "pending") == 1)
        #expect(stats.number("reports", "unchanged") == 0 && stats.number("reports", "published") == 0)
        #expect(stats.number("queue", "dropped") == 1)
        #expect(Self.balances(stats))
        broker.report(#"{"lat":57,"lon":9,"name":"n"}"#)
        stats = broker.stats()
        #expect(broker.state()?["name"] == "n")
        #expect(stats.number("reports", "pending") == 0)
        #expect(stats.number("reports", "coalesced") == 1 && stats.number("reports", "published") == 1)
        #expect(Self.balances(stats))
    }

    @Test("While the broker is away the queue grows to its topics and no further, and empties when it is back")
    func queueInAnOutage() {
        let broker = ScriptedBroker()
        broker.loseConnection()
        broker.isUp = false
        for _ in 0..<3 { for index in 0..<50 { broker.report("r\(index)", #"{"lat":57,"lon":9}"#) } }
        broker.isUp = true
        broker.wait(.seconds(2))
        let stats = broker.stats()
        #expect(stats.number("queue", "now") == 0)
        #expect(stats.number("queue", "max") == 52)  // with the statuses of source and bridge
    }

    @Test("A batch counts as its best report")
    func batch() {
        let broker = ScriptedBroker([.robots(topics: ["fleet/robots/telemetry"])])
        broker.send(
            "fleet/robots/telemetry",
            #"[{"id":"a","lat":57,"lon":9},{"id":"b","lat":"x","lon":9},{"id":"c","charge":1}]"#)
        #expect(broker.state("a") != nil && broker.state("b") == nil && broker.state("c") != nil)
        let stats = broker.stats()
        #expect(stats.number("applied") == 1)
        #expect(stats.number("reports", "applied") == 2)
        #expect(stats.number("reports", "rejected") == 1)
        #expect(Self.balances(stats))
    }

    @Test("A faulty report is told and counted by its reason, also where others of its batch count")
    func faultyReports() {
        let broker = ScriptedBroker([.robots(topics: ["fleet/robots/telemetry"])])
        broker.send(
            "fleet/robots/telemetry",
            #"[{"id":"a","lat":57,"lon":9},{"id":"b","lat":"x","lon":9},{"id":"","lat":1,"lon":9},{"id":"c","lat":"y","lon":9}]"#
        )
        let told = broker.log.filter { $0.message == "rejected" }.map { entry in
            entry.fields.filter { ["reason", "pointer"].contains($0.name) }.map(\.value)
        }
        #expect(told == [["position-not-a-number", "/1/lat"], ["bad-device-id", "/2/id"]])
        // Where none counts, it is no different.
        broker.send("fleet/robots/telemetry", #"[{"id":"b","lat":"x","lon":9},{"id":"c","lat":"y","lon":9}]"#)
        broker.send("fleet/robots/telemetry", "{")
        let stats = broker.stats()
        #expect(stats.number("applied") == 1 && stats.number("rejected") == 2)
        #expect(stats.number("reports", "rejected") == 5)
        #expect(stats.number("reasons", "position-not-a-number") == 4)
        #expect(stats.number("reasons", "bad-device-id") == 1)
        #expect(stats.number("reasons", "invalid-json") == 1)
    }

    @Test("convert says that a batch is rejected only where nothing of it counts")
    func convertedBatch() {
        func answer(_ payload: String) -> JSONObject? {
            Converter([.robots(topics: ["fleet/robots/telemetry"])]).convert(
                Converter.Input(
                    topicName: "fleet/robots/telemetry", payload: Array(payload.utf8), retained: false,
                    arrival: ScriptedBroker.start.wall)
            ).object
        }
        #expect(
            answer(#"[{"id":"b","lat":"x","lon":9},{"id":"a","lat":57,"lon":9}]"#)?.members.map(\.key)
                == ["reports", "rejectedReports"])
        #expect(answer(#"[{"id":"b","lat":"x","lon":9}]"#)?.members.map(\.key) == ["rejected"])
    }

    @Test(
        "Rejected messages change nothing, not even the last sign of life",
        arguments: [
            "{", "null", "true", "7", #""x""#, "[]", "{}", "[1]", " ", #"{"lat":95,"lon":9}"#, #"{"lat":57}"#,
            #"{"lat":"57,05","lon":9}"#, #"{"lat":"","lon":9}"#,
            #"{"lat":NaN,"lon":9}"#, #"{"lat":1e999,"lon":9}"#, #"{"lat":57058250,"lon":9}"#,
            #"{"lat":57,"lon":9,"lat":58}"#, #"{"lat":57,"lon":181}"#,
            #"{"lat":true,"lon":9}"#, #"{"lat":57,"lon":null}"#, #"{"lat":0,"lon":0}"#,
            "{\"lat\":57,\"lon\":9,\"name\":\"\u{1}\"}", #"{"position":[9,57]}"#,
        ])
    func rejected(payload: String) {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(20))
        broker.forget()
        broker.report(payload)
        #expect(broker.states().isEmpty)
        broker.wait(.seconds(10))
        #expect(broker.state()?["status"] == "stale")
        let stats = broker.stats()
        #expect(stats.number("rejected") == 1)
        #expect(AccountingTests.balances(stats))
    }

    @Test("A broker's copy for a less specific filter is a duplicate")
    func overlap() {
        let broker = ScriptedBroker([
            .robots(id: "all", topics: ["fleet/#"]), .robots(id: "robots", topics: ["fleet/robots/{device}/telemetry"]),
        ])
        broker.send("fleet/robots/r1/telemetry", #"{"lat":57,"lon":9}"#, identifiers: [1])
        broker.send("fleet/robots/r1/telemetry", #"{"lat":57,"lon":9}"#, identifiers: [2])
        broker.send("fleet/robots/r1/telemetry", #"{"lat":57.1,"lon":9}"#, identifiers: [1, 2])
        #expect(broker.state()?.number("position", "lat") == 57.1)
        let stats = broker.stats()
        #expect(stats.number("duplicate") == 1)
        #expect(stats.number("applied") == 2)
    }

    @Test("What a session still brings for a filter that is gone makes nothing and counts nowhere")
    func unrouted() {
        let broker = ScriptedBroker(keepsSession: true)
        let topics = Set(broker.retained.keys)
        broker.send("fleet/tags/t1/telemetry", #"{"lat":57,"lon":9}"#)
        broker.report(#"{"lat":57,"lon":9}"#)
        let stats = broker.stats()
        #expect(stats.number("received") == 1 && stats.number("applied") == 1 && Self.balances(stats))
        #expect(
            Set(broker.retained.keys).subtracting(topics) == ["fleet-bridge/robots/r1/state", "fleet-bridge/stats"])
    }

    @Test("New devices beyond the limit are rejected, known ones go on")
    func limit() {
        let broker = ScriptedBroker([.robots { $0.maxLocations = 2 }])
        for device in ["a", "b", "c", "d"] { broker.report(device, #"{"lat":57,"lon":9}"#) }
        broker.report("a", #"{"lat":58,"lon":9}"#)
        #expect(broker.state("c") == nil)
        #expect(broker.state("a")?.number("position", "lat") == 58)
        #expect(broker.stats().number("reasons", "location-limit") == 2)
    }

    @Test("A payload beyond maxPayload is rejected unread")
    func size() {
        let broker = ScriptedBroker([.robots { $0.maxPayload = 100 }])
        broker.report(#"{"lat":57,"lon":9,"x\#(String(repeating: "y", count: 100))":1}"#)
        #expect(broker.stats().number("reasons", "payload-too-large") == 1)
    }

    @Test("A template makes a source of each value it sees")
    func templates() {
        let broker = ScriptedBroker([
            .robots(id: "default", topics: ["fleet/{source}/{device}/telemetry", "fleet/{source}/status"])
        ])
        broker.send("fleet/tags/t1/telemetry", #"{"lat":57,"lon":9}"#)
        broker.send("fleet/agvs/a1/telemetry", #"{"lat":57,"lon":9}"#)
        broker.send("fleet/status/a1/telemetry", #"{"lat":57,"lon":9}"#)
        #expect(broker.state("t1", source: "tags")?["source"] == "tags")
        #expect(broker.json("fleet-bridge/agvs/status")?["status"] == "available")
        #expect(broker.json("fleet-bridge/default/status") == nil)
        #expect(broker.stats().number("reasons", "bad-source-id") == 1)
    }
}
