import FleetTestSupport
import JSON
import LocalBroker
import MQTTModel
import Testing

@Suite("Garbage on telemetry topics", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct GarbageTests {
    private static let place = #""lat":57.5,"lon":9.25"#

    /// Payloads that are rejected whole, with the reason.
    private static let rejected: [(payload: [UInt8], reason: String)] = [
        ((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }, "invalid-json"),
        ([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], "invalid-json"),
        (Array(#"{"name":"x"#.utf8) + [0xC3, 0x28] + Array(#"",\#(place)}"#.utf8), "invalid-utf8"),
        (Array((String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000)).utf8), "too-deep"),
        (Array((String(repeating: #"{"a":"#, count: 5_000) + "1").utf8), "too-deep"),
        (Array(#"{"a":"\#(String(repeating: "x", count: 5 << 20))",\#(place)}"#.utf8), "payload-too-large"),
        (Array(#"{"lat":NaN,"lon":9}"#.utf8), "invalid-json"),
        (Array(#"{"lat":Infinity,"lon":9}"#.utf8), "invalid-json"),
        (Array(#"{"lat":1e999,"lon":9}"#.utf8), "position-not-a-number"),
        (Array(#"{"lat":"nan","lon":9}"#.utf8), "position-not-a-number"),
        (Array("{\"lat\":57,\"lon\":9}}".utf8), "invalid-json"),
        (Array("{'lat':57,'lon':9}".utf8), "invalid-json"),
        (Array(#"{"lat":57,"lat":58,"lon":9}"#.utf8), "duplicate-key"),
        (Array(#"{"lat":57"#.utf8), "invalid-json"),
        (Array("   ".utf8), "invalid-json"),
        (Array("null".utf8), "not-an-object"),
        (Array("{}".utf8), "empty-report"),
        (Array("[]".utf8), "empty-batch"),
        (Array(#"{"lat":9223372036854775807,"lon":9}"#.utf8), "position-out-of-range"),
    ]

    /// Strange, but an object with a place in it: the place counts.
    private static let applied: [[UInt8]] = [
        [0xEF, 0xBB, 0xBF] + Array("{\(place)}".utf8),
        Array("{\(place),\((0..<4_000).map { "\"k\($0)\":\($0)" }.joined(separator: ","))}".utf8),
        Array(
            #"{\#(place),"floor":1e300,"charge":1e308,"seq":1e300,"heading":-1e300,"speed":1e308,"ts":9e99,"altitude":-0}"#
                .utf8),
        Array(#"{\#(place),"charge":null,"name":"\u0000\u001b[2J\n","type":"\ud83e\udd16"}"#.utf8),
        Array(#"{\#(place),"deep":\#(String(repeating: "[", count: 30))\#(String(repeating: "]", count: 30))}"#.utf8),
    ]

    @Test("The bridge lives, counts every message once, and healthy devices stay current")
    func garbage() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let devices = try Devices(broker)
            let counts = (rejected: Self.rejected.count, applied: Self.applied.count)
            for (index, payload) in (Self.rejected.map(\.payload) + Self.applied).enumerated() {
                try devices.report("healthy")
                try devices.publish("fleet/robots/odd\(index)/telemetry", payload)
                try devices.publish("fleet/robots/healthy/connection", payload.isEmpty ? [1] : Array(payload.prefix(9)))
            }
            // Ten thousand fields do not fit into what is read by default.
            let wide = "{\(Self.place),\((0..<10_000).map { "\"k\($0)\":\($0)" }.joined(separator: ","))}"
            try devices.publish("fleet/robots/wide/telemetry", Array(wide.utf8))
            try devices.report("healthy")
            try devices.waitUntilCurrent(watcher)
            #expect(try bridge.stop() == 0)
            try watcher.settle()
            #expect(watcher.locations().count == 1 + counts.applied)
            // What is published is strict JSON whatever came in.
            for message in watcher.history where !message.payload.isEmpty {
                #expect(throws: Never.self) { try JSONParser().parse(message.payload) }
            }
            let stats = try Stats(stored: broker)
            #expect(stats.balance, "\(stats.document.text)")
            #expect(stats["received"] == 3 * counts.rejected + 3 * counts.applied + 2)
            #expect(stats["applied"] == counts.applied + counts.rejected + counts.applied + 1)
            for (reason, group) in Dictionary(grouping: Self.rejected, by: \.reason) {
                #expect(stats["reasons.\(reason)"] >= group.count, "\(reason): \(stats.document.text)")
            }
            // One event, one line, and none of the payloads in it.
            let lines = bridge.process.errors.split(separator: "\n")
            #expect(lines.allSatisfy { $0.hasPrefix("20") && $0.utf8.count < 1_000 })
        }
    }

    @Test("A wide message sent again and again does not hold up the others")
    func repeatedWideMessages() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let devices = try Devices(broker)
            // Just below 64 KiB, and twice the same: such a pair is compared member by member.
            let fields = (0..<5_500).map { "\"key\($0)\":1" }.joined(separator: ",")
            let wide = Array(#"{"ts":"\#(now())",\#(Self.place),\#(fields)}"#.utf8)
            for _ in 0..<20 { try devices.publish("fleet/robots/wide/telemetry", wide) }
            try devices.report("healthy")
            try devices.waitUntilCurrent(watcher)
            #expect(try bridge.stop() == 0)
            let stats = try Stats(stored: broker)
            #expect(stats["applied"] == 2 && stats["duplicate"] == 19)
        }
    }
}
