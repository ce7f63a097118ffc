import FleetTestSupport
import JSON
import MQTTModel
import Testing

@Suite("OwnTracks through a broker", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct OwnTracksTests {
    /// The keys of a report that a styled state has somewhere else.
    private static func report(of state: JSONObject) -> JSONObject {
        var report = state
        let place = state["position"]?.object
        report["lat"] = place?["lat"]
        report["lon"] = place?["lon"]
        return report
    }

    @Test("The fixtures' messages, sent to a real broker, read back as styled states")
    func fixtures() throws {
        let cases = try FormatCase.all("owntracks")
        try Broker.withBroker { broker in
            let bridge = try Bridge(
                broker,
                """
                sources:
                  people: {format: owntracks, topics: [owntracks/#], type: person, maxRate: unlimited}
                """)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let phone = try TestClient(port: broker.port)
            var expectedReports = 0
            var counts: (rejected: Int, ignored: Int) = (0, 0)
            for (index, example) in cases.enumerated() {
                // Each case is a phone of its own: the first level below `owntracks` becomes the case's.
                let user = "case\(index)"
                for message in example.messages {
                    var levels = message.topicName.split(separator: "/", omittingEmptySubsequences: false).map(
                        String.init)
                    levels[1] = user
                    try phone.publish(
                        Message(
                            topicName: levels.joined(separator: "/"), payload: message.payload, qos: .atLeastOnce,
                            retain: message.retained))
                }
                guard case .reports(let reports) = example.expectation else {
                    if case .rejected = example.expectation { counts.rejected += 1 } else { counts.ignored += 1 }
                    continue
                }
                expectedReports += 1
                let report = try #require(reports.last)
                let id = try #require(report["id"]?.string)
                let device = id.split(separator: "/").last.map(String.init) ?? ""
                let level = "\(user)%2F\(device)"
                try watcher.wait("\(example)") { $0.state(level, of: "people") != nil }
                let state = try #require(watcher.state(level, of: "people"))
                #expect(state["id"]?.string == "\(user)/\(device)")
                #expect(state["type"] == "person")
                for (key, value) in report.members.map({ ($0.key, $0.value) }) where key != "id" {
                    // A state always has a time: its arrival's where the device told none.
                    if key == "timestamp", value == "receive" { continue }
                    #expect(FormatCase.agrees(key, value, Self.report(of: state)), "\(example), \(key): \(state.text)")
                }
            }
            #expect(watcher.locations(of: "people").count == expectedReports)
            #expect(try bridge.stop() == 0)
            let stats = try Stats(stored: broker)
            #expect(stats.balance)
            #expect(stats["applied"] == expectedReports)
            #expect(stats["rejected"] == counts.rejected)
            #expect(stats["ignored"] == counts.ignored)
        }
    }
}
