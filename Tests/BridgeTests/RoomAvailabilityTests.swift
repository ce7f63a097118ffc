import FleetTestSupport
import Foundation
import JSON
import MQTTModel
import Testing

@Suite("Rooms as a source", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct RoomAvailabilityTests {
    private static let example = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "examples/venue.geojson").path

    private static let configuration = """
        buildings: {Stigsborgvej: {floors: {Mezzanine: 1, First: 10}, venue: \(example)}}
        sources:
          people: {topics: ["fleet/people/{device}/telemetry"], type: People}
          rooms: {kind: roomAvailability, observes: [people], building: Stigsborgvej, maxRate: unlimited}
        displayRules:
          - {name: main, set: {polygonFillColor: [match, [get, state], occupied, red, green]}}
        """

    private func wait(_ watcher: Watcher, _ room: String, _ state: JSONValue) throws -> JSONObject {
        try watcher.wait("\(room) is \(state)") {
            $0.state(room, of: "rooms")?["properties"]?.object?["state"] == state
        }
        return watcher.state(room, of: "rooms") ?? JSONObject()
    }

    @Test("People make rooms occupied, also over a restart of the bridge")
    func people() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Self.configuration)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let device = try TestClient(port: broker.port)
            let free = try wait(watcher, "mezzanine-reading", "free")
            #expect(free["geometry"]?.object?["type"] == "Polygon")
            try device.publish(
                "fleet/people/ada/telemetry", #"{"lat":57.0580,"lon":9.9508,"floor":1,"ts":"\#(now())"}"#)
            let occupied = try wait(watcher, "mezzanine-reading", "occupied")
            #expect(occupied["status"] == "live")
            #expect(occupied["display"]?.object?["polygonFillColor"] == "#ff0000")
            #expect(try bridge.stop() == 0)
            let second = try Bridge(broker, Self.configuration)
            try second.waitUntilReady()
            try watcher.settle()
            let again = try wait(watcher, "mezzanine-reading", "occupied")
            #expect(again["properties"]?.object?["since"] == occupied["properties"]?.object?["since"])
            #expect(try second.stop() == 0)
        }
    }
}
