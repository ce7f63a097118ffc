import DisplayRules
import FleetEngine
import JSON
import Locations
import MQTTModel
import Testing
import Timestamps

/// What the bridge knows again after it was restarted, from its own retained topics.
struct RestartTests {
    private static let state = "fleet-bridge/robots/r1/state"

    private func time(_ offset: Double) -> String { ScriptedBroker.start.wall.advanced(by: .seconds(offset)).iso8601 }

    private func report(_ broker: ScriptedBroker, _ id: String = "r1", _ offset: Double = 0, lat: Double = 57) {
        broker.report(id, #"{"lat":\#(lat),"lon":9,"charge":72,"ts":"\#(time(offset))","state":"cleaning"}"#)
    }

    @Test("After a restart the fleet is known, with its times, and is not published again", arguments: [false, true])
    func known(cleanly: Bool) {
        let broker = ScriptedBroker()
        report(broker)
        broker.wait(.seconds(3))
        report(broker, "r1", 2)
        let before = broker.retained[Self.state]
        broker.forget()
        broker.restart(after: .seconds(5), cleanly: cleanly)
        broker.wait(.seconds(1))
        #expect(broker.retained[Self.state] == before)
        #expect(broker.states().isEmpty)
        #expect(broker.engine.locations.map(\.id) == ["r1"])
        #expect(broker.state()?["statusSince"] == .string(time(0)))
        #expect(broker.sourceStatus?["status"] == "available")
        #expect(broker.sourceStatus?["locations"] == ["live": 1, "stale": 0, "lost": 0, "offline": 0])
    }

    @Test("Own topics are read before anything else, at QoS 0, and given back")
    func order() {
        let broker = ScriptedBroker()
        let own = [
            "fleet-bridge/discovery", "fleet-bridge/+/+/state", "fleet-bridge/+/status", "fleet-bridge/+/geojson/+",
        ]
        let filters = broker.subscriptions.map(\.topicFilter).filter { $0.contains("+") || $0 == own[0] }
        #expect(filters.prefix(4) == own[...])
        #expect(broker.subscriptions.allSatisfy { !own.contains($0.topicFilter) || $0.qos == .atMostOnce })
        #expect(broker.unsubscribed == own)
        broker.loseConnection()
        broker.wait(.seconds(2))
        #expect(broker.isConnected && broker.subscriptions.allSatisfy { !own.contains($0.topicFilter) })
    }

    @Test("A source's status keeps its beginning where it turns out the same")
    func sourceSince() {
        let broker = ScriptedBroker()
        report(broker)
        broker.wait(.seconds(2))
        let since = broker.sourceStatus?["since"]
        broker.restart(after: .seconds(5))
        broker.wait(.seconds(1))
        #expect(broker.sourceStatus?["status"] == "available" && broker.sourceStatus?["since"] == since)
        broker.restart(after: .seconds(60))
        broker.wait(.seconds(1))
        #expect(broker.sourceStatus?["status"] == "unavailable" && broker.sourceStatus?["since"] != since)
    }

    @Test(
        "A location read back is as old as it says, whatever came meanwhile",
        arguments: [(20.0, "live", 0.0), (40, "stale", 30), (100_000, "stale", 30)])
    func age(pause: Double, status: String, since: Double) {
        let broker = ScriptedBroker([.robots { $0.staleAfter = .seconds(30) }])
        report(broker)
        broker.restart(after: .seconds(pause))
        broker.wait(.seconds(1))
        #expect(broker.state()?["status"]?.string == status)
        #expect(broker.state()?["statusSince"] == .string(time(since)))
        #expect(broker.state()?.number("position", "lat") == 57)
    }

    @Test("What was stale is not live again by a restart, though its device's clock is ahead")
    func staleStays() {
        let broker = ScriptedBroker([.robots { $0.staleAfter = .seconds(30) }])
        report(broker, "r1", 50)
        broker.wait(.seconds(35))
        let before = broker.retained[Self.state]
        #expect(broker.state()?["status"] == "stale")
        broker.restart(after: .seconds(5))
        broker.wait(.seconds(1))
        #expect(broker.retained[Self.state] == before)
    }

    @Test("Of unknown age is still of unknown age")
    func ageUnknown() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#, retain: true)
        let before = broker.retained[Self.state]
        broker.restart(after: .seconds(1))
        broker.wait(.seconds(1))
        #expect(broker.state()?["statusReason"] == "age-unknown")
        #expect(broker.retained[Self.state] == before)
    }

    @Test("Offline stays offline until its device is heard")
    func offline() {
        let broker = ScriptedBroker()
        report(broker)
        broker.send("fleet/robots/r1/connection", "offline")
        broker.wait(.seconds(3))
        let before = broker.retained[Self.state]
        #expect(broker.state()?["status"] == "offline")
        broker.restart(after: .seconds(5))
        broker.wait(.seconds(1))
        #expect(broker.retained[Self.state] == before)
        report(broker, "r1", 10)
        #expect(broker.state()?["status"] == "live")
        #expect(broker.state()?["statusSince"] == .string(time(9)))
    }

    @Test("A whole source's offline ends for its locations when the source is back")
    func sourceOffline() {
        let broker = ScriptedBroker()
        report(broker)
        broker.send("fleet/robots/status", "offline")
        broker.wait(.seconds(3))
        broker.restart(after: .seconds(5))
        #expect(broker.state()?["statusReason"] == "source-offline")
        broker.send("fleet/robots/status", "online")
        #expect(broker.state()?["status"] == "live")
    }

    @Test("A lost location stays lost with its last position")
    func lost() {
        let broker = ScriptedBroker()
        report(broker)
        broker.report(#"{"position":null,"ts":"\#(time(1))"}"#)
        let before = broker.retained[Self.state]
        #expect(broker.state()?["status"] == "lost")
        broker.restart(after: .seconds(5))
        broker.wait(.seconds(1))
        #expect(broker.retained[Self.state] == before)
        broker.report(#"{"charge":50,"ts":"\#(time(7))"}"#)
        #expect(broker.state()?["status"] == "lost")
        report(broker, "r1", 8)
        #expect(broker.state()?["status"] == "live")
    }

    @Test("A position that became too old has its place again once no limit says so")
    func limitLifted() {
        let broker = ScriptedBroker([.robots { $0.lostAfter = .seconds(10) }])
        report(broker)
        broker.wait(.seconds(11))
        #expect(broker.state()?["statusReason"] == "position-too-old")
        broker.restart([.robots()])
        broker.wait(.seconds(1))
        #expect(broker.state()?["status"] == "live")
        #expect(broker.state()?.number("position", "lat") == 57)
        #expect(broker.state()?["lastPosition"] == nil)
    }

    @Test("A report older than what was published before the restart is late; five in a row are believed")
    func late() {
        let broker = ScriptedBroker()
        report(broker, "r1", 0)
        broker.restart(after: .seconds(1))
        report(broker, "r1", -5, lat: 50)
        #expect(broker.state()?.number("position", "lat") == 57)
        report(broker, "r1", 1, lat: 58)
        #expect(broker.state()?.number("position", "lat") == 58)
        broker.restart(after: .seconds(1))
        for second in 0..<5 { report(broker, "r1", -100 + Double(second), lat: 51) }
        #expect(broker.state()?.number("position", "lat") == 51)
        #expect(broker.log.contains { $0.message == "a device's clock went back" })
    }

    @Test("A time that no clock has read yet keeps no device from being newer")
    func future() {
        let broker = ScriptedBroker()
        report(broker, "r1", 50)
        broker.stepWallClock(by: .seconds(-3_600))
        broker.restart()
        broker.wait(.seconds(3))  // the older session on the status topic is newer by the clock
        broker.report(#"{"lat":58,"lon":9,"ts":"\#(time(-3_590))"}"#)
        #expect(broker.state()?.number("position", "lat") == 58)
    }

    @Test("A device's stored message that says what was read back changes nothing, another one counts")
    func stored() {
        for ts in [#","ts":"\#(time(0))""#, ""] {
            let broker = ScriptedBroker([.robots { $0.removeAfter = .seconds(100) }])
            broker.report("r1", #"{"lat":57,"lon":9\#(ts)}"#)
            let before = broker.retained[Self.state]
            broker.store("fleet/robots/r1/telemetry", #"{"lat":57,"lon":9\#(ts)}"#)
            broker.restart(after: .seconds(5))
            broker.wait(.seconds(1))
            #expect(broker.retained[Self.state] == before)
            #expect(broker.stats().number("duplicate") == 1)
            broker.retained["fleet/robots/r1/telemetry"] = Array(#"{"lat":57.5,"lon":9\#(ts)}"#.utf8)
            broker.restart(after: .seconds(5))
            broker.wait(.seconds(1))
            #expect(broker.state()?.number("position", "lat") == 57.5)
        }
    }

    @Test("What has not come for removeAfter is removed, also where the bridge was away for that")
    func removal() {
        let broker = ScriptedBroker([.robots { ($0.staleAfter, $0.removeAfter) = (.seconds(10), .seconds(60)) }])
        report(broker)
        broker.wait(.seconds(20))
        broker.restart(after: .seconds(20))
        broker.wait(.seconds(19))
        #expect(broker.state()?["status"] == "stale")
        broker.wait(.seconds(2))
        #expect(broker.state() == nil)
        report(broker)
        broker.restart(after: .seconds(3_600))
        broker.wait(.seconds(1))
        #expect(broker.state() == nil)
        #expect(broker.engine.locations.isEmpty)
    }

    @Test("Everything of a source that is not configured any more is cleared, and nothing else")
    func unconfigured() {
        let broker = ScriptedBroker([.robots(), .robots(id: "tags")])
        report(broker)
        broker.send("fleet/tags/t1/telemetry", #"{"lat":57,"lon":9}"#)
        broker.store("fleet-bridge/tags/geojson/0", "{}")
        broker.store("other/tags/t1/state", "{}")
        broker.wait(.seconds(2))
        broker.restart([.robots()], after: .seconds(1))
        broker.wait(.seconds(1))
        #expect(broker.retained.keys.filter { $0.contains("tags") } == ["other/tags/t1/state"])
        #expect(broker.state() != nil && broker.sourceStatus != nil)
        let told = broker.log.filter { $0.message == "what does not exist any more is cleared" }
        #expect(told.map { $0.fields.map(\.value) } == [["2", "tags"]])
    }

    @Test("A template's sources are there again with their locations, and not without")
    func template() {
        let topics = ["fleet/{source}/{device}/telemetry"]
        let template = SourceConfiguration.robots(id: "any", topics: topics)
        let broker = ScriptedBroker([template])
        report(broker)
        broker.send("fleet/tags/t1/telemetry", #"{"lat":57,"lon":9}"#)
        broker.send("fleet/tags/t1/telemetry", "")
        broker.wait(.seconds(2))
        #expect(broker.json("fleet-bridge/tags/status") != nil)
        broker.restart(after: .seconds(1))
        broker.wait(.seconds(1))
        #expect(broker.state()?["status"] == "live")
        #expect(broker.engine.sourceStatuses.map(\.id) == ["robots"])
        #expect(broker.json("fleet-bridge/tags/status") == nil)
    }

    @Test(
        "What no bridge can have published is cleared, and the rest is read",
        arguments: [
            "", "{", "null", "[]", "{}", "\u{FF}", #"{"id":"r2","source":"robots","time":"x"}"#,
            #"{"id":"r1","source":"robots","time":"2026-11-29T12:00:00.000Z"}"#,
            #"{"id":"r2","source":"tags","time":"2026-11-29T12:00:00.000Z"}"#,
            #"{"id":"r2","source":"robots","position":{"lat":99,"lon":9}}"#,
            #"{"id":"r2","source":"robots","status":"gone"}"#, #"{"id":"r2","source":"robots","wheels":4}"#,
        ])
    func garbage(payload: String) {
        let broker = ScriptedBroker()
        report(broker)
        broker.wait(.seconds(2))
        broker.store("fleet-bridge/robots/r2/state", payload)
        broker.store("fleet-bridge/robots/status", "{")
        let isCleared = payload.isEmpty
        broker.restart(after: .seconds(1))
        let told = broker.log.filter { $0.message == "a state cannot be read back and is cleared" }
        let details = told.flatMap(\.fields).filter { $0.name == "detail" }.map(\.value)
        #expect(details.count == (isCleared ? 0 : 1))
        #expect(details.allSatisfy { !$0.contains("Error(") && !$0.contains("Fault(") }, "\(details)")
        broker.wait(.seconds(1))
        #expect(broker.state("r2") == nil && broker.retained["fleet-bridge/robots/r2/state"] == nil)
        #expect(broker.engine.locations.map(\.id) == ["r1"])
        #expect(broker.sourceStatus?["status"] == "available")
    }

    @Test("More than a source may have is not taken up")
    func limit() {
        let broker = ScriptedBroker()
        for index in 0..<10 { report(broker, "r\(index)") }
        broker.restart([.robots { $0.maxLocations = 4 }])
        broker.wait(.seconds(1))
        #expect(broker.engine.locations.count == 4)
        #expect(broker.retained.keys.count { $0.hasSuffix("/state") } == 4)
    }

    @Test("What was cut off by the broker's queue is told")
    func shortage() {
        let broker = ScriptedBroker()
        for index in 0..<10 { report(broker, "r\(index)") }
        broker.wait(.seconds(2))
        broker.retained["fleet-bridge/robots/r3/state"] = nil
        broker.restart()
        #expect(broker.log.contains { $0.message.contains("not all states could be read back") })
    }

    @Test("Rules that were changed meanwhile restyle what is read back")
    func restyled() throws {
        let broker = ScriptedBroker()
        report(broker)
        broker.forget()
        let rule = try DisplayRule(name: "all", set: [("iconColor", "red")])
        broker.restart(rules: DisplayRuleSet([rule]))
        broker.wait(.seconds(1))
        #expect(broker.state()?["display"] == ["iconColor": "#ff0000"])
        #expect(broker.states().count == 1)
    }

    @Test("A connection that ends while the fleet is read begins the reading again, and then publishes everything")
    func interrupted() {
        let broker = ScriptedBroker()
        for index in 0..<3 { report(broker, "r\(index)") }
        broker.returnsProbes = false
        broker.restart()
        #expect(broker.engine.locations.count == 3)
        broker.returnsProbes = true
        broker.forget()
        broker.loseConnection(forgettingRetained: true)
        broker.wait(.seconds(3))
        #expect(broker.retained.keys.count { $0.hasSuffix("/state") } == 3)
        #expect(broker.json("fleet-bridge/status")?["state"] == "online")
    }

    @Test("The newest type of the configuration holds once the device is heard")
    func type() {
        let broker = ScriptedBroker([.robots { $0.type = "old" }])
        report(broker)
        broker.restart([.robots { $0.type = "new" }], after: .seconds(1))
        broker.wait(.seconds(1))
        #expect(broker.state()?["type"] == "old")
        report(broker, "r1", 2)
        #expect(broker.state()?["type"] == "new")
    }

    // MARK: What the broker kept meanwhile

    private func queued(_ offset: Double, lat: Double) -> Message {
        Message(
            topicName: "fleet/robots/r1/telemetry",
            payload: Array(#"{"lat":\#(lat),"lon":9,"ts":"\#(time(offset))"}"#.utf8), qos: .atLeastOnce)
    }

    @Test("What devices sent meanwhile is applied to what was known, by its own times, and is as old as it says")
    func session() {
        let broker = ScriptedBroker([.robots { $0.staleAfter = .seconds(30) }], keepsSession: true)
        report(broker)
        broker.queued = [
            queued(-1, lat: 50), queued(10, lat: 58), queued(20, lat: 59), queued(15, lat: 51), queued(20, lat: 59),
        ]
        broker.restart(after: .seconds(60))
        broker.wait(.seconds(1))
        #expect(broker.state()?.number("position", "lat") == 59)
        #expect(broker.state()?.number("charge") == 72)  // what only the state told is not forgotten
        #expect(broker.state()?["status"] == "stale")
        #expect(broker.state()?["statusSince"] == .string(time(50)))
        let stats = broker.stats()
        #expect(stats.number("applied") == 2 && stats.number("late") == 2 && stats.number("duplicate") == 1)
        report(broker, "r1", 62)
        #expect(broker.state()?["status"] == "live")
    }

    @Test("Recent enough is live")
    func recentSession() {
        let broker = ScriptedBroker(keepsSession: true)
        report(broker)
        broker.queued = [queued(50, lat: 58)]
        broker.restart(after: .seconds(60))
        broker.wait(.seconds(1))
        #expect(broker.state()?["status"] == "live")
        broker.wait(.seconds(20))
        #expect(broker.state()?["status"] == "stale")
    }

    @Test("A session does not keep the filters of what was read back")
    func sessionFilters() {
        let broker = ScriptedBroker(keepsSession: true)
        broker.loseConnection()
        broker.wait(.seconds(2))
        #expect(broker.unsubscribed.count == 4)
    }
}
