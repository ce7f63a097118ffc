import FleetEngine
import JSON
import MQTTModel
import Testing

/// Home Assistant's documentation says how one kind of messages replaces the other without loss: `migrate_discovery` on the old
/// topics, then the new ones, then zero length on the old.
@Suite("From one kind of Home Assistant's messages to the other")
struct HomeAssistantMigrationTests {
    private static let topics: [HomeAssistantSettings.Discovery: [String]] = [
        .device: ["homeassistant/device/fleet-bridge__robots__r1/config"],
        .entity: [
            "homeassistant/device_tracker/fleet-bridge__robots__r1/tracker/config",
            "homeassistant/sensor/fleet-bridge__robots__r1/battery/config",
            "homeassistant/sensor/fleet-bridge__robots__r1/status/config",
        ],
    ]
    private static let position = #"{"lat":57,"lon":9,"charge":72}"#
    private static let marker = Array(#"{"migrate_discovery":true}"#.utf8)

    private func settings(_ discovery: HomeAssistantSettings.Discovery) -> HomeAssistantSettings {
        var settings = HomeAssistantSettings()
        settings.discovery = discovery
        return settings
    }

    /// What was published for Home Assistant, a line for each message in a row of equal ones.
    private func steps(_ broker: ScriptedBroker) -> [String] {
        var steps: [String] = []
        for publication in broker.published where publication.topicName.hasSuffix("/config") {
            let kind = Self.topics[.device]!.contains(publication.topicName) ? "device" : "entity"
            let what = publication.payload.isEmpty ? "cleared" : publication.payload == Self.marker ? "let go" : "told"
            if steps.last != "\(kind) \(what)" { steps.append("\(kind) \(what)") }
        }
        return steps
    }

    private func standing(_ broker: ScriptedBroker) -> [String] {
        broker.retained.keys.filter { $0.hasSuffix("/config") }.sorted()
    }

    private static let switches: [(HomeAssistantSettings.Discovery, HomeAssistantSettings.Discovery)] = [
        (.entity, .device), (.device, .entity),
    ]

    @Test(
        "By a reload or a restart, the old messages are let go of, the new are told, the old are cleared",
        arguments: switches)
    func order(old: HomeAssistantSettings.Discovery, new: HomeAssistantSettings.Discovery) throws {
        for restarts in [false, true] {
            let broker = ScriptedBroker(homeAssistant: settings(old))
            broker.report(Self.position)
            broker.forget()
            if restarts {
                broker.configure { $0.homeAssistant = settings(new) }
                broker.restart(after: .seconds(1))
            } else {
                broker.reload { $0.homeAssistant = settings(new) }
            }
            broker.wait(.seconds(2))
            #expect(steps(broker) == ["\(old) let go"])
            broker.wait(.seconds(10))
            #expect(steps(broker) == ["\(old) let go", "\(new) told", "\(old) cleared"])
            #expect(standing(broker) == Self.topics[new])
            let told = try #require(broker.published.first { Self.topics[new]!.contains($0.topicName) })
            let asked = try #require(broker.published.first { $0.payload == Self.marker })
            #expect(told.at - asked.at > .seconds(2))
            broker.forget()
            broker.restart(after: .seconds(1))
            broker.wait(.seconds(10))
            #expect(steps(broker).isEmpty)
        }
    }

    @Test("Also of many, each is told only a while after it was let go of", arguments: [false, true])
    func many(restarts: Bool) throws {
        let broker = ScriptedBroker(homeAssistant: settings(.entity))
        for index in 0..<1_500 { broker.report("r\(index)", Self.position) }
        broker.wait(.seconds(10))
        broker.configure { $0.homeAssistant = settings(.device) }
        broker.forget()
        if restarts { broker.restart(after: .seconds(1)) } else { broker.reload() }
        broker.wait(.seconds(30))
        #expect(standing(broker).count == 1_500)
        var asked: [String: Duration] = [:]
        for publication in broker.published where publication.topicName.hasSuffix("/config") {
            let id = publication.topicName.split(separator: "/")[2]
            if publication.payload == Self.marker {
                asked[String(id)] = publication.at
            } else if !publication.payload.isEmpty {
                let pause = try publication.at - #require(asked[String(id)])
                #expect(pause > .seconds(2))
            }
        }
        #expect(asked.count == 1_500)
    }

    @Test("A crash in the midst of it changes nothing of what stands in the end", arguments: switches)
    func crash(old: HomeAssistantSettings.Discovery, new: HomeAssistantSettings.Discovery) {
        for (pause, last) in [(1.0, new), (1.0, old), (3.001, new), (3.001, old)] {
            let broker = ScriptedBroker(homeAssistant: settings(old))
            for index in 0..<50 { broker.report("r\(index)", Self.position) }
            broker.wait(.seconds(1))
            broker.reload { $0.homeAssistant = settings(new) }
            broker.wait(.seconds(pause))
            broker.configure { $0.homeAssistant = settings(last) }
            broker.restart(after: .seconds(1))
            broker.wait(.seconds(20))
            #expect(standing(broker).count == (last == .device ? 50 : 150))
            #expect(Self.topics[last]!.allSatisfy { broker.retained[$0] != nil && broker.retained[$0] != Self.marker })
        }
    }

    @Test("What is switched back, turned off or removed before it is told leaves nothing of the old kind behind")
    func interrupted() {
        let broker = ScriptedBroker(homeAssistant: settings(.entity))
        broker.report(Self.position)
        broker.reload { $0.homeAssistant = settings(.device) }
        broker.reload { $0.homeAssistant = settings(.entity) }
        broker.wait(.seconds(10))
        #expect(standing(broker) == Self.topics[.entity])
        #expect(!Self.topics[.entity]!.contains { broker.retained[$0] == Self.marker })
        broker.reload { $0.homeAssistant = settings(.device) }
        broker.report("")
        broker.wait(.seconds(10))
        #expect(standing(broker).isEmpty)
        broker.report(Self.position)
        broker.wait(.seconds(10))
        #expect(standing(broker) == Self.topics[.device])
        broker.reload { $0.homeAssistant = settings(.entity) }
        broker.reload { $0.homeAssistant = nil }
        broker.wait(.seconds(10))
        #expect(standing(broker).isEmpty)
    }

    @Test("What is switched while the broker is away is let go of when it is back, and told after that")
    func away() {
        let broker = ScriptedBroker(homeAssistant: settings(.device))
        broker.report(Self.position)
        broker.wait(.seconds(1))
        broker.isUp = false
        broker.loseConnection()
        broker.reload { $0.homeAssistant = settings(.entity) }
        broker.wait(.seconds(60))
        broker.forget()
        broker.isUp = true
        broker.wait(.seconds(12))
        #expect(steps(broker).first == "device let go")
        broker.wait(.seconds(12))
        #expect(steps(broker) == ["device let go", "entity told", "device cleared"])
    }
}
