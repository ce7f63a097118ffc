import DisplayRules
import FleetEngine
import Geometry
import JSON
import Locations
import MQTTModel
import Testing
import Timestamps
import Venues

/// Rooms in states, in rules and in events.
struct RoomTests {
    private static func square(_ west: Double, _ east: Double, south: Double = 57) -> String {
        let corners = [(west, south), (east, south), (east, 57.0009), (west, 57.0009), (west, south)]
        return "[[" + corners.map { "[\($0),\($1)]" }.joined(separator: ",") + "]]"
    }

    /// Two rooms, 60 m × 100 m each, on either side of the meridian 9° E.
    static func venue(names: [String] = ["West", "East"], ids: [String] = ["w", "e"]) throws -> Venue {
        func feature(_ type: String, _ id: String, _ ring: String, _ properties: String) -> String {
            #"{"type":"Feature","id":"\#(id)","feature_type":"\#(type)","properties":{\#(properties)},"geometry":{"type":"Polygon","coordinates":\#(ring)}}"#
        }
        let features = [
            feature("level", "l", square(8.999, 9.001), #""ordinal":1"#),
            feature("unit", ids[0], square(8.999, 9), #""level_id":"l","name":"\#(names[0])""#),
            feature("unit", ids[1], square(9, 9.001), #""level_id":"l","name":"\#(names[1])""#),
        ]
        let reader = VenueReader(building: "B") { _ in nil }
        reader.read(
            Array(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#.utf8),
            name: "v.geojson")
        return try #require(reader.finish())
    }

    /// The two rooms, with a zone over the north of both.
    static func areas(names: [String] = ["West", "East"], ids: [String] = ["w", "e"]) throws -> AreaSettings {
        let (zone, _) = GeographicArea.read(
            Array(#"{"type":"Polygon","coordinates":\#(square(8.999, 9.001, south: 57.0008))}"#.utf8), name: "z.geojson"
        )
        return AreaSettings(
            finder: SiteAreas(
                venues: [try venue(names: names, ids: ids)],
                zones: [Zone(id: "north", name: "The north", outline: try #require(zone))]))
    }

    private func robots(_ areas: AreaSettings?) -> SourceConfiguration { .robots { $0.areas = areas } }

    private func broker(rules: DisplayRuleSet = .none) throws -> ScriptedBroker {
        ScriptedBroker([robots(try Self.areas())], rules: rules)
    }

    /// Metres east of 9° E, which is the wall.
    private func report(_ broker: ScriptedBroker, _ metres: Double, lat: Double = 57.0004, _ rest: String = "") {
        let longitude = 9 + metres / 60_800
        broker.report(#"{"lat":\#(lat),"lon":\#(longitude),"floor":10,"building":"B"\#(rest)}"#)
    }

    private func told(_ broker: ScriptedBroker) -> [String] {
        broker.published.filter { $0.topicName == "fleet-bridge/robots/r1/event" }.compactMap { event in
            let object = event.json?.object
            let name = object?["event"]?.string ?? ""
            return object?["zone"]?.string.map { "\(name) \($0)" } ?? name
        }
    }

    private let west: JSONValue = ["id": "w", "name": "West"]
    private let east: JSONValue = ["id": "e", "name": "East"]

    @Test("A state has the room of its position, and none where it is in none")
    func state() throws {
        let broker = try broker()
        report(broker, -10)
        #expect(broker.state()?["room"] == west)
        report(broker, 10)
        #expect(broker.state()?["room"] == east)
        report(broker, 500)
        #expect(broker.state()?["room"] == nil)
        report(broker, 10)
        broker.report(#"{"position":null}"#)
        #expect(broker.state()?["room"] == nil && broker.state()?["position"] == .null)
        report(broker, 10)
        #expect(broker.state()?["room"] == east)
        broker.report(#"{"floor":0}"#)
        #expect(broker.state()?["room"] == nil)
    }

    @Test("A device that stays silent after entering enters when the dwell time is over")
    func silentEntry() throws {
        let broker = try broker()
        report(broker, -10)
        broker.wait(.milliseconds(1_999))
        #expect(told(broker).isEmpty)
        broker.wait(.milliseconds(1))
        #expect(told(broker) == ["zoneEntered w"])
        let event = broker.published.last { $0.topicName.hasSuffix("/event") }
        #expect(
            event?.json == [
                "event": "zoneEntered", "time": "2026-11-29T12:00:02.000Z", "zone": "w", "name": "West", "kind": "room",
                "building": "B",
            ])
        #expect(event?.qos == .atMostOnce && event?.retain == false)
        report(broker, 10, lat: 57.00085)
        broker.wait(.seconds(5))
        #expect(told(broker) == ["zoneEntered w", "zoneLeft w", "zoneEntered e", "zoneEntered north"])
        #expect(broker.published.last?.json?.object?["kind"] == "zone")
    }

    @Test("Near to the wall the room changes by time alone, and that is published")
    func byTime() throws {
        let broker = try broker()
        report(broker, -10)
        broker.wait(.seconds(3))
        report(broker, 0.3)
        #expect(broker.state()?["room"] == west)
        broker.forget()
        broker.wait(.milliseconds(5_999))
        #expect(broker.state()?["room"] == west, "twice its interval")
        broker.wait(.milliseconds(1))
        #expect(broker.state()?["room"] == east)
        #expect(broker.states().count == 1)
        #expect(told(broker) == ["zoneLeft w", "zoneEntered e"])
    }

    @Test("A walk along the wall does not flood")
    func flood() throws {
        let broker = try broker()
        report(broker, -1)
        broker.wait(.seconds(3))
        for step in 0..<600 {
            report(broker, step % 2 == 0 ? 0.4 : -0.4)
            broker.wait(.milliseconds(500))
        }
        #expect(told(broker) == ["zoneEntered w"])
        #expect(broker.states().allSatisfy { $0.json?.object?["room"] == west })
    }

    @Test("What the accuracy explains is no other room, until it lasts")
    func accuracy() throws {
        let broker = try broker()
        report(broker, -10)
        broker.wait(.seconds(3))
        report(broker, 8, #","accuracy":12"#)
        #expect(broker.state()?["room"] == west)
        report(broker, 8, #","accuracy":3"#)
        #expect(broker.state()?["room"] == east)
    }

    @Test("Rules read the room's name, and are evaluated again when it changes; a property of that name is second")
    func rules() throws {
        let rule = try DisplayRule(name: "main", set: [("label", ["coalesce", ["get", "room"], "nowhere"])])
        let broker = try broker(rules: DisplayRuleSet([rule]))
        func label() -> JSONValue? { broker.state()?.object("display")?["label"] }
        report(broker, -10)
        #expect(label() == "West")
        report(broker, 10)
        #expect(label() == "East")
        report(broker, 900)
        #expect(label() == "nowhere")
        broker.report(#"{"room":"kitchen"}"#)
        #expect(label() == "kitchen")
        broker.report(#"{"room":"hall"}"#)
        #expect(label() == "hall")
        report(broker, 10)
        #expect(label() == "East")
        #expect(broker.state()?.object("properties")?["room"] == "hall")
    }

    @Test("After a restart the room is known, is not published again, and nothing is told", arguments: [false, true])
    func restart(cleanly: Bool) throws {
        let broker = try broker()
        report(broker, -10, lat: 57.00085)
        broker.wait(.seconds(3))
        #expect(told(broker) == ["zoneEntered w", "zoneEntered north"])
        report(broker, 0.3, lat: 57.00085)
        broker.forget()
        broker.restart([robots(try Self.areas())], after: .seconds(1), cleanly: cleanly)
        broker.wait(.milliseconds(900))
        #expect(broker.state()?["room"] == west)
        #expect(broker.states().isEmpty && told(broker).isEmpty)
        report(broker, -10, lat: 57.00085)
        broker.wait(.seconds(10))
        #expect(told(broker).isEmpty)
    }

    @Test("A plan that comes by a reload is used at once, one that goes takes its rooms with it")
    func reload() throws {
        let broker = ScriptedBroker([robots(nil)])
        report(broker, -10)
        #expect(broker.state()?["room"] == nil)
        broker.reload([robots(try Self.areas())])
        #expect(broker.state()?["room"] == west)
        broker.wait(.seconds(3))
        #expect(told(broker) == ["zoneEntered w"])
        broker.reload([robots(try Self.areas(names: ["Occident", "Orient"]))])
        #expect(broker.state()?["room"] == ["id": "w", "name": "Occident"])
        broker.reload([robots(try Self.areas(ids: ["x", "y"]))])
        #expect(broker.state()?["room"] == ["id": "x", "name": "West"])
        broker.wait(.seconds(3))
        #expect(told(broker) == ["zoneEntered w", "zoneLeft w", "zoneEntered x"])
        broker.reload([robots(nil)])
        #expect(broker.state()?["room"] == nil)
    }

    @Test("The same plan read again changes nothing")
    func sameAgain() throws {
        let broker = try broker()
        report(broker, -10)
        broker.wait(.seconds(3))
        broker.forget()
        broker.reload([robots(try Self.areas())])
        #expect(broker.states().isEmpty)
        #expect(!broker.log.contains { $0.fields.contains { $0.0 == "changed" } })
    }

    @Test("Without a connection nothing is told, and not later either")
    func away() throws {
        let broker = try broker()
        report(broker, -10)
        broker.wait(.seconds(3))
        broker.loseConnection()
        broker.isUp = false
        report(broker, 10)
        broker.wait(.seconds(5))
        broker.isUp = true
        broker.wait(.seconds(20))
        #expect(told(broker) == ["zoneEntered w"])
        #expect(broker.state()?["room"] == east)
    }

    @Test("Where only far movements are published, another room is published all the same")
    func significant() throws {
        let areas = try Self.areas()
        let broker = ScriptedBroker([
            .robots {
                $0.areas = areas
                $0.minDistance = 50
            }
        ])
        report(broker, -1)
        report(broker, 1)
        #expect(broker.state()?["room"] == east)
    }
}
