import FleetEngine
import JSON
import Testing

/// What a flood of equal or different events leaves in the log.
struct LogTests {
    private func told(_ broker: ScriptedBroker, _ message: String = "rejected") -> [String?] {
        broker.log.filter { $0.message == message }.map { $0.fields.first { $0.name == "times" }?.value }
    }

    private static let beyond = "more than 1000 different events within a minute; others are only counted"

    @Test("Equal events are logged once, then once a minute how many more there were, also when they have ended")
    func equal() {
        let broker = ScriptedBroker()
        for _ in 0..<100 { broker.report("{") }
        #expect(told(broker) == [nil])
        broker.wait(.seconds(59.999))
        #expect(told(broker) == [nil])
        broker.wait(.seconds(0.001))
        #expect(told(broker) == [nil, "99"])
        broker.report("{")
        broker.wait(.seconds(59.999))
        #expect(told(broker) == [nil, "99"])
        broker.wait(.seconds(0.001))
        #expect(told(broker) == [nil, "99", "1"])
        broker.wait(.seconds(120))
        broker.report("{")
        #expect(told(broker) == [nil, "99", "1", nil])
    }

    @Test("A count names the device and the reason")
    func fields() {
        let broker = ScriptedBroker()
        for _ in 0..<3 { broker.report("{") }
        broker.wait(.seconds(60))
        let entries = broker.log.filter { $0.message == "rejected" }
        #expect(entries.count == 2)
        #expect(entries.last?.fields.dropLast().map(\.value) == entries.first?.fields.map(\.value))
        #expect(entries.last?.level == .warning)
    }

    @Test("More different events than are told apart are said to be, and counted once a minute")
    func beyond() {
        let broker = ScriptedBroker()
        for round in 0..<3 { for index in 0..<2_000 { broker.report("fake\(index)-\(round)", "{") } }
        #expect(told(broker).count == 1_000)
        #expect(told(broker, Self.beyond) == [nil])
        broker.wait(.seconds(60))
        #expect(told(broker, Self.beyond) == [nil, "5000"])
        // The minute is over for those that did not come again: there is room.
        broker.report("late", "{")
        #expect(told(broker).count == 1_001)
    }

    @Test("Before the end all counts are told")
    func end() {
        let broker = ScriptedBroker()
        for _ in 0..<3 { broker.report("{") }
        broker.run(.shutdown)
        #expect(told(broker) == [nil, "2"])
    }
}
