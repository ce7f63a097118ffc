import FleetTestSupport
import JSON
import LocalBroker
import MQTTModel
import Testing

/// What is asked of a running bridge, and where the answer goes.
@Suite("Requests over a real broker", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct RequestTests {
    private static let rules = """
        displayRules:
          - name: by charge
            hysteresis: {get: charge, margin: 5}
            set: {iconColor: [step, [get, charge], red, 30, yellow, 60, green], label: [get, name]}

        """
    private static let ordinary = "fleet-bridge/response/explain"

    /// A bridge that knows the location `robots/r1`, whose charge has fallen to 29 within its band, and somebody who asks.
    private func withBridge(_ body: (Asker) throws -> Void) throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots + Self.rules)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let device = try TestClient(port: broker.port, patience: .seconds(30))
            for charge in [31, 29] {
                try device.publish("fleet/robots/r1/telemetry", #"{"lat":57.5,"lon":9.25,"charge":\#(charge)}"#)
                try watcher.waitForState("r1", "charge", .number(Double(charge)))
            }
            try body(Asker(broker))
            #expect(try bridge.stop() == 0)
        }
    }

    /// A client that sees everything on every topic but those of the broker.
    private struct Asker {
        let client: TestClient
        let port: UInt16

        init(_ broker: EmbeddedBroker) throws {
            port = broker.port
            client = try TestClient(port: broker.port, patience: .seconds(30))
            try client.subscribe("#")
            _ = try client.settle()
        }

        /// - Returns: What came on that topic; nothing else may come on another one that could be an answer.
        func ask(
            _ payload: String, responseTopic: String? = nil, data: [UInt8]? = nil, answerOn topicName: String
        ) throws -> Message {
            try client.publish(
                Message(
                    topicName: "fleet-bridge/request/explain", payload: Array(payload.utf8), qos: .atLeastOnce,
                    correlation: responseTopic == nil && data == nil
                        ? nil : Correlation(responseTopic: responseTopic, data: data)))
            let answer = try client.next("an answer on \(topicName)") { $0.topicName == topicName }
            let others = try client.settle().map(\.topicName).filter {
                $0 != "fleet-bridge/request/explain" && !$0.hasPrefix("fleet-bridge/stat")
            }
            #expect(others.isEmpty)
            return answer
        }
    }

    private func object(_ answer: Message) throws -> JSONObject {
        try #require(try JSONParser().parse(answer.payload).object)
    }

    private static let question = #"{"transaction":"t1","source":"robots","id":"r1","property":"iconColor"}"#

    @Test("explain is answered on the response topic of its name, with what the bridge remembers")
    func ordinary() throws {
        try withBridge { asker in
            let answer = try asker.ask(Self.question, answerOn: Self.ordinary)
            #expect(answer.qos == .atLeastOnce && !answer.retain)
            #expect(answer.correlation == nil)
            let object = try object(answer)
            #expect(object.members.map(\.key) == ["transaction", "ok", "data"])
            #expect(object["transaction"] == "t1")
            #expect(object["ok"] == true)
            #expect(object.value("data.display.iconColor") == "#ffff00")
            let candidate = object.value("data.properties")?.array?.first?.object?["candidates"]?.array?.first?.object
            #expect(candidate?["inputs"] == ["charge": 29])
            #expect(candidate?["held"] == ["charge": 30])
            #expect(candidate?["line"] != nil)
            // Not kept by the broker: whoever comes later sees no answer.
            let stored = try TestClient.retained("fleet-bridge/response/#", port: asker.port)
            #expect(stored.isEmpty)
        }
    }

    @Test("The caller's response topic and correlation data are honoured")
    func correlation() throws {
        try withBridge { asker in
            for topicName in ["my/answers", "fleet-bridge/response/mine"] {
                let answer = try asker.ask(
                    Self.question, responseTopic: topicName, data: [0, 1, 255], answerOn: topicName)
                #expect(answer.correlation?.data == [0, 1, 255])
                #expect(answer.correlation?.responseTopic == nil)
                #expect(try object(answer)["ok"] == true)
            }
            // Data alone: the ordinary topic, and the data comes back.
            let answer = try asker.ask(Self.question, data: [7], answerOn: Self.ordinary)
            #expect(answer.correlation?.data == [7])
            let empty = try asker.ask(Self.question, responseTopic: "my/answers", data: [], answerOn: "my/answers")
            #expect(empty.correlation?.data == [])
        }
    }

    @Test("A response topic that would disturb the bridge is not used; the answer still comes, with its data")
    func disturbing() throws {
        try withBridge { asker in
            for topicName in [
                "fleet-bridge/robots/r1/state", "fleet-bridge/status", "fleet-bridge/request/explain", "fleet-bridge",
                "fleet/robots/r9/telemetry", "fleet/robots/status",
            ] {
                let answer = try asker.ask(
                    Self.question, responseTopic: topicName, data: [1], answerOn: Self.ordinary)
                #expect(answer.correlation?.data == [1], "\(topicName)")
            }
        }
    }

    @Test("What cannot be answered is told with a code, on the topic that the caller wants")
    func errors() throws {
        try withBridge { asker in
            let faults: [(payload: String, code: JSONValue, transaction: JSONValue?)] = [
                (#"{"transaction":1,"source":"robots","id":"r2"}"#, "unknown-location", 1),
                (#"{"transaction":2,"source":"vacuums","id":"r1"}"#, "unknown-source", 2),
                (#"{"transaction":3,"source":"robots","id":"r1","property":"iconColour"}"#, "unknown-property", 3),
                (#"{"transaction":4,"source":"robots"}"#, "invalid-request", 4), ("{", "invalid-json", nil),
                (#"{"a":1,"a":2}"#, "invalid-json", nil), ("", "invalid-request", nil),
            ]
            for fault in faults {
                let answer = try asker.ask(
                    fault.payload, responseTopic: "my/answers", data: [9], answerOn: "my/answers")
                let object = try object(answer)
                #expect(object["ok"] == false, "\(fault.payload)")
                #expect(object.value("error.code") == fault.code, "\(fault.payload)")
                #expect(object.value("error.message")?.string?.isEmpty == false, "\(fault.payload)")
                #expect(object["transaction"] == fault.transaction, "\(fault.payload)")
                #expect(answer.correlation?.data == [9], "\(fault.payload)")
            }
        }
    }

    @Test("A client of MQTT 3.1.1, which has no response topic, is answered on the ordinary one")
    func oldProtocol() throws {
        try withBridge { asker in
            let client = try TestClient(port: asker.port, patience: .seconds(30)) {
                $0.version = .mqtt311
            }
            try client.subscribe("fleet-bridge/response/#")
            try client.publish("fleet-bridge/request/explain", Self.question)
            let answer = try client.next()
            #expect(answer.topicName == Self.ordinary)
            #expect(try object(answer)["transaction"] == "t1")
        }
    }
}
