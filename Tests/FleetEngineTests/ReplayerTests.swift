import FleetEngine
import JSON
import MQTTModel
import Testing
import Timestamps

struct ReplayerTests {
    private func replay(_ source: SourceConfiguration, _ lines: [(second: Double, payload: String)]) -> [Message] {
        var published: [Message] = []
        let replayer = Replayer(
            EngineConfiguration(sources: [source], displayRules: .none), version: "test"
        ) {
            $1.expectAsDescribed()
            published.append($1)
        }
        for (second, payload) in lines {
            replayer.play(
                Replayer.Line(
                    time: ScriptedBroker.start.wall.advanced(by: .seconds(second)),
                    message: Message(topicName: "fleet/robots/r1/telemetry", payload: Array(payload.utf8))))
        }
        published.removeAll()
        replayer.finish()
        return published
    }

    @Test("After the last line what a rate holds back comes, and nothing that time alone changes")
    func onlyWhatIsHeldBack() throws {
        let published = replay(
            .robots { $0.minInterval = .seconds(3_600) },
            [(0, #"{"lat":57,"lon":9}"#), (1, #"{"lat":58,"lon":9}"#), (2, #"{"lat":59,"lon":9}"#)])
        #expect(published.map(\.topicName) == ["fleet-bridge/robots/r1/state"])
        let state = try JSONParser().parse(try #require(published.first).payload).object
        #expect(state?.number("position", "lat") == 59)
        #expect(state?["status"] == "live")
    }

    @Test("Where no rate holds anything back, nothing comes after the last line")
    func nothingHeldBack() {
        #expect(replay(.robots(), [(0, #"{"lat":57,"lon":9}"#), (2, #"{"lat":58,"lon":9}"#)]).isEmpty)
    }

    @Test("Months without a message take no time and tell nothing but what happens in them")
    func idleMonths() throws {
        var stats: [(time: Timestamp, document: JSONObject)] = []
        var others: [String] = []
        let replayer = Replayer(EngineConfiguration(sources: [.robots()], displayRules: .none), version: "test") {
            if $1.topicName == "fleet-bridge/stats" {
                stats.append(($0, (try? JSONParser().parse($1.payload))?.object ?? JSONObject()))
            } else if $1.topicName.contains("/r1/") {
                others.append("\($0.iso8601) \($1.topicName.split(separator: "/").last ?? "") \($1.payload.isEmpty)")
            }
        }
        let (start, day) = (ScriptedBroker.start.wall, 86_400)
        for (second, topicName) in [
            (0, "fleet/robots/r1/telemetry"), (100 * day + 3, "fleet/robots/r1/telemetry"),
            (100 * day + 4, "fleet/robots/r1/telemetry"), (200 * day, "elsewhere"),
        ] {
            replayer.play(
                Replayer.Line(
                    time: start.advanced(by: .seconds(second)),
                    message: Message(topicName: topicName, payload: Array(#"{"lat":57,"lon":9}"#.utf8))))
        }
        #expect(
            others == [
                "2026-11-29T12:00:00.000Z state false", "2026-11-29T12:00:30.000Z state false",
                "2026-11-29T12:00:30.000Z event false", "2026-12-06T12:00:00.000Z state true",
                "2026-12-06T12:00:00.000Z event false", "2027-03-09T12:00:03.000Z state false",
                "2027-03-09T12:00:34.000Z state false", "2027-03-09T12:00:34.000Z event false",
                "2027-03-16T12:00:04.000Z state true", "2027-03-16T12:00:04.000Z event false",
            ])
        // After each of them once, when it is time.
        let seconds = stats.map { $0.time.duration(since: start) }
        #expect(
            seconds
                == [
                    10, 40, 7 * day + 10, 100 * day + 10, 100 * day + 40, 107 * day + 10,
                ].map { Duration.seconds($0) })
        #expect(stats.map { $0.document.number("received") } == [1, 1, 1, 3, 3, 3])
        #expect(stats.map { $0.document.number("messagesPerSecond") } == [0.1, 0, 0, 0.2, 0, 0])
        #expect(stats.map { $0.document.number("locations", "stale") } == [0, 1, 0, 0, 1, 0])
    }
}
