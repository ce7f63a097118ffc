import FleetTestSupport
import JSON
import MQTTModel
import Projections
import Testing

@Suite(
    "Positions in the map's own coordinate system", .enabled(if: Broker.isInstalled && CoordinateSystems.isAvailable),
    .timeLimit(.minutes(5)))
struct ProjectedPositionTests {
    private func settings(_ system: String?) -> String {
        Settings.robots(bridge: system.map { ["projectTo: \($0)"] } ?? [])
    }

    @Test("They move with the device, go when it is lost, are right after a restart, and change with the setting")
    func life() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, settings("EPSG:25832"))
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let device = try TestClient(port: broker.port, patience: .seconds(10))
            let topic = "fleet/robots/r1/telemetry"
            try device.publish(topic, #"{"lat":57.0582502,"lon":9.9504788}"#)
            try watcher.waitForState(
                "r1", "projected", ["crs": "EPSG:25832", "x": 557_648.248, "y": 6_324_271.392])
            try device.publish(topic, #"{"lat":0,"lon":9.0}"#)
            try watcher.waitForState("r1", "projected", ["crs": "EPSG:25832", "x": 500_000, "y": 0])
            try device.publish(topic, #"{"lat":null,"lon":null}"#)
            let lost = try watcher.waitForState("r1", "status", "lost")
            #expect(lost["projected"] == nil)
            try device.publish(topic, #"{"lat":1,"lon":99.1}"#)
            let outside = try watcher.waitForState("r1", "position", ["lat": 1, "lon": 99.1])
            #expect(outside["projected"] == nil)
            try bridge.process.waitForErrors("no place in the coordinate system")
            try device.publish(topic, #"{"lat":57.0582502,"lon":9.9504788}"#)
            try watcher.waitForState("r1", "position", ["lat": 57.0582502, "lon": 9.9504788])
            #expect(try bridge.stop() == 0)

            let next = try Bridge(broker, settings("EPSG:3857"))
            try next.waitUntilReady()
            try watcher.waitForState(
                "r1", "projected", ["crs": "EPSG:3857", "x": 1_107_682.233, "y": 7_772_033.839])
            try next.reload(settings("EPSG:4326"))
            try watcher.waitForState("r1", "projected", ["crs": "EPSG:4326", "x": 9.9504788, "y": 57.0582502])
            try next.reload(settings("EPSG:99999"))
            try next.process.waitForErrors("no coordinate reference system that PROJ knows")
            try next.reload(settings(nil))
            try watcher.wait("the state without it") { watcher in
                watcher.history("fleet-bridge/robots/r1/state").last?["projected"] == nil
            }
            // PROJ prints nothing by itself.
            #expect(!next.process.errors.contains("proj_create"))
            #expect(try next.stop() == 0)
        }
    }
}
