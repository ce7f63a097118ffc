import FleetEngine
import Geometry
import JSON
import Locations
import MQTTModel
import TelemetryFormats
import Testing
import Timestamps

/// A plan's point gets its place on the earth exactly once, whichever way it takes through the bridge.
struct MapTests {
    /// Turned and moved so far that a second time would be seen at once.
    private static let frame = MapFrame(
        origin: Position(latitude: 57.0582502, longitude: 9.9504788)!, rotation: 35, scale: 1)
    private static let expected: (lat: Double, lon: Double) = {
        let position = frame.position(x: 120, y: -40)!
        return ((position.latitude * 1e9).rounded() / 1e9, (position.longitude * 1e9).rounded() / 1e9)
    }()
    private static let payload = #"{"x":120,"y":-40,"map":"hall","heading":350,"ts":"2026-11-29T11:59:59Z"}"#

    private static func configuration(_ format: FormatDescription = FormatTable.native) -> SourceConfiguration {
        .robots(format: format) {
            $0.maps = MapTable([("hall", FloorMap(frame: frame, building: "Works", floor: 10))])
        }
    }

    private func isOnceTransformed(_ state: JSONObject?) -> Bool {
        state?.number("position", "lat") == Self.expected.lat && state?.number("position", "lon") == Self.expected.lon
            && state?.number("heading") == 25 && state?.number("floor") == 10 && state?["building"] == "Works"
    }

    @Test("Live")
    func live() {
        let broker = ScriptedBroker([Self.configuration()])
        broker.report(Self.payload)
        #expect(isOnceTransformed(broker.state()))
    }

    @Test("As a stored copy, and again as the live one")
    func stored() {
        let broker = ScriptedBroker([Self.configuration()])
        broker.report(Self.payload, retain: true)
        #expect(isOnceTransformed(broker.state()))
        broker.report(Self.payload)
        #expect(isOnceTransformed(broker.state()))
        #expect(broker.stats().number("duplicate") == 1)
    }

    @Test("In every state that is published: with other news, by time, and after each connect")
    func published() {
        let broker = ScriptedBroker([Self.configuration()])
        broker.report(Self.payload)
        broker.report(#"{"charge":50,"ts":"2026-11-29T12:00:00Z"}"#)
        broker.wait(.seconds(31))
        broker.loseConnection(forgettingRetained: true)
        broker.wait(.seconds(20))
        broker.report(#"{"charge":49,"ts":"2026-11-29T12:00:40Z"}"#)
        #expect(broker.states().count >= 5)
        for state in broker.states() { #expect(isOnceTransformed(state.json?.object)) }
    }

    @Test("What the bridge published is degrees: fed to it again, it stays where it is")
    func readBack() throws {
        let first = ScriptedBroker([Self.configuration()])
        first.report(Self.payload)
        let state = try #require(first.state())
        let second = ScriptedBroker([Self.configuration()])
        let (lat, lon) = (try #require(state.number("position", "lat")), try #require(state.number("position", "lon")))
        second.report(#"{"lat":\#(lat),"lon":\#(lon),"heading":25,"floor":10,"building":"Works"}"#)
        #expect(isOnceTransformed(second.state()))
    }

    @Test("Read back after a restart, with the device's stored copy and with its next report")
    func restart() {
        let broker = ScriptedBroker([Self.configuration()])
        broker.report(Self.payload)
        broker.restart(after: .seconds(5))
        broker.wait(.seconds(1))
        #expect(broker.engine.locations.map(\.position?.latitude) == [Self.expected.lat])
        broker.report(Self.payload, retain: true)
        broker.report(#"{"charge":50}"#)
        #expect(isOnceTransformed(broker.state()))
        #expect(broker.state()?.number("charge") == 50)
        broker.report(Self.payload.replacing("11:59:59", with: "12:00:09"))
        #expect(isOnceTransformed(broker.state()))
    }

    @Test("In a replay, and not at all in what convert shows")
    func replayAndConvert() throws {
        let time = ScriptedBroker.start.wall
        var states: [JSONObject] = []
        let replayer = Replayer(
            EngineConfiguration(sources: [Self.configuration()], displayRules: .none), version: "test"
        ) { _, message in
            guard message.topicName.hasSuffix("/state"), let state = try? JSONParser().parse(message.payload) else {
                return
            }
            if let object = state.object { states.append(object) }
        }
        let message = Message(topicName: "fleet/robots/r1/telemetry", payload: Array(Self.payload.utf8))
        replayer.play(Replayer.Line(time: time, message: message))
        replayer.finish()
        #expect(!states.isEmpty)
        for state in states { #expect(isOnceTransformed(state)) }

        let shown = Converter([Self.configuration()]).convert(
            Converter.Input(topicName: message.topicName, payload: message.payload, retained: false, arrival: time))
        #expect(
            shown
                == [
                    "reports": [
                        [
                            "id": "r1", "x": 120, "y": -40, "map": "hall", "heading": 350,
                            "time": "2026-11-29T11:59:59.000Z",
                        ]
                    ]
                ])
    }

    @Test("convert shows a position on a map that is not known, too")
    func convertUnknown() {
        let converter = Converter([.robots()])
        let line = converter.convert(
            Converter.Input(
                topicName: "fleet/robots/r1/telemetry", payload: Array(#"{"x":1,"y":2,"map":"?"}"#.utf8),
                retained: false,
                arrival: ScriptedBroker.start.wall))
        #expect(line == ["reports": [["id": "r1", "x": 1, "y": 2, "map": "?"]]])
    }

    @Test("An unknown map is rejected with its name, once and for all of the message")
    func unknown() {
        let broker = ScriptedBroker([Self.configuration()])
        broker.report(#"{"x":1,"y":2,"map":"hal","charge":5}"#)
        #expect(broker.state() == nil)
        #expect(broker.log.contains { $0.fields.contains { $0.1.contains("did the device mean \"hall\"?") } })
        let stats = broker.stats()
        #expect(stats.number("reasons", "unknown-map") == 1)
        #expect(AccountingTests.balances(stats))
    }
}
