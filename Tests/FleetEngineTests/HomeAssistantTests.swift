import FleetEngine
import JSON
import Locations
import MQTTModel
import Testing
import Timestamps

@Suite("What Home Assistant is told")
struct HomeAssistantTests {
    private static let device = "homeassistant/device/fleet-bridge__robots__r1/config"
    private static let entities = [
        "homeassistant/device_tracker/fleet-bridge__robots__r1/tracker/config",
        "homeassistant/sensor/fleet-bridge__robots__r1/battery/config",
        "homeassistant/sensor/fleet-bridge__robots__r1/status/config",
    ]
    private static let position = #"{"lat":57,"lon":9,"charge":72}"#

    private func settings(
        _ discovery: HomeAssistantSettings.Discovery = .device, prefix: String = "homeassistant"
    ) -> HomeAssistantSettings {
        var settings = HomeAssistantSettings()
        (settings.discovery, settings.discoveryPrefix) = (discovery, prefix)
        return settings
    }

    private func broker(
        _ discovery: HomeAssistantSettings.Discovery = .device, _ sources: [SourceConfiguration] = [.robots()]
    ) -> ScriptedBroker {
        ScriptedBroker(sources, homeAssistant: settings(discovery))
    }

    // MARK: Documents

    @Test("One message for each location tells of all its entities")
    func deviceMessage() throws {
        let broker = broker(.device, [.robots { $0.type = "robot-vacuum" }])
        broker.report(#"{"lat":57,"lon":9,"name":"Vacuum 3"}"#)
        let message = try #require(broker.published.first { $0.topicName == Self.device })
        #expect(message.retain && message.qos == .atLeastOnce)
        let document = try #require(broker.json(Self.device))
        #expect(
            document["device"]
                == ["identifiers": ["fleet-bridge__robots__r1"], "name": "Vacuum 3", "model": "robot-vacuum"])
        #expect(document["origin"] == ["name": "Fleet Bridge", "sw_version": "test"])
        #expect(document["availability_mode"] == "all")
        let topics = document["availability"]?.array?.map { $0.object?["topic"] }
        #expect(topics == ["fleet-bridge/status", "fleet-bridge/robots/r1/state"])
        let components = try #require(document.object("components"))
        #expect(components.members.map(\.key) == ["tracker", "battery", "status"])
        #expect(components.object("tracker")?["json_attributes_topic"] == "fleet-bridge/robots/r1/state")
        // As a state, it would be taken for the name of a place.
        #expect(components.object("tracker")?["state_topic"] == nil)
        #expect(components.object("battery")?["unique_id"] == "fleet-bridge__robots__r1__battery")
        #expect(components.object("status")?["options"] == ["live", "stale", "lost", "offline"])
        #expect(!broker.retained.keys.contains { $0.hasPrefix("homeassistant/") && $0 != Self.device })
    }

    @Test("One message for each entity tells the same")
    func entityMessages() throws {
        let broker = broker(.entity)
        broker.report(Self.position)
        #expect(broker.retained.keys.filter { $0.hasPrefix("homeassistant/") }.sorted() == Self.entities)
        let whole = self.broker(.device)
        whole.report(Self.position)
        let device = try #require(whole.json(Self.device))
        for (topicName, key) in zip(Self.entities, ["tracker", "battery", "status"]) {
            let entity = try #require(broker.json(topicName))
            let component = try #require(device.object("components")?.object(key))
            #expect(entity["device"] == device["device"] && entity["origin"] == device["origin"])
            #expect(entity["availability"] == component["availability"] ?? device["availability"])
            for member in component.members where member.key != "platform" {
                #expect(entity[member.key] == member.value, "\(key).\(member.key)")
            }
        }
    }

    @Test("Ids are safe and differ where locations, sources or bytes do")
    func ids() {
        let ids = ["a/b", "a_b", "a_2Fb", "a__b", "A_B", "é", "e\u{301}", "<img src=x>", "日本", "a b", "%61", "-"]
        let broker = broker(.device, [.robots(id: "all", topics: ["all/#"]), .robots(id: "tags")])
        let payload = ids.map { #"{"id":\#(JSONValue.string($0).text),"lat":57,"lon":9}"# }.joined(separator: ",")
        broker.send("all/x", "[\(payload)]")
        broker.send("fleet/tags/a_b/telemetry", Self.position)
        let topics = broker.retained.keys.filter { $0.hasPrefix("homeassistant/device/") }
        #expect(topics.count == ids.count + 1)
        for topicName in topics {
            #expect(topicName.wholeMatch(of: /homeassistant\/device\/[a-zA-Z0-9_-]+\/config/) != nil)
        }
    }

    @Test("Two bridges at one broker have ids of their own, whatever their prefixes are")
    func twoBridges() {
        var ids: Set<JSONValue> = []
        let prefixes = ["fleet-bridge", "fleet_bridge", "fleet-bridge__robots", "site/fleet-bridge"]
        for prefix in prefixes {
            let broker = ScriptedBroker(connect: false, homeAssistant: settings())
            broker.configure { $0.prefix = prefix }
            broker.isUp = true
            broker.restart()
            broker.report(Self.position)
            for (topicName, payload) in broker.retained where topicName.hasSuffix("/config") {
                let document = (try? JSONParser().parse(payload))?.object
                ids.formUnion(document?.object("device")?["identifiers"]?.array ?? [])
                for component in document?.object("components")?.members ?? [] {
                    if let id = component.value.object?["unique_id"] { ids.insert(id) }
                }
            }
        }
        #expect(ids.count == 4 * prefixes.count)
    }

    @Test("Of a long name, only the beginning is told, and its end changes nothing")
    func longName() {
        let broker = broker()
        let name = String(repeating: "long ", count: 60)
        broker.report(#"{"lat":57,"lon":9,"name":"\#(name)"}"#)
        #expect(broker.json(Self.device)?.object("device")?["name"] == .string(String(name.prefix(100))))
        broker.forget()
        broker.report(#"{"name":"\#(name) and longer"}"#)
        #expect(!broker.published.contains { $0.topicName == Self.device })
    }

    // MARK: Only what is new

    @Test("A report that changes nothing that is told publishes nothing; another name does, under the same ids")
    func differences() {
        let broker = broker()
        broker.report(Self.position)
        let before = broker.json(Self.device)
        broker.forget()
        broker.report(#"{"lat":58,"lon":9,"charge":5}"#)
        broker.wait(.seconds(60))
        #expect(!broker.published.contains { $0.topicName.hasPrefix("homeassistant/") })
        broker.report(#"{"name":"Rosie"}"#)
        #expect(broker.published.count { $0.topicName == Self.device } == 1)
        #expect(broker.json(Self.device)?.object("device")?["name"] == "Rosie")
        #expect(broker.json(Self.device)?["components"] == before?["components"])
    }

    @Test(
        "A location that is removed is withdrawn before its state", arguments: HomeAssistantSettings.Discovery.allCases)
    func removal(discovery: HomeAssistantSettings.Discovery) throws {
        let broker = broker(discovery)
        broker.report(Self.position)
        broker.report("r2", Self.position)
        broker.forget()
        broker.report("")
        let cleared = broker.published.filter { $0.payload.isEmpty }.map(\.topicName)
        let expected = discovery == .device ? [Self.device] : Self.entities
        #expect(cleared == expected + ["fleet-bridge/robots/r1/state"])
        #expect(broker.retained.keys.count { $0.hasPrefix("homeassistant/") } == expected.count)
        broker.report(Self.position)
        #expect(expected.allSatisfy { broker.retained[$0] != nil })
    }

    @Test("Those of a source that is taken out of the configuration are withdrawn")
    func sourceRemoved() {
        let broker = broker(.device, [.robots(), .robots(id: "tags")])
        broker.report(Self.position)
        broker.send("fleet/tags/r1/telemetry", Self.position)
        #expect(broker.retained.keys.count { $0.hasPrefix("homeassistant/") } == 2)
        broker.reload([.robots(id: "tags")])
        #expect(
            broker.retained.keys.filter { $0.hasPrefix("homeassistant/") } == [
                "homeassistant/device/fleet-bridge__tags__r1/config"
            ])
    }

    @Test("A device that comes and goes while the broker is away leaves nothing behind")
    func neverSaid() {
        let broker = broker()
        broker.wait(.seconds(1))
        broker.loseConnection()
        broker.report(Self.position)
        broker.report("")
        broker.forget()
        broker.wait(.seconds(5))
        #expect(broker.json("fleet-bridge/status")?["state"] == "online")
        #expect(!broker.published.contains { $0.topicName.hasPrefix("homeassistant/") })
    }

    // MARK: The setting

    @Test("Without the setting nothing is told, and with it all that are known are")
    func turnedOnAndOff() {
        let broker = ScriptedBroker()
        broker.report(Self.position)
        #expect(!broker.published.contains { $0.topicName.hasPrefix("homeassistant/") })
        #expect(!broker.subscriptions.contains { $0.topicFilter.hasPrefix("homeassistant/") })
        broker.reload { $0.homeAssistant = settings() }
        broker.wait(.seconds(4))
        #expect(broker.json(Self.device) != nil)
        #expect(broker.json("fleet-bridge/discovery")?["prefixes"] == ["homeassistant"])
        #expect(broker.subscriptions.contains { $0.topicFilter == "homeassistant/status" })
        broker.reload { $0.homeAssistant = nil }
        #expect(broker.json(Self.device) == nil)
        #expect(broker.unsubscribed.filter { $0.hasPrefix("homeassistant/") } == ["homeassistant/status"])
        broker.report(#"{"name":"Rosie"}"#)
        broker.wait(.seconds(10))
        #expect(!broker.retained.keys.contains { $0.hasPrefix("homeassistant/") })
        #expect(broker.retained["fleet-bridge/discovery"] == nil)
    }

    @Test("Another prefix withdraws what was told before, and waits until Home Assistant has seen that")
    func otherPrefix() {
        let broker = broker()
        broker.report(Self.position)
        broker.reload { $0.homeAssistant = settings(prefix: "ha/hall") }
        broker.report("r2", Self.position)
        #expect(!broker.retained.keys.contains { $0.hasPrefix("homeassistant/") || $0.hasPrefix("ha/hall/") })
        #expect(broker.json("fleet-bridge/discovery")?["prefixes"] == ["ha/hall", "homeassistant"])
        broker.wait(.seconds(20))
        #expect(broker.json("fleet-bridge/discovery")?["prefixes"] == ["ha/hall"])
        #expect(!broker.retained.keys.contains { $0.hasPrefix("homeassistant/") })
        #expect(broker.retained.keys.count { $0.hasPrefix("ha/hall/device/") } == 2)
    }

    // MARK: Births

    @Test("When Home Assistant starts, all is told again after a moment, paced, and births in a row count once")
    func birth() {
        let broker = broker()
        for index in 0..<300 { broker.report("r\(index)", Self.position) }
        broker.wait(.seconds(1))
        broker.forget()
        broker.send("homeassistant/status", "offline")
        broker.send("homeassistant/status", "online", retain: true)
        broker.wait(.seconds(5))
        #expect(!broker.published.contains { $0.topicName.hasPrefix("homeassistant/") })
        broker.send("homeassistant/status", "online")
        broker.send("homeassistant/status", "online")
        let birth = broker.now.monotonic
        broker.wait(.seconds(5))
        let told = broker.published.filter { $0.topicName.hasPrefix("homeassistant/") }
        #expect(told.count == 300 && Set(told.map(\.topicName)).count == 300)
        if let first = told.first, let last = told.last {
            #expect(first.at - birth >= .seconds(1) && first.at - birth <= .seconds(3))
            #expect(last.at - first.at >= .milliseconds(250))
        }
        #expect(broker.stats().number("received") == 300)
    }

    @Test("A broker that has forgotten everything is told again")
    func reconnect() {
        let broker = broker(.entity)
        broker.report(Self.position)
        broker.loseConnection(forgettingRetained: true)
        broker.wait(.seconds(3))
        #expect(Self.entities.allSatisfy { broker.retained[$0] != nil })
    }

    // MARK: Restarts

    @Test("After a restart only differences are told", arguments: HomeAssistantSettings.Discovery.allCases)
    func restart(discovery: HomeAssistantSettings.Discovery) {
        let broker = broker(discovery)
        broker.report(Self.position)
        broker.report("r2", Self.position)
        let before = broker.retained.filter { $0.key.hasPrefix("homeassistant/") }
        broker.forget()
        broker.restart(after: .seconds(1))
        broker.wait(.seconds(5))
        #expect(!broker.published.contains { $0.topicName.hasPrefix("homeassistant/") })
        #expect(broker.retained.filter { $0.key.hasPrefix("homeassistant/") } == before)
        #expect(broker.unsubscribed.contains("homeassistant/device/+/config"))
        broker.report(#"{"name":"Rosie"}"#)
        #expect(broker.published.count { $0.topicName.hasPrefix("homeassistant/") } == before.count / 2)
    }

    @Test("What was told before a restart and is no more is withdrawn; what others told is not touched")
    func ghosts() throws {
        let broker = broker(.entity, [.robots(), .robots(id: "tags")])
        broker.report(Self.position)
        broker.send("fleet/tags/t1/telemetry", Self.position)
        let own = #"{"origin":{"name":"Fleet Bridge"}}"#
        let foreign = [
            "homeassistant/device/0x00158d/config": "{}",
            "homeassistant/sensor/0x00158d/battery/config": #"{"origin":{"name":"Zigbee2MQTT"}}"#,
            "homeassistant/device/fleet-bridge__robots__x/config": #"{"origin":{"name":"Somebody"}}"#,
            "homeassistant/device/other__robots__r1/config": own,
            "homeassistant/device/fleet-bridge-2__robots__r1/config": own,
            "homeassistant/sensor/fleet-bridge__robots__r1/speed/config": own,
        ]
        for (topicName, payload) in foreign { broker.store(topicName, payload) }
        broker.store("homeassistant/device/fleet-bridge__robots__gone/config", own)
        broker.restart([.robots()], after: .seconds(1))
        broker.wait(.seconds(5))
        let left = Set(broker.retained.keys.filter { $0.hasPrefix("homeassistant/") })
        #expect(left == Set(Self.entities + foreign.keys))
        broker.configure { $0.homeAssistant = settings(.device) }
        broker.restart(after: .seconds(1))
        broker.wait(.seconds(7))
        #expect(
            Set(broker.retained.keys.filter { $0.hasPrefix("homeassistant/") }) == Set([Self.device] + foreign.keys))
    }

    @Test("A restart without the setting, or with another prefix, withdraws what stands there", arguments: [nil, "ha"])
    func settingGone(prefix: String?) {
        for cleanly in [false, true] {
            let broker = broker()
            broker.report(Self.position)
            broker.wait(.seconds(2))
            broker.configure { $0.homeAssistant = prefix.map { settings(prefix: $0) } }
            broker.restart(after: .seconds(1), cleanly: cleanly)
            broker.wait(.seconds(5))
            #expect(broker.json(Self.device) == nil)
            #expect(broker.retained.keys.contains { $0.hasPrefix("ha/device/") } == (prefix != nil))
            broker.wait(.seconds(20))
            #expect(broker.json("fleet-bridge/discovery")?["prefixes"] == prefix.map { [.string($0)] })
        }
    }

    @Test("A session that is kept does not listen to Home Assistant without the setting")
    func session() {
        let broker = ScriptedBroker(keepsSession: true, homeAssistant: settings())
        broker.report(Self.position)
        broker.restart(after: .seconds(1))
        #expect(!broker.unsubscribed.contains("homeassistant/status"))
        broker.configure { $0.homeAssistant = nil }
        broker.restart(after: .seconds(1))
        #expect(broker.unsubscribed.contains("homeassistant/status"))
        broker.wait(.seconds(1))
        #expect(broker.json(Self.device) == nil)
    }

    @Test("Nonsense is no prefix", arguments: ["#", "+", "", "a//b", "$SYS", "a/#"])
    func wrongPrefix(prefix: String) {
        let broker = ScriptedBroker(retained: ["fleet-bridge/discovery": #"{"prefixes":["\#(prefix)",7]}"#])
        #expect(!broker.subscriptions.contains { $0.topicFilter.hasSuffix("config") })
        #expect(broker.engine.isLive)
    }

    @Test("What was told below a prefix that only a reload brought is found after a crash, whatever is configured then")
    func crashAfterReload() {
        for before in [nil, settings(prefix: "old")] {
            for after in [nil, settings(prefix: "homeassistant"), settings(prefix: "other")] {
                let broker = ScriptedBroker([.robots(), .robots(id: "tags")], homeAssistant: before)
                broker.report(Self.position)
                broker.send("fleet/tags/t1/telemetry", Self.position)
                broker.reload { $0.homeAssistant = settings() }
                broker.wait(.seconds(5))
                #expect(broker.json(Self.device) != nil)
                broker.configure { $0.homeAssistant = after }
                broker.restart([.robots()], after: .seconds(1))
                broker.wait(.seconds(30))
                let expected = after.map { ["\($0.discoveryPrefix)/device/fleet-bridge__robots__r1/config"] } ?? []
                #expect(broker.retained.keys.filter { $0.hasSuffix("/config") } == expected)
                let places = after.map { JSONValue.array([.string($0.discoveryPrefix)]) }
                #expect(broker.json("fleet-bridge/discovery")?["prefixes"] == places)
            }
        }
    }

    @Test("Where something may stand is said before it does, and until nothing does")
    func placesFirst() throws {
        let broker = broker()
        broker.report(Self.position)
        broker.loseConnection(forgettingRetained: true)
        broker.forget()
        broker.wait(.seconds(5))
        let topics = broker.published.map(\.topicName)
        let place = try #require(topics.firstIndex(of: "fleet-bridge/discovery"))
        #expect(try place < #require(topics.firstIndex(of: Self.device)))
        broker.acknowledges = false
        broker.reload { $0.homeAssistant = nil }
        broker.wait(.seconds(60))
        #expect(broker.json("fleet-bridge/discovery") != nil)
        broker.acknowledges = true
        broker.acknowledgeHeld()
        broker.wait(.seconds(20))
        #expect(broker.retained["fleet-bridge/discovery"] == nil)
    }

    @Test("Messages to Home Assistant count as no report, and the counters balance")
    func accounting() {
        let broker = broker(.entity)
        for _ in 0..<5 { broker.report(Self.position) }
        broker.send("homeassistant/status", "online")
        broker.wait(.seconds(5))
        let stats = broker.stats()
        let ends = ["published", "coalesced", "unchanged", "pending"].map { stats.number("reports", $0) ?? .nan }
        #expect(stats.number("reports", "applied") == ends.reduce(0, +))
        #expect(stats.number("publishedByTime") == 0)
    }
}
