import DisplayRules
import FleetEngine
import JSON
import MQTTModel
import Testing
import Timestamps

/// The GeoJSON snapshots of a source's locations.
struct SnapshotTests {
    private func broker(
        every interval: Duration? = .seconds(5), rules: DisplayRuleSet = .none, maximumPacketSize: Int? = nil
    ) -> ScriptedBroker {
        let source = SourceConfiguration.robots { $0.staleAfter = nil }
        return ScriptedBroker([source], rules: rules, maximumPacketSize: maximumPacketSize, snapshots: interval)
    }

    /// What stands on the topics of the chunks, by their numbers.
    private func chunks(_ broker: ScriptedBroker) -> [Int: JSONObject] {
        var chunks: [Int: JSONObject] = [:]
        let prefix = "fleet-bridge/robots/geojson/"
        for topicName in broker.retained.keys where topicName.hasPrefix(prefix) {
            if let number = Int(topicName.dropFirst(prefix.count)) { chunks[number] = broker.json(topicName) }
        }
        return chunks
    }

    private func features(_ chunk: JSONObject?) -> [JSONObject] {
        chunk?["features"]?.array?.compactMap(\.object) ?? []
    }

    private func ids(_ chunk: JSONObject?) -> [String] { features(chunk).compactMap { $0["id"]?.string } }

    /// The chunks that were published since the last time, in order.
    private func published(_ broker: ScriptedBroker) -> [Int] {
        defer { broker.forget() }
        return broker.published.compactMap { publication in
            let levels = publication.topicName.split(separator: "/")
            return levels.count == 4 && levels[2] == "geojson" ? Int(levels[3]) : nil
        }
    }

    private func report(_ broker: ScriptedBroker, _ numbers: Range<Int>, lat: Double = 57, _ more: String = "") {
        for number in numbers { broker.report("r\(number)", #"{"lat":\#(lat),"lon":9.5\#(more)}"#) }
    }

    @Test("A feature has longitude first, the flat state, and the members of simplestyle")
    func feature() throws {
        let broker = broker(
            rules: DisplayRuleSet([
                try DisplayRule(
                    name: "main",
                    set: [
                        ("icon", "robot"), ("iconColor", "rgba(255, 0, 0, 0.5)"), ("label", "Robot 1"),
                        ("x-note", ["get", "charge"]),
                    ])
            ]))
        broker.report(
            #"{"lat":57.0582502,"lon":9.9504788,"floor":10,"charge":72,"state":"busy","icon":"mine","title":"mine","x-note":1}"#
        )
        broker.wait(.zero)
        let chunk = chunks(broker)[0]
        #expect(chunk?["type"] == "FeatureCollection")
        #expect(chunk?["chunk"] == 0 && chunk?["chunks"] == 1)
        #expect(chunk?["time"] == "2026-11-29T12:00:00.000Z")
        #expect(
            chunk?["features"] == [
                [
                    "type": "Feature", "id": "r1",
                    "geometry": ["type": "Point", "coordinates": [9.9504788, 57.0582502]],
                    "properties": [
                        "id": "r1", "source": "robots", "name": "r1", "floor": 10, "charge": 72,
                        "time": "2026-11-29T12:00:00.000Z", "status": "live", "statusReason": "heard",
                        "statusSince": "2026-11-29T12:00:00.000Z", "icon": "robot", "iconColor": "#ff000080",
                        "label": "Robot 1", "x-note": 72, "state": "busy", "title": "Robot 1",
                        "marker-color": "#ff0000", "marker-symbol": "robot",
                    ],
                ]
            ])
        let publication = broker.published.last { $0.topicName == "fleet-bridge/robots/geojson/0" }
        #expect(publication?.retain == true && publication?.qos == .atLeastOnce)
    }

    @Test("A location without a position has no geometry, and its name for a title")
    func noPosition() {
        let broker = broker()
        broker.report(#"{"charge":5}"#)
        broker.wait(.seconds(5))
        let feature = features(chunks(broker)[0]).first
        #expect(feature?["geometry"] == JSONValue.null)
        #expect(feature?["properties"]?.object?["title"] == "r1")
        #expect(feature?["properties"]?.object?["charge"] == 5)
    }

    @Test("Snapshots come each interval, if there is anything new, and say what the states say")
    func rounds() {
        let broker = broker()
        report(broker, 0..<1)
        broker.wait(.zero)
        #expect(published(broker) == [0])
        report(broker, 1..<3)
        broker.wait(.milliseconds(4_999))
        #expect(published(broker).isEmpty)
        broker.wait(.milliseconds(1))
        #expect(published(broker) == [0])
        #expect(ids(chunks(broker)[0]) == ["r0", "r1", "r2"])
        broker.wait(.seconds(60))
        #expect(published(broker).isEmpty)
        report(broker, 1..<2, lat: 58)
        broker.wait(.zero)
        #expect(published(broker) == [0])
        #expect(features(chunks(broker)[0])[1]["geometry"]?.object?["coordinates"] == [9.5, 58])
    }

    @Test("Without an interval there are none")
    func off() {
        let broker = broker(every: nil)
        report(broker, 0..<1)
        broker.wait(.seconds(60))
        #expect(published(broker).isEmpty)
    }

    @Test("A chunk has a hundred locations at most; only those that change are published again")
    func onlyChanged() {
        let broker = broker()
        report(broker, 0..<250)
        broker.wait(.seconds(5))
        let first = chunks(broker)
        #expect(first.mapValues { features($0).count } == [0: 100, 1: 100, 2: 50])
        #expect(Set(first.values.map { $0["chunks"] }) == [3])
        #expect(Set(first.values.map { $0["generation"] }).count == 1)
        _ = published(broker)
        report(broker, 130..<131, lat: 58)
        broker.wait(.seconds(5))
        #expect(published(broker) == [1])
        #expect(chunks(broker)[1]?["generation"] == first[1]?["generation"])
        #expect(ids(chunks(broker)[1]) == ids(first[1]))
    }

    @Test("Who comes and goes makes a new generation; the others keep their chunks, and a free place is taken")
    func members() {
        let broker = broker()
        report(broker, 0..<250)
        broker.wait(.seconds(5))
        let before = chunks(broker)
        broker.report("r42", "")
        broker.wait(.seconds(5))
        let without = chunks(broker)
        #expect(ids(without[0]) == ids(before[0]).filter { $0 != "r42" })
        #expect(ids(without[1]) == ids(before[1]) && ids(without[2]) == ids(before[2]))
        let generations = Set(without.values.compactMap { $0.number("generation") })
        #expect(generations.count == 1)
        #expect(generations.first ?? 0 > before[0]?.number("generation") ?? .infinity)
        report(broker, 900..<901)
        broker.wait(.seconds(5))
        #expect(ids(chunks(broker)[0]) == ids(without[0]) + ["r900"])
    }

    @Test("Surplus chunks are cleared, one that is empty between others stays")
    func surplus() {
        let broker = broker()
        report(broker, 0..<250)
        broker.wait(.seconds(5))
        for number in 0..<100 { broker.report("r\(number)", "") }
        for number in 200..<250 { broker.report("r\(number)", "") }
        broker.wait(.seconds(5))
        #expect(chunks(broker).mapValues { features($0).count } == [0: 0, 1: 100])
        #expect(Set(chunks(broker).values.map { $0["chunks"] }) == [2])
        for number in 100..<200 { broker.report("r\(number)", "") }
        broker.wait(.seconds(5))
        #expect(chunks(broker).isEmpty)
        report(broker, 0..<1)
        broker.wait(.seconds(5))
        #expect(chunks(broker).mapValues { features($0).count } == [0: 1])
    }

    @Test("No chunk is larger than the broker takes, and every location is in one", arguments: [3_000, 20_000, 60_000])
    func limit(size: Int) {
        let broker = broker(maximumPacketSize: size)
        for number in 0..<300 {
            broker.report(
                "r\(number)", #"{"lat":57,"lon":9,"note":"\#(String(repeating: "n", count: number % 7 * 60))"}"#)
        }
        broker.wait(.seconds(30))
        for publication in broker.published where publication.topicName.contains("/geojson/") {
            #expect(publication.payload.count + publication.topicName.utf8.count + 12 <= size)
        }
        let all = chunks(broker)
        #expect(all.values.flatMap(ids).sorted() == (0..<300).map { "r\($0)" }.sorted())
        #expect(all.keys.sorted() == Array(0..<all.count))
        #expect(Set(all.values.map { $0["chunks"] }) == [.number(Double(all.count))])
        #expect(Set(all.values.map { $0["generation"] }).count == 1)
        // Nothing is in flux any more.
        _ = published(broker)
        report(broker, 7..<8, lat: 58)
        broker.wait(.seconds(30))
        #expect(published(broker).count == 1)
    }

    @Test("A location that grows finds another chunk; one that fits in none goes without its own properties")
    func growth() {
        let broker = broker(maximumPacketSize: 3_000)
        report(broker, 0..<4)
        broker.wait(.seconds(5))
        #expect(chunks(broker).mapValues(ids) == [0: ["r0", "r1", "r2", "r3"]])
        broker.report("r1", #"{"note":"\#(String(repeating: "n", count: 1_500))"}"#)
        broker.wait(.seconds(15))
        let grown = chunks(broker).values.flatMap(features)
        #expect(grown.count == 4)
        #expect(grown.first { $0["id"] == "r1" }?["properties"]?.object?["note"]?.string?.count == 1_500)
        // The state has room for it, the feature has not: it says some things twice.
        broker.report("r2", #"{"note":"\#(String(repeating: "n", count: 2_540))"}"#)
        broker.wait(.seconds(15))
        let all = chunks(broker).values.flatMap(features)
        #expect(all.count == 4)
        let large = all.first { $0["id"] == "r2" }?["properties"]?.object
        #expect(large?["status"] == "live" && large?["note"] == nil)
        #expect(broker.state("r2")?["properties"]?.object?["note"] != nil)
    }

    @Test("After a connect the chunks are published again, by a smaller broker in smaller ones")
    func reconnect() {
        let broker = broker()
        report(broker, 0..<150)
        broker.wait(.seconds(5))
        broker.maximumPacketSize = 10_000
        broker.loseConnection(forgettingRetained: true)
        broker.wait(.seconds(30))
        let all = chunks(broker)
        #expect(all.values.flatMap(ids).sorted() == (0..<150).map { "r\($0)" }.sorted())
        #expect(all.values.allSatisfy { JSONValue.object($0).text.utf8.count < 10_000 })
        #expect(Set(all.values.map { $0["chunks"] }) == [.number(Double(all.count))])
    }

    @Test("After a restart what is known again stands in the snapshot, and chunks of before are gone")
    func restart() {
        let broker = broker()
        report(broker, 0..<150)
        broker.wait(.seconds(5))
        let before = chunks(broker)
        for number in 10..<150 { broker.retained["fleet-bridge/robots/r\(number)/state"] = nil }
        broker.restart(after: .seconds(2))
        broker.wait(.seconds(5))
        #expect(chunks(broker).mapValues { ids($0).sorted() } == [0: (0..<10).map { "r\($0)" }])
        let generation = chunks(broker)[0]?.number("generation") ?? 0
        #expect(generation > before[0]?.number("generation") ?? .infinity)
    }

    @Test("A refused chunk is tried again")
    func refused() {
        let broker = broker()
        broker.refusal = ("/geojson/0", .notAuthorized)
        report(broker, 0..<1)
        broker.wait(.zero)
        #expect(chunks(broker).isEmpty)
        broker.refusal = nil
        broker.wait(.seconds(10))
        #expect(chunks(broker).count == 1)
    }

    @Test("States go before snapshots")
    func order() {
        let broker = broker(every: .seconds(1))
        broker.wait(.seconds(1))
        broker.acknowledges = false
        report(broker, 0..<30)
        broker.wait(.seconds(1))
        _ = published(broker)
        broker.acknowledges = true
        while broker.hasHeld { broker.acknowledgeHeld() }
        let kinds = broker.published.map(\.topicName).filter { !$0.hasSuffix("/status") }
        #expect(kinds.count { $0.hasSuffix("/state") } > 5)
        #expect(kinds.firstIndex { $0.contains("/geojson/") } ?? 0 > kinds.lastIndex { $0.hasSuffix("/state") } ?? 0)
    }

    @Test("A replay makes the same chunks")
    func replay() {
        func run() -> [String] {
            var lines: [String] = []
            var configuration = EngineConfiguration(
                sources: [.robots(), .robots(id: "tags")], displayRules: .none)
            configuration.snapshotInterval = .seconds(5)
            let replayer = Replayer(configuration, version: "test") {
                guard $1.topicName.contains("/geojson/") else { return }
                lines.append("\($0.iso8601) \($1.topicName) \(String(decoding: $1.payload, as: UTF8.self))")
            }
            for second in 0..<40 {
                for source in ["robots", "tags"] {
                    replayer.play(
                        Replayer.Line(
                            time: ScriptedBroker.start.wall.advanced(by: .seconds(second)),
                            message: Message(
                                topicName: "fleet/\(source)/r\(second % 7)/telemetry",
                                payload: Array(#"{"lat":57.\#(second),"lon":9}"#.utf8))))
                }
            }
            replayer.finish()
            return lines
        }
        let first = run()
        #expect(first == run())
        #expect(first.count == 15)
    }

    @Test("A reload takes snapshots away with their source, changes their interval, ends and begins them")
    func reload() {
        let broker = broker()
        report(broker, 0..<150)
        broker.wait(.seconds(5))
        broker.reload { $0.snapshotInterval = .seconds(60) }
        broker.wait(.seconds(5))
        _ = published(broker)
        report(broker, 0..<1, lat: 58)
        broker.wait(.seconds(50))
        #expect(published(broker).isEmpty)
        broker.wait(.seconds(10))
        #expect(published(broker) == [0])
        broker.reload { $0.snapshotInterval = nil }
        broker.wait(.seconds(1))
        #expect(chunks(broker).isEmpty)
        broker.reload { $0.snapshotInterval = .seconds(5) }
        broker.wait(.seconds(5))
        #expect(chunks(broker).mapValues { features($0).count } == [0: 100, 1: 50])
        broker.reload { $0.sources = [.robots(id: "tags")] }
        broker.wait(.seconds(5))
        #expect(chunks(broker).isEmpty)
    }

    @Test("Turned on later, the chunks are filled in the order of the ids, whatever order they came in")
    func orderOfIDs() {
        let broker = broker(every: nil)
        report(broker, 200..<300)
        report(broker, 100..<200)
        broker.reload { $0.snapshotInterval = .seconds(5) }
        broker.wait(.seconds(5))
        #expect(ids(chunks(broker)[0]) == (100..<200).map { "r\($0)" })
        #expect(ids(chunks(broker)[1]) == (200..<300).map { "r\($0)" })
    }

    @Test("Who looks at a location between two publishes changes nothing of what a snapshot shows of it")
    func looking() throws {
        let source = SourceConfiguration.robots {
            ($0.staleAfter, $0.maxRate) = (nil, 0.1)
        }
        let rule = try DisplayRule(
            name: "main", set: [("iconColor", ["step", ["get", "charge"], "red", 30, "green"])])
        let broker = ScriptedBroker([source], rules: DisplayRuleSet([rule]), snapshots: .seconds(1))
        broker.report("a", #"{"lat":1,"lon":1,"charge":10}"#)
        broker.report("b", #"{"lat":1,"lon":1,"charge":10}"#)
        broker.wait(.seconds(2))
        broker.report("a", #"{"lat":1,"lon":1,"charge":90}"#)
        let shown = try #require(broker.engine.shown("a", source: "robots"))
        let state = try JSONParser().parse(shown.state).object
        #expect(state?["display"] == ["iconColor": "#008000"])
        #expect(shown.interval == .seconds(10))
        // Another location brings the next round; the first one still waits for its turn.
        broker.report("c", #"{"lat":1,"lon":1,"charge":10}"#)
        broker.wait(.seconds(2))
        let feature = features(chunks(broker)[0]).first { $0["id"] == "a" }
        #expect(feature?["properties"]?.object?["charge"] == 10)
        #expect(feature?["properties"]?.object?["iconColor"] == "#ff0000")
        broker.wait(.seconds(12))
        let later = features(chunks(broker)[0]).first { $0["id"] == "a" }
        #expect(later?["properties"]?.object?["iconColor"] == "#008000")
    }
}
