import FleetTestSupport
import Glibc
import JSON
import LocalBroker
import MQTTModel
import Testing

@Suite("Home Assistant's discovery", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct HomeAssistantTests {
    private static let device = "homeassistant/device/fleet-bridge__robots__r1/config"
    private static let entities: Set = [
        "homeassistant/device_tracker/fleet-bridge__robots__r1/tracker/config",
        "homeassistant/sensor/fleet-bridge__robots__r1/battery/config",
        "homeassistant/sensor/fleet-bridge__robots__r1/status/config",
    ]
    private static let foreign = "homeassistant/sensor/0x00158d/battery/config"

    private func settings(_ discovery: String) -> String {
        Settings.robots(bridge: ["homeAssistant: {discovery: \(discovery)}"])
    }

    private func wait(_ what: String, _ watcher: Watcher, for topics: Set<String>) throws {
        try watcher.wait(what) { Set($0.topics.keys.map(\.text)) == topics }
    }

    @Test("It is published, repeated at a birth, switched, and withdrawn by reload, removal and restart")
    func discovery() throws {
        try Broker.withBroker { broker in
            let device = try TestClient(port: broker.port, patience: .seconds(20))
            func publish(_ topicName: String, _ payload: String, retain: Bool = false) throws {
                try device.publish(
                    Message(topicName: topicName, payload: Array(payload.utf8), qos: .atLeastOnce, retain: retain))
            }
            try publish(Self.foreign, #"{"origin":{"name":"Zigbee2MQTT"},"state_topic":"x"}"#, retain: true)
            let watcher = try Watcher(broker, "homeassistant/+/fleet-bridge__robots__r1/#")
            let bridge = try Bridge(broker, settings("entity"))
            try bridge.waitUntilReady()
            try publish("fleet/robots/r1/telemetry", #"{"lat":57.5,"lon":9.25,"name":"Rosie"}"#)
            try wait("the entities", watcher, for: Self.entities)
            let before = watcher.history.count
            try publish("homeassistant/status", "online")
            try watcher.wait("all of it again") { $0.history.count == before + 3 }

            try bridge.reload(settings("device"))
            try wait("the device instead", watcher, for: [Self.device])
            try bridge.reload(Settings.robots)
            try wait("nothing without the setting", watcher, for: [])
            try bridge.reload(settings("device"))
            try wait("the device again", watcher, for: [Self.device])
            #expect(try bridge.stop() == 0)

            let other = try Bridge(broker, settings("entity"))
            try wait("the entities after a restart", watcher, for: Self.entities)
            try publish("fleet/robots/r1/telemetry", "")
            try wait("nothing of a removed location", watcher, for: [])
            try publish("fleet/robots/r1/telemetry", #"{"lat":57.5,"lon":9.25}"#)
            try wait("the entities of a new one", watcher, for: Self.entities)
            other.process.send(SIGKILL)
            _ = try other.process.wait()

            let last = try Bridge(broker, Settings.robots)
            try wait("nothing after a restart without the setting", watcher, for: [])
            try last.waitUntilReady()
            #expect(try last.stop() == 0)
            try device.subscribe(Self.foreign)
            #expect(try device.next { $0.topicName == Self.foreign }.payload.isEmpty == false)
        }
    }

    @Test("What only a reload brought is withdrawn after a crash, without the setting or the location; others' is not")
    func crashAfterReload() throws {
        let others = [
            "homeassistant/device/fleet-bridge__robots__r9/config": #"{"origin":{"name":"Somebody"}}"#,
            "homeassistant/device/other__robots__r1/config": #"{"origin":{"name":"Fleet Bridge"}}"#,
        ]
        for isLocationGone in [false, true] {
            try Broker.withBroker { broker in
                let device = try TestClient(port: broker.port, patience: .seconds(20))
                func publish(_ topicName: String, _ payload: String, retain: Bool = true) throws {
                    try device.publish(
                        Message(topicName: topicName, payload: Array(payload.utf8), qos: .atLeastOnce, retain: retain))
                }
                for (topicName, payload) in others { try publish(topicName, payload) }
                let watcher = try Watcher(broker, "homeassistant/+/fleet-bridge__robots__r1/#")
                let places = try Watcher(broker, "fleet-bridge/discovery")
                let bridge = try Bridge(broker, Settings.robots)
                try bridge.waitUntilReady()
                try publish("fleet/robots/r1/telemetry", #"{"lat":57.5,"lon":9.25}"#, retain: false)
                try bridge.reload(settings("device"))
                try wait("the device", watcher, for: [Self.device])
                bridge.process.send(SIGKILL)
                _ = try bridge.process.wait()

                if isLocationGone { try publish("fleet-bridge/robots/r1/state", "") }
                let next = try Bridge(broker, isLocationGone ? settings("device") : Settings.robots)
                try wait("nothing any more", watcher, for: [])
                try places.wait("nowhere, or where the setting says") { $0.topics.isEmpty != isLocationGone }
                #expect(try next.stop() == 0)
                let left = try TestClient.retained("homeassistant/device/+/config", port: broker.port)
                #expect(Set(left.map(\.topicName)) == Set(others.keys))
            }
        }
    }
}
