public import MQTTClient
public import MQTTModel

/// A client that waits: each call returns when the broker has answered, or throws when it took too long.
public final class TestClient {
    public struct Failure: Error, CustomStringConvertible {
        public var description: String

        public init(description: String) { self.description = description }
    }

    public let connection: MQTTConnection
    /// What CONNACK said.
    public private(set) var sessionPresent = false
    /// What arrived and nobody has taken.
    public private(set) var messages: [Message] = []
    /// Why the connection ended.
    public private(set) var end: MQTTEvent?

    private static let probePrefix = "test-probe/"

    private let patience: Duration
    private var probes: Set<String> = []
    private var poll = PollSet()
    private var answers: [PacketIdentifier: ReasonCode] = [:]

    /// Connects.
    public init(
        port: UInt16, _ clientIdentifier: String? = nil, patience: Duration = .seconds(5),
        options adjust: (inout ConnectOptions) -> Void = { _ in }
    ) throws {
        var options = ConnectOptions(host: "127.0.0.1", port: port, clientIdentifier: clientIdentifier)
        adjust(&options)
        self.patience = patience
        connection = try MQTTConnection(options)
        try connection.connect(now: monotonicNow())
        try wait("CONNACK") { connection.state != .connecting }
        if connection.state != .connected { throw Failure(description: "not connected: \(ending)") }
    }

    /// - Returns: The code of SUBACK.
    @discardableResult
    public func subscribe(
        _ topicFilter: String, qos: QoS = .atLeastOnce, retainHandling: Subscription.RetainHandling = .always,
        identifier: UInt32? = nil
    ) throws -> ReasonCode {
        let subscription = Subscription(
            topicFilter: topicFilter, qos: qos, retainHandling: retainHandling, identifier: identifier)
        return try answer(to: try connection.subscribe(subscription), "SUBACK for \(topicFilter)")
    }

    public func unsubscribe(_ topicFilter: String) throws {
        _ = try answer(to: try connection.unsubscribe(topicFilter), "UNSUBACK for \(topicFilter)")
    }

    /// - Returns: The code of PUBACK; success for QoS 0.
    @discardableResult
    public func publish(
        _ topicName: String, _ payload: String, qos: QoS = .atLeastOnce, retain: Bool = false
    ) throws -> ReasonCode {
        try publish(Message(topicName: topicName, payload: Array(payload.utf8), qos: qos, retain: retain))
    }

    @discardableResult
    public func publish(_ message: Message) throws -> ReasonCode {
        guard let identifier = try connection.publish(message) else {
            try wait("the socket") { !connection.wantsWrite }
            return .success
        }
        return try answer(to: identifier, "PUBACK for \(message.topicName)")
    }

    /// Waits for the next message that `isWanted`, and takes it; others stay.
    public func next(_ what: String = "a message", where isWanted: (Message) -> Bool = { _ in true }) throws -> Message
    {
        try wait(what) { messages.contains(where: isWanted) || connection.state == .closed }
        guard let index = messages.firstIndex(where: isWanted) else { throw Failure(description: "\(what): \(ending)") }
        return messages.remove(at: index)
    }

    /// Takes the next `count` messages.
    public func take(_ count: Int) throws -> [Message] {
        try (0..<count).map { try next("message \($0 + 1) of \(count)") }
    }

    /// Takes all messages that the broker had for this client when it was called: what it publishes to itself comes
    /// last.
    public func settle() throws -> [Message] {
        let probe = Self.probePrefix + "\(UInt64.random(in: .min ... .max))"
        try subscribe(probe, qos: .atMostOnce)
        try publish(probe, "")
        try wait("the probe") { probes.remove(probe) != nil }
        try unsubscribe(probe)
        defer { messages = [] }
        return messages
    }

    /// The messages that the broker keeps under a filter, as a late joiner gets them.
    public static func retained(_ topicFilter: String, port: UInt16) throws -> [Message] {
        let client = try TestClient(port: port)
        defer { client.disconnect() }
        try client.subscribe(topicFilter, qos: .atMostOnce)
        return try client.settle().filter(\.retain)
    }

    /// Does input and output until `condition` holds.
    public func wait(
        _ what: String, atMost patience: Duration? = nil, until condition: () throws -> Bool = { false }
    ) throws {
        let patience = patience ?? self.patience
        let limit = monotonicNow() + patience
        while try !condition() {
            guard let deadline = connection.deadline else { throw Failure(description: "\(what): \(ending)") }
            poll.removeAll()
            let slot = poll.add(connection)
            try poll.wait(atMost: min(deadline, limit) - monotonicNow())
            let now = monotonicNow()
            for event in connection.service(readable: poll[slot].readable, now: now) { note(event) }
            guard try now < limit || condition() else {
                throw Failure(description: "\(what): nothing within \(patience)")
            }
        }
    }

    /// Waits for the end of the connection.
    public func waitForEnd() throws -> MQTTEvent? {
        try wait("the end") { connection.state == .closed }
        return end
    }

    public func disconnect() {
        connection.disconnect(now: monotonicNow())
        _ = try? waitForEnd()
    }

    /// Ends the connection without DISCONNECT, as a crash would.
    public func cut() {
        connection.close()
    }

    private var ending: String { "connection over, \(end.map(String.init(describing:)) ?? "cut")" }

    private func answer(to identifier: PacketIdentifier, _ what: String) throws -> ReasonCode {
        try wait(what) { answers[identifier] != nil }
        return answers.removeValue(forKey: identifier) ?? .success
    }

    private func note(_ event: MQTTEvent) {
        switch event {
        case .connected(let sessionPresent, _): self.sessionPresent = sessionPresent
        // Other subscriptions may bring more copies of a probe.
        case .message(let message) where message.topicName.hasPrefix(Self.probePrefix): probes.insert(message.topicName)
        case .message(let message): messages.append(message)
        case .subscribed(let identifier, let code), .published(let identifier, let code): answers[identifier] = code
        case .unsubscribed(let identifier): answers[identifier] = .success
        case .refused, .disconnected: end = event
        }
    }
}

extension Message {
    /// The payload for comparing; not for ids, since different bad bytes read the same.
    public var text: String { String(decoding: payload, as: UTF8.self) }
}
