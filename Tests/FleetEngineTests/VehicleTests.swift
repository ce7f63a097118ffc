import FleetEngine
import JSON
import TelemetryFormats
import Testing

/// What VDA 5050's vehicles ask of the engine beyond a report.
struct VehicleTests {
    private let broker = ScriptedBroker([
        .robots(id: "agvs", format: FormatTable.vda5050, topics: FormatTable.vda5050.topics)
    ])

    private func send(
        _ topic: String, _ members: String, time: String = "12:00:00", header: Int = 1, retain: Bool = false
    ) {
        let payload = #"{"headerId":\#(header),"timestamp":"2026-11-29T\#(time)Z",\#(members)}"#
        broker.send("uagv/v2/Maker/A1/\(topic)", payload, retain: retain)
    }

    private var status: String? { broker.state("Maker%2FA1", source: "agvs")?["status"]?.string }
    private var doing: JSONValue? { broker.state("Maker%2FA1", source: "agvs")?["properties"]?.object?["state"] }

    @Test("Silence is no sign while a vehicle hibernates, and is one again after it has said ONLINE")
    func hibernation() {
        send("state", #""driving":true"#)
        send("connection", #""connectionState":"HIBERNATING""#)
        #expect(doing == "sleeping")
        broker.wait(.seconds(3_600))
        #expect(status == "live")
        send("connection", #""connectionState":"ONLINE""#)
        broker.wait(.seconds(89))
        #expect(status == "live")
        broker.wait(.seconds(2))
        #expect(status == "stale")
    }

    @Test("A will makes a vehicle offline whatever its time, and telemetry brings it back without ONLINE")
    func will() {
        send("state", #""driving":true"#, header: 9)
        send("connection", #""connectionState":"CONNECTIONBROKEN""#, time: "06:00:00")
        broker.wait(.seconds(3))
        #expect(status == "offline")
        send("state", #""driving":false"#, time: "12:00:03", header: 10)
        #expect(status == "live")
    }

    @Test(
        "A report is late only where neither time nor headerId is newer",
        arguments: [
            ("11:59:59", 8, "moving"), ("11:59:59", 9, "moving"), ("11:59:59", 10, "idle"), ("12:00:00", 8, "moving"),
            ("12:00:00", 10, "idle"), ("12:00:01", 0, "idle"),
        ])
    func order(time: String, header: Int, state: String) {
        send("state", #""driving":true"#, header: 9)
        send("state", #""driving":false"#, time: time, header: header)
        #expect(doing == .string(state))
    }

    @Test("After a connection message a vehicle's time and headerId begin anew, stream by stream")
    func restart() {
        send("state", #""driving":true"#, header: 9)
        send("connection", #""connectionState":"ONLINE""#, time: "08:00:00")
        send("state", #""driving":false"#, time: "08:00:01", header: 0)
        #expect(doing == "idle")
        send("state", #""driving":true"#, time: "08:00:00", header: 0)
        #expect(doing == "idle", "the next one is ordered again")
    }

    @Test("Without its map a position on a plan is nowhere: the message is rejected and says so")
    func plan() {
        send("state", #""driving":true,"agvPosition":{"x":1,"y":2,"theta":0,"mapId":"hall"}"#)
        #expect(broker.stats().number("reasons", "unknown-map") == 1)
        #expect(doing == nil)
    }
}
