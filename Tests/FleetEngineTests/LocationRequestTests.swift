import FleetEngine
import JSON
import Locations
import Testing

/// Locations that are asked for and removed by request.
struct LocationRequestTests {
    private func broker(_ count: Int = 5) -> ScriptedBroker {
        let broker = ScriptedBroker([.robots(), .robots(id: "tags") { $0.type = "tag" }])
        for index in 0..<count {
            broker.report("r\(index)", #"{"lat":57,"lon":9,"floor":\#(index % 2 * 10),"building":"B"}"#)
            broker.send("fleet/tags/t\(index)/telemetry", #"{"position":null}"#)
        }
        broker.wait(.seconds(1))
        return broker
    }

    private func ids(_ answer: JSONObject?) -> [String] {
        (answer?["data"]?.object?["locations"]?.array ?? []).compactMap { $0.object?["id"]?.string }
    }

    @Test("Locations are told as they are published, by source and id")
    func all() {
        let broker = broker()
        let answer = broker.ask("locations/get", ["transaction": 5])
        #expect(answer?["transaction"] == 5)
        #expect(ids(answer) == ["r0", "r1", "r2", "r3", "r4", "t0", "t1", "t2", "t3", "t4"])
        #expect(answer?["data"]?.object?["locations"]?.array?.first?.object == broker.state("r0"))
        #expect(answer?["data"]?.object?["next"] == nil)
    }

    @Test(
        "Each filter leaves those that it names",
        arguments: [
            (["source": "tags"], ["t0", "t1", "t2", "t3", "t4"]),
            (["source": ["tags", "robots"], "id": "r1"], ["r1"]),
            (["id": ["r1", "t1", "x"]], ["r1", "t1"]), (["type": "tag", "id": "r1"], []),
            (["floor": 10], ["r1", "r3"]),
            (["building": "B", "floor": 0], ["r0", "r2", "r4"]), (["status": "lost", "id": "t2"], ["t2"]),
            (["status": ["live", "lost"], "source": "robots", "limit": 2], ["r0", "r1"]), (["source": "x"], []),
        ] as [(JSONValue, [String])])
    func filters(request: JSONValue, expected: [String]) {
        #expect(ids(broker().ask("locations/get", request)) == expected)
    }

    @Test("One that says too much is told without what its device says beside, and keeps no other from being told")
    func tooLarge() {
        let broker = broker(3)
        broker.reload { $0.maxOutput = 4_096 }
        broker.report("r0", #"{"lat":57,"lon":9,"note":"\#(String(repeating: "n", count: 6_000))"}"#)
        let answer = broker.ask("locations/get")
        #expect(ids(answer) == ["r0", "r1", "r2", "t0", "t1", "t2"])
        #expect(answer?["data"]?.object?["locations"]?.array?.first?.object?["properties"] == nil)
    }

    @Test("Pages follow each other without a gap, whatever their length", arguments: [1, 3, 5, 7, 9, 10])
    func pages(limit: Int) {
        let broker = broker()
        var all: [String] = []
        var after: JSONValue = .null
        var pages = 0
        repeat {
            let answer = broker.ask("locations/get", ["limit": .number(Double(limit)), "after": after])
            #expect(ids(answer).count <= limit)
            all += ids(answer)
            after = answer?["data"]?.object?["next"] ?? .null
            pages += 1
        } while !after.isNull && pages < 20
        #expect(all == ["r0", "r1", "r2", "r3", "r4", "t0", "t1", "t2", "t3", "t4"])
        #expect(pages == (10 + limit - 1) / limit)
    }

    @Test("No page is larger than the broker takes")
    func size() {
        let broker = broker(50)
        broker.run(.connected(maximumPacketSize: 2_000, receiveMaximum: nil))
        broker.wait(.seconds(20))
        var found: [String] = []
        var after: JSONValue = .null
        repeat {
            broker.forget()
            let answer = broker.ask("locations/get", ["limit": 1_000, "after": after, "transaction": "abc"])
            #expect(broker.published.allSatisfy { $0.payload.count <= 2_000 })
            #expect(!ids(answer).isEmpty)
            found += ids(answer)
            after = answer?["data"]?.object?["next"] ?? .null
        } while !after.isNull && found.count < 200
        #expect(found.count == 100 && Set(found).count == 100)
        broker.report(String(repeating: "a", count: 900), #"{"lat":57,"lon":9}"#)
        let code = broker.ask("locations/get")?["error"]?.object?["code"]
        #expect(code == "response-too-large")
    }

    @Test("A location that is removed is cleared, and comes again with its next report")
    func remove() {
        let broker = broker()
        let answer = broker.ask("locations/remove", ["source": "robots", "id": "r1"])
        #expect(answer?["data"] == ["source": "robots", "id": "r1"])
        #expect(broker.state("r1") == nil && broker.state("r2") != nil)
        #expect(
            broker.ask("locations/remove", ["source": "robots", "id": "r1"])?["error"]?.object?["code"]
                == "unknown-location")
        broker.report("r1", #"{"lat":57,"lon":9}"#)
        #expect(broker.state("r1")?["status"] == "live")
    }

    @Test(
        "What cannot be asked for is said",
        arguments: [
            ["limit": 0], ["limit": 1_001], ["limit": "x"], ["after": "r1"], ["after": ["source": "robots"]],
            ["status": "gone"], ["id": [1]], ["floor": 1.5],
        ] as [JSONValue])
    func faults(request: JSONValue) {
        #expect(broker().ask("locations/get", request)?["error"]?.object?["code"] == "invalid-request")
    }
}
