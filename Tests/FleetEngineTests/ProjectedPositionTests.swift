import DisplayRules
import FleetEngine
import Geometry
import JSON
import Locations
import MQTTModel
import Testing
import Timestamps

/// A system of tenths of degrees that ends at 80° north; counts what it is asked.
private final class Tenths: CoordinateSystem {
    let name: String
    private let asked = Counter()

    final class Counter: @unchecked Sendable { var count = 0 }

    init(_ name: String = "TEST:1") { self.name = name }

    var count: Int { asked.count }

    func project(_ position: Position) -> ProjectedPosition? {
        asked.count += 1
        guard position.latitude <= 80 else { return nil }
        return ProjectedPosition(crs: name, x: position.longitude * 10, y: position.latitude * 10)
    }

    func isSame(as other: any CoordinateSystem) -> Bool { (other as? Tenths)?.name == name }
}

/// Positions in the map's own coordinate system, beside degrees.
struct ProjectedPositionTests {
    private static let state = "fleet-bridge/robots/r1/state"

    private func broker(
        _ system: Tenths?, snapshots: Duration? = nil,
        settings: (inout SourceSettings) -> Void = { $0.staleAfter = nil }
    ) -> ScriptedBroker {
        let broker = ScriptedBroker([.robots(settings)], connect: false, snapshots: snapshots)
        broker.configure { $0.coordinateSystem = system }
        broker.isUp = true
        broker.restart()
        broker.wait(.seconds(1))
        return broker
    }

    private func projected(_ x: Double, _ y: Double, in crs: String = "TEST:1") -> JSONValue {
        ["crs": .string(crs), "x": .number(x), "y": .number(y)]
    }

    @Test("A state has its position in the system, as long as it has one")
    func state() {
        let broker = broker(Tenths())
        broker.report(#"{"charge":50}"#)
        #expect(broker.state()?["position"] == .null && broker.state()?["projected"] == nil)
        broker.wait(.seconds(1))
        broker.report(#"{"lat":57,"lon":9}"#)
        #expect(broker.state()?["projected"] == projected(90, 570))
        broker.wait(.seconds(1))
        broker.report(#"{"lat":57.5,"lon":9}"#)
        #expect(broker.state()?["projected"] == projected(90, 575))
        broker.wait(.seconds(1))
        broker.report(#"{"lat":null,"lon":null}"#)
        #expect(broker.state()?["status"] == "lost" && broker.state()?["projected"] == nil)
    }

    @Test("Without a system nothing is told")
    func none() {
        let broker = broker(nil)
        broker.report(#"{"lat":57,"lon":9}"#)
        #expect(broker.state()?["position"] != nil && broker.state()?["projected"] == nil)
    }

    @Test("A position is worked out once, whatever else changes and whoever looks")
    func once() {
        let system = Tenths()
        let broker = broker(system, snapshots: .seconds(5))
        for charge in 0..<20 {
            broker.report(#"{"lat":57,"lon":9,"charge":\#(charge)}"#)
            broker.wait(.seconds(1))
        }
        _ = broker.ask("locations/get")
        _ = broker.engine.shown("r1", source: "robots")
        #expect(broker.state()?["charge"] == 19)
        #expect(system.count == 1)
        broker.report(#"{"lat":58,"lon":9}"#)
        broker.wait(.seconds(10))
        #expect(system.count == 2)
    }

    @Test("A position out of the system's domain is told in degrees only, counted once and logged")
    func outside() {
        let broker = broker(Tenths())
        for charge in 0..<3 {
            broker.report(#"{"lat":85,"lon":9,"charge":\#(charge)}"#)
            broker.wait(.seconds(1))
        }
        #expect(broker.state()?["position"] == ["lat": 85, "lon": 9] && broker.state()?["projected"] == nil)
        broker.report(#"{"lat":57,"lon":9}"#)
        #expect(broker.state()?["projected"] == projected(90, 570))
        broker.wait(.seconds(12))
        #expect(broker.json("fleet-bridge/stats")?["fields"] == ["position-outside-crs": 1])
        let told = broker.log.filter { $0.message.contains("projectTo") }
        #expect(told.count == 1)
        #expect(told.first?.fields.contains { $0 == ("topic", Self.state) } == true)
    }

    @Test("Snapshots and whoever shows the fleet have it, of the position that is shown")
    func others() {
        let broker = broker(Tenths(), snapshots: .seconds(5))
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(6))
        let feature = broker.json("fleet-bridge/robots/geojson/0")?["features"]?.array?.first?.object
        #expect(feature?["properties"]?.object?["projected"] == projected(90, 570))
        #expect(feature?["geometry"]?.object?["coordinates"] == [9, 57])
        broker.report(#"{"lat":58,"lon":9}"#)
        let shown = broker.engine.shown("r1", source: "robots")
        #expect(shown?.projected == ProjectedPosition(crs: "TEST:1", x: 90, y: 580))
        let answer = broker.ask("locations/get")?["data"]?.object?["locations"]?.array?.first?.object
        #expect(answer?["projected"] == projected(90, 580))
    }

    @Test("After a restart it is what it was, and nothing is published again")
    func restart() {
        let broker = broker(Tenths())
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(3))
        let before = broker.retained[Self.state]
        broker.forget()
        broker.restart(after: .seconds(5))
        broker.wait(.seconds(5))
        #expect(broker.retained[Self.state] == before && broker.states().isEmpty)
        broker.configure { $0.coordinateSystem = Tenths("TEST:2") }
        broker.restart(after: .seconds(5))
        broker.wait(.seconds(5))
        #expect(broker.state()?["projected"] == projected(90, 570, in: "TEST:2"))
        broker.configure { $0.coordinateSystem = nil }
        broker.restart(after: .seconds(5))
        broker.wait(.seconds(5))
        #expect(broker.state()?["position"] == ["lat": 57, "lon": 9] && broker.state()?["projected"] == nil)
    }

    @Test(
        "Another system, one more and one less count at once, for all states and their snapshots",
        arguments: [nil, 10.0])
    func reload(minDistance: Double?) {
        let broker = broker(Tenths(), snapshots: .seconds(5)) {
            $0.staleAfter = nil
            $0.minDistance = minDistance
            $0.heartbeat = .seconds(3_600)
        }
        for number in 1...3 { broker.report("r\(number)", #"{"lat":\#(50 + number),"lon":9}"#) }
        broker.report("r4", #"{"charge":50}"#)
        broker.wait(.seconds(6))
        broker.forget()
        for name in ["TEST:2", nil, "TEST:1"] {
            broker.reload { $0.coordinateSystem = name.map { Tenths($0) } }
            broker.wait(.seconds(6))
            let expected = name.map { projected(90, 510, in: $0) }
            #expect(broker.state()?["projected"] == expected)
            #expect(broker.state("r3")?["projected"] == name.map { projected(90, 530, in: $0) })
            let features = broker.json("fleet-bridge/robots/geojson/0")?["features"]?.array?.compactMap(\.object) ?? []
            #expect(features.first { $0["id"] == "r1" }?["properties"]?.object?["projected"] == expected)
            #expect(
                broker.log.last { $0.message.contains("taken over") }?.fields.contains {
                    $0 == ("projectTo", "changed")
                } == true)
            // One without a position is the same as before.
            #expect(broker.states("r4").isEmpty)
        }
    }

    @Test("The same system read again changes nothing")
    func sameAgain() {
        let broker = broker(Tenths())
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(2))
        broker.forget()
        broker.reload { $0.coordinateSystem = Tenths() }
        broker.wait(.seconds(2))
        #expect(broker.published.isEmpty)
    }
}
