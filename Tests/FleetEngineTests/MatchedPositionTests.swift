import FleetEngine
import JSON
import Locations
import Testing
import Venues

/// Positions that were moved onto the plan, in what is published.
struct MatchedPositionTests {
    private func robots(matching: Bool = true) throws -> SourceConfiguration {
        let venue = try RoomTests.venue()
        return .robots {
            $0.areas = AreaSettings(finder: SiteAreas(venues: [venue]))
            $0.matching = matching ? PositionMatching(VenueMatcher([venue], .walkable)) : nil
        }
    }

    /// North of the rooms, which end at 57.0009.
    private func report(_ broker: ScriptedBroker, lat: Double = 57.001, _ rest: String = "") {
        broker.report(#"{"lat":\#(lat),"lon":9.0005,"floor":10,"building":"B"\#(rest)}"#)
    }

    private let raw: JSONValue = ["lat": 57.001, "lon": 9.0005]

    private func latitude(_ broker: ScriptedBroker) -> Double? { broker.state()?.number("position", "lat") }

    @Test("A state has both positions where they differ, and the room of the one that counts")
    func state() throws {
        let broker = ScriptedBroker([try robots()], snapshots: .seconds(1))
        report(broker)
        let state = try #require(broker.state())
        #expect(state["rawPosition"] == raw)
        let lat = try #require(latitude(broker))
        #expect(lat < 57.0009 && lat > 57.000_899_8)
        #expect(state["room"] == ["id": "e", "name": "East"])
        broker.wait(.seconds(1))
        let feature = broker.json("fleet-bridge/robots/geojson/0")?["features"]?.array?.first?.object
        #expect(feature?.object("properties")?["rawPosition"] == raw)
        #expect(feature?.object("geometry")?["coordinates"] == [9.0005, .number(lat)])
        report(broker, lat: 57.0005)
        broker.wait(.seconds(1))
        #expect(broker.state()?["rawPosition"] == nil && latitude(broker) == 57.0005)
        report(broker)
        broker.report(#"{"position":null}"#)
        let lost = try #require(broker.state())
        #expect(lost["rawPosition"] == nil && lost["position"] == .null)
        #expect(lost.number("lastPosition", "lat") == lat)
    }

    @Test("After a restart both are known, and nothing is published again", arguments: [false, true])
    func restart(cleanly: Bool) throws {
        let broker = ScriptedBroker([try robots()])
        report(broker)
        let before = broker.state()
        broker.forget()
        broker.restart([try robots()], after: .seconds(1), cleanly: cleanly)
        broker.wait(.milliseconds(900))
        #expect(broker.states().isEmpty)
        report(broker, #","charge":50"#)
        #expect(broker.state()?["rawPosition"] == raw)
        #expect(broker.state()?["position"] == before?["position"])
    }

    @Test("Matching that comes by a reload counts at once; where it goes, what the device said does")
    func reload() throws {
        let broker = ScriptedBroker([try robots(matching: false)])
        report(broker)
        #expect(broker.state()?["rawPosition"] == nil && latitude(broker) == 57.001)
        broker.reload([try robots()])
        broker.wait(.seconds(1))
        #expect(broker.state()?["rawPosition"] == raw)
        broker.reload([try robots(matching: false)])
        broker.wait(.seconds(1))
        #expect(broker.state()?["rawPosition"] == nil && latitude(broker) == 57.001)
    }
}
