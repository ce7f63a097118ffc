import FleetTestSupport
import Glibc
import JSON
import MQTTModel
import Testing

@Suite("What the bridge publishes", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct OutputTests {
    @Test("Telemetry becomes a retained styled state, with the display that the built-in rules give")
    func styledState() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let device = try TestClient(port: broker.port)
            let time = now()
            try device.publish(
                "fleet/vacuums/vacuum3/telemetry",
                """
                {"lat":57.0582502,"lon":9.9504788,"floor":10,"charge":29,"heading":-90,"speed":0.3,"accuracy":0.4,\
                "ts":"\(time)","seq":1,"state":"cleaning","name":"Vacuum 3","type":"robot-vacuum","extra":[1,null]}
                """)
            let state = try watcher.waitForState("vacuum3", of: "vacuums", "charge", 29)
            let since = state["statusSince"] ?? .null
            #expect(
                JSONValue.object(state) == [
                    "id": "vacuum3", "source": "vacuums", "type": "robot-vacuum", "name": "Vacuum 3", "floor": 10,
                    "position": ["lat": 57.0582502, "lon": 9.9504788], "heading": 270, "speed": 0.3, "accuracy": 0.4,
                    "charge": 29, "time": .string(time), "status": "live", "statusReason": "heard",
                    "statusSince": since, "properties": ["state": "cleaning", "extra": [1, nil]],
                    "display": [
                        "visible": true, "icon": "marker", "label": "Vacuum 3", "iconRotation": 270,
                        "iconColor": "#ff0000",
                    ],
                ])
            let stored = try TestClient.retained("fleet-bridge/vacuums/+/state", port: broker.port)
            #expect(stored.map(\.topicName) == ["fleet-bridge/vacuums/vacuum3/state"])
            #expect(try bridge.stop() == 0)
        }
    }

    @Test("Every status and state is retained and of QoS 1, the counters are retained and of QoS 0")
    func flags() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let device = try TestClient(port: broker.port)
            try device.publish("fleet/vacuums/v1/telemetry", #"{"lat":57,"lon":9}"#)
            _ = try watcher.waitForState("v1", of: "vacuums", "status", "live")
            #expect(try bridge.stop() == 0)
            let expected: [String: QoS] = [
                "fleet-bridge/status": .atLeastOnce, "fleet-bridge/stats": .atMostOnce,
                "fleet-bridge/vacuums/status": .atLeastOnce, "fleet-bridge/vacuums/v1/state": .atLeastOnce,
            ]
            // Stored copies keep the QoS of their publish.
            let client = try TestClient(port: broker.port)
            try client.subscribe("fleet-bridge/#", qos: .exactlyOnce)
            let stored = try client.settle()
            #expect(stored.allSatisfy { $0.retain })
            // The snapshot comes in its own time.
            let (chunks, others) = (
                stored.filter { $0.topicName.contains("/geojson/") },
                stored.filter { !$0.topicName.contains("/geojson/") }
            )
            #expect(chunks.allSatisfy { $0.qos == .atLeastOnce })
            #expect(Dictionary(uniqueKeysWithValues: others.map { ($0.topicName, $0.qos) }) == expected)
        }
    }

    @Test("A source's status tells its locations, and the bridge's its session")
    func statuses() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots(source: ["staleAfter: 1s"]))
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            try watcher.waitForStatus("fleet-bridge/robots/status", "reason", "no-live-location")
            let device = try TestClient(port: broker.port)
            try device.publish("fleet/robots/r1/telemetry", #"{"lat":57,"lon":9}"#)
            try watcher.waitForStatus("fleet-bridge/robots/status", "status", "available")
            #expect(
                watcher.json("fleet-bridge/robots/status")?["locations"]
                    == ["live": 1, "stale": 0, "lost": 0, "offline": 0])
            try watcher.waitForState("r1", "status", "stale")
            try watcher.waitForStatus("fleet-bridge/robots/status", "reason", "no-live-location")
            let status = try #require(watcher.json("fleet-bridge/status"))
            #expect(status["state"] == "online")
            #expect(status.number("session") ?? 0 > 1.7e12)
            #expect(status["since"]?.string != nil && status["version"]?.string != nil)
        }
    }

    @Test("Device wills, and their return, show as offline and live; the last position stays")
    func wills() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots(source: ["hold: 100ms"]))
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let topicName = "fleet/robots/r1/connection"
            let device = try TestClient(port: broker.port) {
                $0.willMessage = Message(
                    topicName: topicName, payload: Array("offline".utf8), qos: .atLeastOnce, retain: true)
            }
            try device.publish(topicName, "online", retain: true)
            try device.publish("fleet/robots/r1/telemetry", #"{"lat":57.5,"lon":9.25,"charge":50}"#)
            try watcher.waitForState("r1", "status", "live")
            device.cut()
            let state = try watcher.waitForState("r1", "status", "offline")
            #expect(state["position"] == ["lat": 57.5, "lon": 9.25])
            let again = try TestClient(port: broker.port)
            try again.publish(topicName, "online", retain: true)
            try watcher.waitForState("r1", "status", "live")
        }
    }

    @Test("A withdrawn device's topic is cleared, and a late joiner sees nothing of it")
    func withdrawal() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let device = try TestClient(port: broker.port)
            for id in ["r1", "r2"] {
                try device.publish("fleet/robots/\(id)/telemetry", #"{"lat":57,"lon":9}"#, retain: true)
            }
            try watcher.wait("both") { $0.locations() == ["r1", "r2"] }
            try device.publish("fleet/robots/r1/telemetry", "", retain: true)
            try watcher.wait("one") { $0.locations() == ["r2"] }
            try watcher.wait("the count") {
                $0.json("fleet-bridge/robots/status")?.number("locations.live") == 1
            }
            let stored = try TestClient.retained("fleet-bridge/robots/+/state", port: broker.port)
            #expect(stored.map(\.topicName) == ["fleet-bridge/robots/r2/state"])
        }
    }

    @Test("Silence longer than removeAfter clears the topic")
    func removal() throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots(source: ["removeAfter: 500ms"]))
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let device = try TestClient(port: broker.port)
            try device.publish("fleet/robots/r1/telemetry", #"{"lat":57,"lon":9}"#)
            try watcher.wait("the state") { $0.locations() == ["r1"] }
            try watcher.wait("its end") { $0.locations().isEmpty }
            #expect(try TestClient.retained("fleet-bridge/robots/+/state", port: broker.port).isEmpty)
        }
    }

    @Test("Ids with odd characters keep to one level of their own, and the state says the id as it was")
    func oddIds() throws {
        let ids = [
            "a b", "a%2Fb", "\"quoted\"", "caf\u{E9}", "cafe\u{301}", "geojson", "status", "$x", "ö/ä", "a/b", "+", "#",
            "a+b", "telemetry", "..", "🤖",
        ]
        let levels = [
            "a b", "a%252Fb", "\"quoted\"", "caf\u{E9}", "cafe\u{301}", "%67eojson", "%73tatus", "%24x", "ö%2Fä",
            "a%2Fb", "%2B", "%23", "a%2Bb", "telemetry", "..", "🤖",
        ]
        try Broker.withBroker { broker in
            let bridge = try Bridge(
                broker,
                """
                sources:
                  robots: {topics: ["fleet/{device}/telemetry", fleet/all], maxRate: unlimited}
                """)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let device = try TestClient(port: broker.port)
            for (index, id) in ids.enumerated() {
                let isLevel = !id.contains { "+#/".contains($0) }
                var report = JSONObject([("lat", 57), ("lon", 9), ("n", .number(Double(index)))])
                if !isLevel { report["id"] = .string(id) }
                try device.publish(isLevel ? "fleet/\(id)/telemetry" : "fleet/all", report.text)
            }
            try watcher.wait("all states") { $0.locations().count == ids.count }
            for (index, (id, level)) in zip(ids, levels).enumerated() {
                let state = try #require(watcher.state(level), "\(level)")
                #expect(state["id"] == .string(id))
                #expect(state.number("properties.n") == Double(index))
            }
        }
    }
}

extension JSONObject {
    var text: String { JSONValue.object(self).text }
}
