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
}
