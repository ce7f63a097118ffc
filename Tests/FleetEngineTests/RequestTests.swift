import DisplayRules
import FleetEngine
import JSON
import Locations
import MQTTModel
import Testing

/// What may be asked of the bridge.
struct RequestTests {
    private func broker() throws -> ScriptedBroker {
        let rules = [
            try DisplayRule(
                name: "by charge", hysteresis: Hysteresis(property: "charge", margin: 5, hold: nil),
                set: [("iconColor", BandTests.charge), ("label", ["get", "name"])])
        ]
        let broker = ScriptedBroker(rules: DisplayRuleSet(rules))
        broker.report(#"{"lat":57,"lon":9,"charge":31}"#)
        broker.report(#"{"lat":57,"lon":9,"charge":29}"#)
        broker.forget()
        return broker
    }

    private func ask(
        _ payload: String, name: String = "explain", responseTopic: String? = nil, data: [UInt8]? = nil
    ) throws -> ScriptedBroker.Publication {
        let broker = try broker()
        broker.run(
            .message(
                Message(
                    topicName: "fleet-bridge/request/\(name)", payload: Array(payload.utf8), qos: .atLeastOnce,
                    correlation: Correlation(responseTopic: responseTopic, data: data))))
        #expect(broker.published.count == 1)
        return try #require(broker.published.first)
    }

    @Test("explain answers with what the rules make of a location, and why")
    func explain() throws {
        let answer = try ask(#"{"transaction":"t1","source":"robots","id":"r1","property":"iconColor"}"#)
        #expect(answer.topicName == "fleet-bridge/response/explain")
        #expect(answer.qos == .atLeastOnce && !answer.retain)
        let object = try #require(answer.json?.object)
        #expect(object.members.map(\.key) == ["transaction", "ok", "data"])
        #expect(object["transaction"] == "t1")
        #expect(object["ok"] == true)
        let data = try #require(object["data"]?.object)
        #expect(data["id"] == "r1")
        #expect(data["source"] == "robots")
        // The band is held in the running bridge, so it is in the answer.
        #expect(data["display"] == ["iconColor": "#ffff00"])
        let candidate = data["properties"]?.array?.first?.object?["candidates"]?.array?.first?.object
        #expect(candidate?["inputs"] == ["charge": 29])
        #expect(candidate?["held"] == ["charge": 30])
    }

    @Test(
        "What cannot be done is answered with a code",
        arguments: [
            ("explain", "{", "invalid-json", nil), ("explain", "[]", "invalid-request", nil),
            ("explain", #"{"transaction":1}"#, "invalid-request", 1),
            ("explain", #"{"transaction":{},"source":"robots","id":"r1"}"#, "invalid-request", nil),
            ("explain", #"{"transaction":2,"source":"robots","id":3}"#, "invalid-request", 2),
            ("explain", #"{"transaction":3,"source":"x","id":"r1"}"#, "unknown-source", 3),
            ("explain", #"{"transaction":4,"source":"robots","id":"r2"}"#, "unknown-location", 4),
            (
                "explain", #"{"transaction":5,"source":"robots","id":"r1","property":"iconColour"}"#,
                "unknown-property", 5
            ),
            (
                "explain", #"{"transaction":7,"source":"robots","id":"r1","properties":"iconColor"}"#, "unknown-member",
                7
            ),
            ("explane", #"{"transaction":6}"#, "unknown-request", 6), ("locations/nothing", "", "unknown-request", nil),
        ] as [(String, String, String, JSONValue?)])
    func faults(name: String, payload: String, code: String, transaction: JSONValue?) throws {
        let answer = try ask(payload, name: name)
        #expect(answer.topicName == "fleet-bridge/response/\(name)")
        let object = try #require(answer.json?.object)
        #expect(object["ok"] == false)
        #expect(object["error"]?.object?["code"] == .string(code))
        #expect(object["error"]?.object?["message"]?.string?.isEmpty == false)
        #expect(object["transaction"] == transaction)
    }

    @Test(
        "A member that a request does not have is named, with what may have been meant, and nothing is done",
        arguments: [
            ("locations/get", #"{"sorce":"robots"}"#, #"locations/get has no member "sorce"; did you mean "source"?"#),
            (
                "locations/get", #"{"after":{"source":"a","ID":"b"}}"#,
                #""after" has no member "ID""#
            ),
            (
                "locations/remove", #"{"source":"robots","id":"r1","dry":true}"#,
                #"locations/remove has no member "dry""#
            ),
            ("config/reload", #"{"source":"robots"}"#, #"config/reload has no member "source""#),
            ("sources/stop", #"{"source":"robots","Transaction":1}"#, #"did you mean "transaction"?"#),
        ])
    func unknownMember(name: String, payload: String, message: String) throws {
        let broker = try broker()
        broker.send("fleet-bridge/request/\(name)", payload)
        let answer = broker.published.last { $0.topicName == "fleet-bridge/response/\(name)" }?.json?.object
        let error = try #require(answer?["error"]?.object)
        #expect(error["code"] == "unknown-member" && answer?["ok"] == false)
        #expect(error["message"]?.string?.contains(message) == true, "\(error)")
        #expect(broker.engine.locations.count == 1 && broker.edits.isEmpty)
        #expect(broker.sourceStatus?["reason"] == nil)
    }

    @Test(
        "A response topic is honoured unless it would disturb the bridge",
        arguments: [
            ("my/answers", true), ("fleet-bridge/response/mine", true), ("fleet-bridge/robots/r1/state", false),
            ("fleet-bridge/request/explain", false), ("fleet-bridge", false), ("fleet/robots/r9/telemetry", false),
            ("$SYS/x", false), ("a/+", false), ("#", false), ("", false), ("a\u{0}b", false),
        ])
    func responseTopic(topicName: String, isHonoured: Bool) throws {
        let answer = try ask(
            #"{"transaction":1,"source":"robots","id":"r1"}"#, responseTopic: topicName, data: [0, 255])
        #expect(answer.topicName == (isHonoured ? topicName : "fleet-bridge/response/explain"))
        #expect(answer.correlation?.data == [0, 255])
        #expect(answer.correlation?.responseTopic == nil)
    }

    @Test("Requests are listened to, a stored one is not answered")
    func stored() throws {
        let broker = try broker()
        #expect(
            broker.subscriptions.contains { $0.topicFilter == "fleet-bridge/request/#" && $0.retainHandling == .never })
        broker.send("fleet-bridge/request/explain", "{}", retain: true)
        #expect(broker.published.isEmpty)
    }

    @Test("Too much is refused on both ways")
    func size() throws {
        let large = try ask("\"\(String(repeating: "x", count: 65_536))\"")
        #expect(large.json?.object?["error"]?.object?["code"] == "payload-too-large")
        let broker = try broker()
        broker.run(.connected(maximumPacketSize: 300, receiveMaximum: nil))
        broker.wait(.seconds(10))
        broker.forget()
        broker.send("fleet-bridge/request/explain", #"{"source":"robots","id":"r1"}"#)
        #expect(broker.published.first?.json?.object?["error"]?.object?["code"] == "response-too-large")
    }
}
