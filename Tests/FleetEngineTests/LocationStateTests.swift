import JSON
import Locations
import MQTTModel
import TelemetryFormats
import Testing

/// From message to retained state, as it is seen from outside.
struct LocationStateTests {
    @Test("Telemetry comes out as a retained state")
    func state() {
        let broker = ScriptedBroker([
            .robots {
                $0.type = "robot-vacuum"
                $0.building = "Stigsborgvej"
            }
        ])
        broker.report(
            #"{"lat":57.0582502,"lon":9.9504788,"floor":10,"charge":72,"heading":123.5,"speed":0.3,"accuracy":0.4,"ts":"2026-11-29T12:00:00.250Z","seq":912,"state":"cleaning","name":"Vacuum 3"}"#
        )
        let text = broker.states().first.map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(
            text
                == #"{"id":"r1","source":"robots","type":"robot-vacuum","name":"Vacuum 3","building":"Stigsborgvej","floor":10,"position":{"lat":57.0582502,"lon":9.9504788},"heading":123.5,"speed":0.3,"accuracy":0.4,"charge":72,"time":"2026-11-29T12:00:00.250Z","status":"live","statusReason":"heard","statusSince":"2026-11-29T12:00:00.000Z","properties":{"state":"cleaning"},"display":{}}"#
        )
        #expect(broker.states().first?.qos == .atLeastOnce)
        #expect(broker.states().first?.retain == true)
    }

    @Test("Position and charge are always there, and null where unknown")
    func alwaysThere() {
        let broker = ScriptedBroker()
        broker.report(#"{"state":"idle"}"#)
        #expect(broker.state()?["position"] == .null)
        #expect(broker.state()?["charge"] == .null)
        #expect(broker.state()?["heading"] == nil)
        #expect(broker.state()?["name"] == "r1")
    }

    @Test("A message with some fields keeps the others; null forgets")
    func merging() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9,"charge":50,"heading":10,"room":"A"}"#)
        broker.report(#"{"charge":49}"#)
        #expect(broker.state()?.number("position", "lat") == 57)
        #expect(broker.state()?.number("heading") == 10)
        broker.report(#"{"heading":null,"room":null}"#)
        #expect(broker.state()?["heading"] == nil)
        #expect(broker.state()?["properties"] == nil)
        #expect(broker.state()?.number("charge") == 49)
    }

    @Test("A renamed device is the location that it was")
    func renamed() {
        let broker = ScriptedBroker(snapshots: .seconds(5))
        broker.report(#"{"lat":57,"lon":9,"name":"Vacuum 3"}"#)
        broker.wait(.seconds(10))
        let (topics, since) = (Set(broker.retained.keys), broker.state()?["statusSince"])
        broker.forget()
        broker.report(#"{"lat":57,"lon":9,"name":"Kitchen"}"#)
        broker.wait(.seconds(10))
        #expect(broker.state()?["name"] == "Kitchen" && broker.state()?["statusSince"] == since)
        #expect(Set(broker.retained.keys) == topics && broker.published.allSatisfy { !$0.payload.isEmpty })
        #expect(broker.json("fleet-bridge/robots/geojson/0")?["features"]?.array?.count == 1)
    }

    @Test("A silent location is stale from staleAfter on, not before, and keeps its position")
    func stale() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.milliseconds(29_999))
        #expect(broker.state()?["status"] == "live")
        broker.wait(.milliseconds(1))
        #expect(broker.state()?["status"] == "stale")
        #expect(broker.state()?["statusReason"] == "silent")
        #expect(broker.state()?["statusSince"] == "2026-11-29T12:00:30.000Z")
        #expect(broker.state()?.number("position", "lat") == 57)
        #expect(broker.sourceStatus?["status"] == "unavailable")
        #expect(broker.sourceStatus?["reason"] == "no-live-location")
        broker.report(#"{"lat":57,"lon":9}"#)
        #expect(broker.state()?["status"] == "live")
        #expect(broker.sourceStatus?["status"] == "available")
    }

    @Test("Setting the bridge's clock makes nothing stale")
    func clockStep() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.stepWallClock(by: .seconds(7_200))
        broker.wait(.seconds(20))
        #expect(broker.state()?["status"] == "live")
    }

    @Test("Event-type sources are never stale by silence")
    func eventType() {
        let broker = ScriptedBroker([.robots { $0.staleAfter = nil }])
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(86_400))
        #expect(broker.state()?["status"] == "live")
        #expect(broker.sourceStatus?["status"] == "available")
    }

    @Test("Offline is published after the hold, and live telemetry ends it")
    func offline() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.send("fleet/robots/r1/connection", "offline")
        broker.wait(.milliseconds(1_999))
        #expect(broker.state()?["status"] == "live")
        broker.wait(.milliseconds(1))
        #expect(broker.state()?["status"] == "offline")
        #expect(broker.state()?["statusSince"] == "2026-11-29T12:00:00.000Z")
        #expect(broker.state()?.number("position", "lat") == 57)
        broker.report(#"{"charge":4}"#)
        #expect(broker.state()?["status"] == "live")
    }

    @Test("A drop shorter than the hold is nobody's business")
    func flap() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(1))
        broker.forget()
        for _ in 0..<5 {
            broker.send("fleet/robots/r1/connection", "offline")
            broker.wait(.seconds(1))
            broker.send("fleet/robots/r1/connection", #"{"state":"ONLINE"}"#)
            broker.wait(.seconds(1))
        }
        #expect(broker.states().isEmpty)
    }

    @Test("A will is no sign of life: a stale location goes offline without being live in between")
    func willOfSilentDevice() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(31))
        #expect(broker.state()?["status"] == "stale")
        broker.forget()
        broker.send("fleet/robots/r1/connection", "offline")
        broker.wait(.seconds(3))
        #expect(broker.states().compactMap { $0.json?.object?["status"] } == ["offline"])
    }

    @Test("A whole source that says offline takes its locations with it, until it or they come back")
    func sourceOffline() {
        let broker = ScriptedBroker()
        broker.report("r1", #"{"lat":57,"lon":9}"#)
        broker.report("r2", #"{"lat":57,"lon":9}"#)
        broker.send("fleet/robots/status", "offline")
        broker.wait(.seconds(2))
        #expect(broker.state("r1")?["status"] == "offline")
        #expect(broker.state("r1")?["statusReason"] == "source-offline")
        broker.report("r2", #"{"lat":57.1,"lon":9}"#)
        #expect(broker.state("r1")?["status"] == "offline")
        #expect(broker.state("r2")?["status"] == "live")
        broker.send("fleet/robots/status", "online")
        #expect(broker.state("r1")?["status"] == "live")
    }

    @Test("A stored 'offline' of the whole source counts for devices that are known later only from stored telemetry")
    func storedSourceOffline() {
        let broker = ScriptedBroker()
        broker.send("fleet/robots/status", "offline", retain: true)
        broker.report("r1", #"{"lat":57,"lon":9,"ts":"2026-11-29T12:00:00Z"}"#, retain: true)
        broker.report("r2", #"{"lat":57,"lon":9}"#)
        #expect(broker.state("r1")?["status"] == "offline")
        #expect(broker.state("r2")?["status"] == "live")
    }

    @Test("A connection message alone makes no location, but counts once there is one")
    func connectionFirst() {
        let broker = ScriptedBroker()
        broker.send("fleet/robots/r1/connection", "offline", retain: true)
        broker.wait(.seconds(5))
        #expect(broker.state() == nil)
        broker.report(#"{"lat":57,"lon":9,"ts":"2026-11-29T12:00:04Z"}"#, retain: true)
        #expect(broker.state()?["status"] == "offline")
    }

    @Test("A stored 'online' proves nothing")
    func storedOnline() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.send("fleet/robots/r1/connection", "offline")
        broker.wait(.seconds(2))
        broker.send("fleet/robots/r1/connection", "online", retain: true)
        #expect(broker.state()?["status"] == "offline")
    }

    @Test(
        "Old stored telemetry is no sign of life; young one is as old as it says",
        arguments: [
            (#","ts":"2026-11-29T11:00:00Z""#, "stale"), (#","ts":"2026-11-29T11:59:50Z""#, "live"), ("", "stale"),
        ])
    func storedTelemetry(ts: String, status: String) {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9\#(ts)}"#, retain: true)
        #expect(broker.state()?["status"] == .string(status))
        #expect(broker.state()?.number("position", "lat") == 57)
        broker.wait(.seconds(21))
        #expect(broker.state()?["status"] == "stale")
    }

    @Test(
        "No fix means lost: no position, but the last one",
        arguments: [#"{"position":null}"#, #"{"lat":0,"lon":0,"charge":5}"#, #"{"lat":null,"lon":null}"#])
    func lost(payload: String) {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9,"floor":10,"ts":"2026-11-29T11:59:59Z"}"#)
        broker.wait(.seconds(1))
        broker.report(payload)
        #expect(broker.state()?["status"] == "lost")
        #expect(broker.state()?["position"] == .null)
        #expect(
            broker.state()?["lastPosition"] == ["lat": 57, "lon": 9, "floor": 10, "time": "2026-11-29T11:59:59.000Z"])
        broker.report(#"{"lat":57.5,"lon":9}"#)
        #expect(broker.state()?["status"] == "live")
        #expect(broker.state()?["lastPosition"] == nil)
        #expect(broker.state()?.number("position", "lat") == 57.5)
    }

    @Test("A position that gets too old is lost, though the device speaks")
    func lostByAge() {
        let broker = ScriptedBroker([.robots { $0.lostAfter = .seconds(60) }])
        broker.report(#"{"lat":57,"lon":9}"#)
        for _ in 0..<6 {
            broker.wait(.seconds(10))
            broker.report(#"{"charge":50}"#)
        }
        #expect(broker.state()?["status"] == "lost")
        #expect(broker.state()?["statusReason"] == "position-too-old")
        #expect(broker.state()?["lastPosition"]?.object?.number("lat") == 57)
    }

    @Test("Zero length withdraws a device: its state is cleared and it is counted as ignored")
    func withdrawal() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.report("")
        #expect(broker.states().last?.payload == [])
        #expect(broker.states().last?.retain == true)
        broker.report("unknown", "")
        let stats = broker.stats()
        #expect(stats.number("ignored") == 2)
        #expect(stats.number("reasons", "withdrawn") == 2)
        #expect(stats.number("locations", "live") == 0)
    }

    @Test("What was withdrawn while the broker was away is cleared when it is back")
    func withdrawalWhileAway() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.loseConnection()
        broker.report("")
        broker.wait(.seconds(3))
        #expect(broker.state() == nil)
    }

    @Test("A location is removed when nothing arrived for removeAfter")
    func removal() {
        let broker = ScriptedBroker([.robots { $0.removeAfter = .seconds(600) }])
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(400))
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(599))
        #expect(broker.state() != nil)
        broker.wait(.seconds(1))
        #expect(broker.state() == nil)
        #expect(broker.sourceStatus?.number("locations", "stale") == 0)
    }

    @Test("A state goes out at once, then the newest at the end of each interval; a new status goes at once")
    func rate() {
        let broker = ScriptedBroker([.robots { $0.maxRate = 2 }])
        for index in 0..<10 {
            broker.report(#"{"lat":57.\#(index)1,"lon":9}"#)
            broker.wait(.milliseconds(100))
        }
        let times = broker.states().map { $0.at - ScriptedBroker.start.monotonic }
        #expect(times == [.zero, .milliseconds(500), .milliseconds(1_000)])
        #expect(broker.state()?.number("position", "lat") == 57.91)
        broker.forget()
        broker.report(#"{"position":null}"#)
        #expect(broker.states().count == 1)
    }

    @Test("A new time alone is not news, but is told once in a heartbeat")
    func heartbeat() {
        let broker = ScriptedBroker()
        for second in 0..<25 {
            broker.report(#"{"lat":57,"lon":9,"ts":"2026-11-29T12:00:\#(second < 10 ? "0" : "")\#(second)Z"}"#)
            broker.wait(.seconds(1))
        }
        #expect(broker.states().map { $0.at - ScriptedBroker.start.monotonic } == [.zero, .seconds(10), .seconds(20)])
    }

    @Test("A state that is too large goes without its properties, so that its status is still told")
    func oversized() {
        let broker = ScriptedBroker(maximumPacketSize: 1_000)
        broker.report(#"{"lat":57,"lon":9,"note":"\#(String(repeating: "n", count: 900))"}"#)
        #expect(broker.state()?.number("position", "lat") == 57)
        #expect(broker.state()?["properties"] == nil)
        broker.wait(.seconds(30))
        #expect(broker.state()?["status"] == "stale")
        #expect(AccountingTests.balances(broker.stats()))
    }

    @Test("A state that does not fit says at least where the location is and whether it lives; nothing old stands there")
    func tooLarge() {
        let broker = ScriptedBroker(maximumPacketSize: 1_000, snapshots: .seconds(1))
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.report(#"{"lat":58,"lon":9,"name":"\#(String(repeating: "n", count: 2_000))"}"#)
        #expect(broker.state()?.number("position", "lat") == 58)
        #expect(broker.state()?["status"] == "live")
        broker.wait(.seconds(40))
        #expect(broker.state()?["status"] == "stale")
        let stats = broker.stats()
        #expect(stats.number("reports", "pending") == 0)
        #expect(AccountingTests.balances(stats))
    }

    @Test("Whatever depth a message has, the state can be read with 32 levels", arguments: [26, 29, 31])
    func depth(levels: Int) {
        let broker = ScriptedBroker()
        let nested = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        broker.report(#"{"lat":57,"lon":9,"deep":\#(nested)}"#)
        #expect(broker.state()?.number("position", "lat") == 57)
        #expect(broker.stats().number("fields", "properties-too-deep") == 1)
    }

    @Test(
        "Ids keep their bytes, and no two share a topic",
        arguments: [
            ("a b", "a b"), ("a%2Fb", "a%252Fb"), ("$x", "%24x"), ("status", "%73tatus"), ("geojson", "%67eojson"),
            ("æøå", "æøå"),
        ])
    func ids(id: String, level: String) {
        let broker = ScriptedBroker()
        broker.report(id, #"{"lat":57,"lon":9}"#)
        #expect(broker.state(level)?["id"] == .string(id))
    }

    @Test("Composed and decomposed letters are two devices")
    func equivalence() {
        let broker = ScriptedBroker()
        broker.report("caf\u{E9}", #"{"lat":57,"lon":9}"#)
        broker.report("cafe\u{301}", #"{"lat":58,"lon":9}"#)
        #expect(broker.published.filter { $0.topicName.hasSuffix("/state") }.count == 2)
        #expect(
            broker.sourceStatus?.number("locations", "live") == 1 || broker.stats().number("locations", "live") == 2)
    }
}
