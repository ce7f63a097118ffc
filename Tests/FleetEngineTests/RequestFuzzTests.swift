import FleetEngine
import FleetTestSupport
import JSON
import Locations
import MQTTModel
import Randomness
import Testing

/// Requests of every look, by a seed. `FUZZ=200000` asks that many, `SEED=n` chooses the seed.
struct RequestFuzzTests {
    private static let examples: [(name: String, payload: JSONValue)] = [
        ("explain", ["transaction": 1, "source": "robots", "id": "r1", "property": "iconColor"]),
        (
            "locations/get",
            ["transaction": "t", "source": ["robots", "tags"], "status": "live", "limit": 2, "after": "r1"]
        ),
        ("locations/get", [:]), ("locations/remove", ["transaction": 2, "source": "robots", "id": "r2"]),
        ("config/reload", ["transaction": 3]), ("sources/list", ["limit": 1, "after": "robots"]),
        ("sources/add", ["source": "more", "settings": ["topics": ["more/{device}/telemetry"]]]),
        (
            "sources/replace",
            ["source": "tags", "settings": ["type": "x", "topics": ["fleet/tags/{device}/telemetry"]]]
        ),
        ("sources/remove", ["source": "more"]), ("sources/start", ["source": "robots"]),
        ("sources/stop", ["source": "robots"]), ("sources/clear", ["source": "tags"]),
    ]
    private static let responseTopics: [String?] = [
        nil, nil, nil, "answers/me", "fleet-bridge/response/mine", "fleet-bridge/status", "fleet-bridge",
        "fleet-bridge/",
        "fleet-bridge/robots/r1/state", "$SYS/x", "a/+/b", "#", "", "fleet/robots/r1/telemetry", "\u{0}", "é/e\u{301}",
        String(repeating: "a", count: 60_000),
    ]

    @Test("Whatever is asked is answered where the answer may go; what is refused changes nothing")
    func anyRequest() {
        let broker = ScriptedBroker([.robots(), .robots(id: "tags")])
        broker.describedOneIn = 17
        broker.reconfigures = { edit, configuration in Self.edit(configuration, edit) }
        var random = SeededRandom(seed: Fuzzing.seed)
        var ends: [Bool: Int] = [:]
        for index in 0..<Fuzzing.count(4_000) {
            for device in ["r1", "r2", "r3"] where random.isOneOf(4) {
                broker.report(device, #"{"lat":57,"lon":9,"charge":\#(index % 100)}"#)
            }
            broker.wait(.seconds(1))
            broker.forget()
            let message = Self.request(&random)
            let before = Self.known(broker)
            broker.send(message)
            let answers = broker.published.filter { $0.qos == .atLeastOnce && !$0.retain }
            if let isDone = Self.expectAnswered(message, answers) {
                ends[isDone, default: 0] += 1
                if !isDone { #expect(Self.known(broker) == before, "\(message), seed \(Fuzzing.seed), \(index)") }
            }
        }
        #expect(ends[true] ?? 0 > 0 && ends[false] ?? 0 > 0)
        #expect(AccountingTests.balances(broker.stats()), "seed \(Fuzzing.seed)")
    }

    /// - Returns: Whether it is done; `nil` where the answer is no answer.
    private static func expectAnswered(_ message: Message, _ answers: [ScriptedBroker.Publication]) -> Bool? {
        let about = "\(message.topicName.prefix(80)) \(String(decoding: message.payload.prefix(300), as: UTF8.self))"
        #expect(answers.count == 1, "\(about), seed \(Fuzzing.seed)")
        guard let answer = answers.first else { return nil }
        let wanted = message.correlation?.responseTopic ?? ""
        let isHonoured =
            ["answers/me", "fleet-bridge/response/mine", "é/e\u{301}"].contains(wanted) || wanted.count > 999
        if isHonoured {
            #expect(answer.topicName.utf8.elementsEqual(wanted.utf8), "\(about)")
        } else {
            #expect(answer.topicName.hasPrefix("fleet-bridge/response/"), "\(about)")
        }
        #expect(answer.topicName.utf8.count <= 65_535 && !answer.topicName.utf8.contains(0), "\(about)")
        #expect(answer.correlation?.data == message.correlation?.data, "\(about)")
        guard let object = answer.json?.object, case .bool(let isDone)? = object["ok"] else {
            Issue.record("\(about): no answer is \(String(decoding: answer.payload, as: UTF8.self).prefix(300))")
            return nil
        }
        let code = object.object("error")?["code"]?.string
        #expect(isDone ? object["data"] != nil : code?.isEmpty == false, "\(about)")
        return isDone
    }

    /// What requests can change.
    private static func known(_ broker: ScriptedBroker) -> [String] {
        broker.engine.locations.map { "\($0.source) \($0.id) \($0.status)" }.sorted()
            + broker.engine.sourceStatuses.map { "\($0.id) \($0.status.kind) \($0.status.reason)" }.sorted()
            + broker.engine.configuration.sources.map { "\($0.id) \($0.topics) \($0.settings.type ?? "")" }
    }

    private static func edit(
        _ configuration: EngineConfiguration, _ edit: ConfigurationEdit
    ) -> Result<EngineConfiguration, ScriptedBroker.ConfigurationFault> {
        var configuration = configuration
        switch edit {
        case .reload: break
        case .putSource(let id, let settings):
            guard let topics = settings.object?["topics"]?.array, topics.count == 1, !id.isEmpty,
                id.utf8.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 })
            else { return .failure(ScriptedBroker.ConfigurationFault(errors: ["request: error: no topics"])) }
            configuration.sources.removeAll { $0.id == Identifier(id) }
            configuration.sources.append(.robots(id: id) { $0.type = settings.object?["type"]?.string })
        case .removeSource(let id): configuration.sources.removeAll { $0.id == Identifier(id) && id != "robots" }
        }
        return .success(configuration)
    }

    private static func request(_ random: inout SeededRandom) -> Message {
        var (name, payload) = examples.randomElement(using: &random) ?? ("explain", [:])
        if random.isOneOf(12) {
            name =
                ["", "Explain", "sources", "explain/", "x/y/z", "\u{0}", String(repeating: "n", count: 300), "é"]
                .randomElement(using: &random) ?? ""
        }
        for _ in 0..<[0, 0, 1, 2].randomElement(using: &random)! { payload = payload.garbled(&random) }
        var bytes = Array(payload.text.utf8)
        switch Int.random(in: 0..<14, using: &random) {
        case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
        case 1:
            bytes.insert(UInt8.random(in: 0...255, using: &random), at: Int.random(in: 0...bytes.count, using: &random))
        case 2 where random.isOneOf(10):
            bytes = Array("{\"transaction\":\"\(String(repeating: "t", count: 65_000))\"}".utf8)
        case 3 where random.isOneOf(10): bytes = Array(repeating: UInt8(ascii: "["), count: 70_000)
        default: break
        }
        let data = Bool.random(using: &random) ? nil : (0..<Int.random(in: 0...20, using: &random)).map { UInt8($0) }
        return Message(
            topicName: "fleet-bridge/request/\(name)", payload: bytes, qos: .atLeastOnce,
            correlation: random.isOneOf(6)
                ? nil
                : Correlation(responseTopic: responseTopics.randomElement(using: &random) ?? nil, data: data))
    }
}
