import FleetEngine
import FleetTestSupport
import JSON
import Randomness
import Testing

/// Topics of every look, by a seed. `FUZZ=200000` sends that many, `SEED=n` chooses the seed.
struct TopicFuzzTests {
    private static let filters: [(source: String, topics: [String])] = [
        ("any", ["fleet/{source}/{device}/telemetry", "fleet/{source}/{device}/connection", "fleet/{source}/status"]),
        ("robots", ["fleet/robots/{device}/telemetry", "fleet/robots/+/{device}/connection"]),
        ("rest", ["rest/{device}/#", "rest/+/+/exact"]), ("one", ["one"]), ("slashes", ["/+/", "{device}//b"]),
        ("top", ["+/a/{device}/%25"]),
    ]

    @Test("Whatever a topic looks like, its message goes where the filters say, and everything published has a topic")
    func anyTopic() {
        let broker = ScriptedBroker(Self.filters.map { .robots(id: $0.source, topics: $0.topics) })
        broker.describedOneIn = 29
        var random = SeededRandom(seed: Fuzzing.seed)
        var matching = 0
        var owners: [String: String] = [:]
        for index in 0..<Fuzzing.count(4_000) {
            let topicName = Self.topic(&random)
            let isMatch = Self.filters.contains { $0.topics.contains { Self.matches(topicName, $0) } }
            if isMatch { matching += 1 }
            let payload = random.isOneOf(5) ? "offline" : #"{"lat":57,"lon":9,"n":\#(index)}"#
            broker.send(topicName, payload, retain: random.isOneOf(9))
            #expect(
                broker.engine.snapshot.messages == matching,
                "\(topicName.prefix(200).debugDescription), seed \(Fuzzing.seed), message \(index)")
            matching = broker.engine.snapshot.messages
            if index % 40 == 39 {
                broker.wait(.milliseconds(Int.random(in: 0...3_000, using: &random)))
                for publication in broker.published { Self.expectSound(publication, &owners) }
                broker.forget()
            }
        }
        let stats = broker.stats()
        #expect(AccountingTests.balances(stats), "seed \(Fuzzing.seed)")
        #expect(stats.number("applied") ?? 0 > 0 && stats.number("rejected") ?? 0 > 0)
    }

    /// A topic that a broker takes; that of a state belongs to one location alone.
    private static func expectSound(_ publication: ScriptedBroker.Publication, _ owners: inout [String: String]) {
        let topicName = publication.topicName
        #expect(
            topicName.utf8.starts(with: "fleet-bridge/".utf8) && topicName.utf8.count <= 65_535, "seed \(Fuzzing.seed)")
        #expect(!topicName.utf8.contains { $0 == 0 || $0 == 0x23 || $0 == 0x2B }, "\(topicName.debugDescription)")
        guard topicName.hasSuffix("/state"), let state = publication.json?.object else { return }
        let levels = topicName.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        #expect(levels.count == 4 && levels.allSatisfy { !$0.isEmpty }, "\(topicName.debugDescription)")
        let owner = "\(state["source"]?.text ?? "") \(state["id"]?.text ?? "")"
        #expect(owners[topicName] ?? owner == owner, "\(topicName.debugDescription)")
        owners[topicName] = owner
    }

    // MARK: What topics look like

    private static let levels = [
        "fleet", "robots", "rest", "one", "a", "b", "telemetry", "connection", "status", "exact", "%25", "state",
        "geojson",
        "request", "probe", "$SYS", "$a", "", "", " ", "\u{0}", "\u{7F}", "e\u{301}", "é", "%", "%2F", "a%2fb", "r1",
        "🤖",
        "\u{FEFF}", "\u{FFFF}", "..", "{device}", "\"", "\n",
    ]

    private static func topic(_ random: inout SeededRandom) -> String {
        var topic =
            random.isOneOf(3)
            ? (0...Int.random(in: 0...5, using: &random)).map { _ in level(&random) }
            : filters.randomElement(using: &random)?.topics.randomElement(using: &random)?.split(
                separator: "/", omittingEmptySubsequences: false
            ).flatMap { part in
                switch part {
                case "#": (0..<Int.random(in: 0...3, using: &random)).map { _ in level(&random) }
                case _ where part == "+" || part.hasPrefix("{"): [level(&random)]
                default: [random.isOneOf(20) ? level(&random) : String(part)]
                }
            } ?? []
        if topic.joined(separator: "/").isEmpty || topic == ["fleet-bridge", "status"] { topic = ["x"] }
        return topic.joined(separator: "/")
    }

    private static func level(_ random: inout SeededRandom) -> String {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: String(repeating: "%", count: [400, 9_000, 30_000].randomElement(using: &random) ?? 0)
        case 1..<8: "d\(Int.random(in: 0..<50, using: &random))"
        case 8..<12:
            String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
                        Unicode.Scalar(UInt32.random(in: 0...0x2_0000, using: &random))
                    }.filter { !["/", "+", "#"].contains($0) }))
        default: levels.randomElement(using: &random) ?? ""
        }
    }

    /// MQTT 5.0, §4.7, in the plainest way; bytes, not letters.
    private static func matches(_ topicName: String, _ filter: String) -> Bool {
        var topic = topicName.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).map { Array($0) }
        let parts = filter.split(separator: "/", omittingEmptySubsequences: false)
        if topicName.utf8.first == 0x24, ["+", "#", "{"].contains(parts[0].prefix(1)) { return false }
        for part in parts {
            if part == "#" { return true }
            guard !topic.isEmpty else { return false }
            let level = topic.removeFirst()
            if part != "+", !part.hasPrefix("{"), !level.elementsEqual(part.utf8) { return false }
        }
        return topic.isEmpty
    }
}
