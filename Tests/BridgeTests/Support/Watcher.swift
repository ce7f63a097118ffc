import FleetTestSupport
import JSON
import LocalBroker
import MQTTModel
import Testing

/// A subscriber of what the bridge publishes, that keeps what stands on each topic.
final class Watcher {
    let client: TestClient
    private let patience: Duration
    /// What stands on each topic; cleared ones are not in it.
    private(set) var topics: [TopicName: [UInt8]] = [:]
    /// All messages, in order.
    private(set) var history: [Message] = []

    init(
        _ broker: EmbeddedBroker, _ topicFilter: String = "fleet-bridge/#", qos: QoS = .atLeastOnce,
        patience: Duration = .seconds(30)
    ) throws {
        self.patience = patience
        // Longer than any test looks away from it.
        client = try TestClient(port: broker.port, patience: patience) { $0.keepAlive = .seconds(600) }
        try client.subscribe(topicFilter, qos: qos)
    }

    /// Reads until a condition holds.
    func wait(_ what: String, atMost limit: Duration? = nil, until condition: (Watcher) throws -> Bool) throws {
        try client.wait(what, atMost: limit ?? patience) {
            try takeAll()
            return try condition(self)
        }
    }

    private func takeAll() throws {
        while !client.messages.isEmpty {
            keep(try client.next())
        }
    }

    private func keep(_ message: Message) {
        history.append(message)
        // Whatever any test makes the bridge publish is what the schema for its topic says.
        for fault in PublishedSchemas.faults(of: message.payload, on: message.topicName) { Issue.record("\(fault)") }
        topics[TopicName(message.topicName)] = message.payload.isEmpty ? nil : message.payload
    }

    /// Reads everything that the broker has for it by now.
    func settle() throws {
        try takeAll()
        for message in try client.settle() { keep(message) }
    }

    /// What was stored when it came says nothing of what happens from here on.
    func forgetHistory() { history.removeAll() }

    func json(_ topicName: String) -> JSONObject? {
        topics[TopicName(topicName)].flatMap { try? JSONParser().parse($0) }?.object
    }

    func state(_ location: String, of source: String = "robots") -> JSONObject? {
        json("fleet-bridge/\(source)/\(location)/state")
    }

    /// All that was published on a topic.
    func history(_ topicName: String) -> [JSONObject] {
        history.filter { $0.topicName == topicName }.compactMap { try? JSONParser().parse($0.payload).object }
    }

    /// The locations that have a state.
    func locations(of source: String = "robots") -> [String] {
        let prefix = "fleet-bridge/\(source)/"
        return topics.keys.map(\.text).filter { $0.hasPrefix(prefix) && $0.hasSuffix("/state") }
            .map { String($0.dropFirst(prefix.count).dropLast("/state".count)) }.sorted()
    }

    /// Waits for a state with a value.
    @discardableResult
    func waitForState(_ location: String, of source: String = "robots", _ key: String, _ value: JSONValue) throws
        -> JSONObject
    {
        var state: JSONObject?
        try wait("\(source)/\(location) with \(key) \(value)") {
            state = $0.state(location, of: source)
            return state?.value(key) == value
        }
        return state ?? JSONObject()
    }

    func waitForStatus(_ topicName: String, _ key: String, _ value: JSONValue) throws {
        try wait("\(topicName) with \(key) \(value)") { $0.json(topicName)?[key] == value }
    }
}

/// A topic compared by its bytes: Swift takes composed and decomposed letters for the same text.
struct TopicName: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (a: TopicName, b: TopicName) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }
    func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}

extension JSONObject {
    /// A value deep inside: `properties.n`.
    func value(_ path: String) -> JSONValue? {
        var value: JSONValue? = .object(self)
        for key in path.split(separator: ".") { value = value?.object?[String(key)] }
        return value
    }

    func number(_ path: String) -> Double? { value(path)?.number }
}

/// The counters.
struct Stats {
    let document: JSONObject

    /// What the bridge left behind when it ended.
    init(stored broker: EmbeddedBroker) throws {
        let message = try TestClient.retained("fleet-bridge/stats", port: broker.port).first
        document = try message.flatMap { try JSONParser().parse($0.payload).object } ?? JSONObject()
    }

    subscript(path: String) -> Int { document.number(path).map { Int($0) } ?? 0 }

    /// Every message and every applied report ends in exactly one counter.
    var balance: Bool {
        let ends = ["applied", "duplicate", "late", "ignored", "rejected"]
        let outcomes = ["published", "coalesced", "unchanged", "pending"]
        return ends.map { self[$0] }.reduce(0, +) == document.number("received").map { Int($0) }
            && ends.map { self["reports.\($0)"] }.reduce(0, +) == self["reports.received"]
            && outcomes.map { self["reports.\($0)"] }.reduce(0, +) == self["reports.applied"]
    }
}
