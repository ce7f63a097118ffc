import FleetEngine
import JSON
import Testing

/// What is told on `P/rejected`.
struct RejectionReportTests {
    private func reports(_ broker: ScriptedBroker) -> [ScriptedBroker.Publication] {
        broker.published.filter { $0.topicName == "fleet-bridge/rejected" }
    }

    @Test("A rejection is reported with its reason, its place and the beginning of the payload")
    func report() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":157.05825,"lon":9}"#)
        #expect(
            reports(broker).map(\.json) == [
                [
                    "topic": "fleet/robots/r1/telemetry", "source": "robots", "reason": "position-out-of-range",
                    "pointer": "/lat", "detail": "latitude 157.05825 is not within ±90",
                    "time": "2026-11-29T12:00:00.000Z", "bytes": 25, "payload": #"{"lat":157.05825,"lon":9}"#,
                ]
            ])
        #expect(reports(broker).first?.qos == .atMostOnce)
        #expect(reports(broker).first?.retain == false)
    }

    @Test(
        "A payload is shown as text where it is one, else in base64, its first 256 bytes at most",
        arguments: [
            (Array("{".utf8), "payload", "{"), (Array("\u{0}\u{1B}[31m\n".utf8), "payload", "\u{0}\u{1B}[31m\n"),
            ([0xFF], "payloadBase64", "/w=="), ([0xC3, 0x28, 0x61], "payloadBase64", "wyhh"),
            (Array(repeating: 0x61, count: 256), "payload", String(repeating: "a", count: 256)),
            (Array(repeating: 0x61, count: 257), "payload", String(repeating: "a", count: 256)),
            // A character that the limit cuts through is left out; one that ends too early is none.
            (Array((String(repeating: "a", count: 255) + "é").utf8), "payload", String(repeating: "a", count: 255)),
            (Array((String(repeating: "a", count: 253) + "😀").utf8), "payload", String(repeating: "a", count: 253)),
            ([0x61, 0xC3], "payloadBase64", "YcM="),
        ] as [([UInt8], String, String)])
    func excerpt(payload: [UInt8], key: String, expected: String) {
        let broker = ScriptedBroker()
        broker.send("fleet/robots/r1/telemetry", payload)
        let report = reports(broker).first?.json?.object
        #expect(report?[key] == .string(expected))
        #expect(report?.number("bytes") == Double(payload.count))
        #expect(report?.members.count { $0.key.hasPrefix("payload") } == 1)
    }

    @Test("Every faulty report of a batch is told with its place")
    func batch() {
        let broker = ScriptedBroker([.robots(topics: ["fleet/robots/telemetry"])])
        broker.send(
            "fleet/robots/telemetry", #"[{"id":"a","lat":57,"lon":9},{"id":"b","lat":"x","lon":9},{"id":"","lat":1}]"#)
        #expect(reports(broker).map { $0.json?.object?["pointer"] } == ["/1/lat", "/2/id"])
    }

    @Test("Each device and reason is told once in ten seconds")
    func rate() {
        let broker = ScriptedBroker()
        for _ in 0..<50 {
            broker.report("{")
            broker.report("[]")
            broker.report("r2", "{")
        }
        #expect(reports(broker).count == 3)
        broker.wait(.seconds(9.999))
        broker.report("{")
        #expect(reports(broker).count == 3)
        broker.wait(.seconds(0.001))
        broker.report("{")
        #expect(reports(broker).count == 4)
        #expect(broker.stats().number("rejected") == 152)
    }

    @Test("All devices together are told a hundred times in ten seconds at most")
    func cap() {
        let broker = ScriptedBroker()
        for index in 0..<1_000 { broker.report("fake\(index)", "{") }
        #expect(reports(broker).count == 100)
        broker.wait(.seconds(10))
        broker.report("{")
        #expect(reports(broker).count == 101)
    }

    @Test("Nothing is kept for later while no connection is open")
    func away() {
        let broker = ScriptedBroker()
        broker.loseConnection()
        broker.isUp = false
        broker.report("{")
        broker.isUp = true
        broker.wait(.seconds(20))
        #expect(reports(broker).isEmpty)
    }

    @Test("What a topic or a pointer has beyond a thousand bytes is left out")
    func longTexts() {
        let broker = ScriptedBroker()
        let key = String(repeating: "ä", count: 2_000)
        broker.report(#"{"\#(key)":{"a":1,"a":2}}"#)
        let pointer = reports(broker).first?.json?.object?["pointer"]?.string ?? ""
        #expect(pointer.utf8.count <= 1_000 && pointer.hasSuffix("ä…"))
    }

    @Test("A message that makes no source is told with the name that it would have")
    func template() {
        let broker = ScriptedBroker([.robots(id: "default", topics: ["fleet/{source}/{device}/telemetry"])])
        broker.send("fleet/status/a1/telemetry", #"{"lat":57,"lon":9}"#)
        let report = reports(broker).first?.json?.object
        #expect(report?["source"] == "status" && report?["reason"] == "bad-source-id")
    }
}
