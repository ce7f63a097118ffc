import MQTTClient
import MQTTModel
import Randomness
import Timestamps

/// The connection that hears commands for all devices: one that is away could not hear that it may come back.
final class CommandListener {
    /// What came, and where.
    private(set) var received: [Message] = []
    private(set) var isListening = false

    private let filters: [String]
    private let options: ConnectOptions
    private var connection: MQTTConnection?
    private var nextAttempt = Duration.zero
    private var backoff: Backoff
    private var pending: Set<PacketIdentifier> = []
    private var trouble: String?

    init(sources: [String], options: ConnectOptions, random: SeededRandom) {
        filters = sources.flatMap(CommandTopic.filters)
        self.options = options
        backoff = Backoff(random: random)
    }

    var descriptor: Int32? { connection?.descriptor }
    var wantsWrite: Bool { connection?.wantsWrite ?? false }
    var deadline: Duration? { filters.isEmpty ? nil : connection.map(\.deadline) ?? nextAttempt }

    func takeTrouble() -> String? {
        defer { trouble = nil }
        return trouble
    }

    func takeReceived() -> [Message] {
        defer { received = [] }
        return received
    }

    func work(readable: Bool, now: Duration) {
        if connection == nil, !filters.isEmpty, now >= nextAttempt { connect(now: now) }
        guard let connection, readable || connection.wantsWrite || connection.deadline.map({ now >= $0 }) ?? false
        else { return }
        for event in connection.service(readable: readable, now: now) { handle(event, now: now) }
    }

    /// Cut without a word: it has no will and nobody waits for it.
    func finish() {
        connection?.close()
        connection = nil
        nextAttempt = .seconds(1 << 40)
    }

    private func connect(now: Duration) {
        do {
            let connection = try MQTTConnection(options)
            try connection.connect(now: now)
            self.connection = connection
        } catch {
            lost("\(error)", now: now)
        }
    }

    private func handle(_ event: MQTTEvent, now: Duration) {
        switch event {
        case .connected: subscribe(now: now)
        case .message(let message): received.append(message)
        case .subscribed(let identifier, let reasonCode):
            pending.remove(identifier)
            if reasonCode.isFailure { trouble = "the broker refuses the subscription: \(reasonCode)" }
            if pending.isEmpty, !reasonCode.isFailure { (isListening, _) = (true, backoff.reset()) }
        case .refused(let reasonCode, _): lost("refused by the broker: \(reasonCode)", now: now)
        case .disconnected(let reason): lost("\(reason)", now: now)
        case .unsubscribed, .published: break
        }
    }

    private func subscribe(now: Duration) {
        do {
            for filter in filters {
                pending.insert(
                    try connection?.subscribe(Subscription(topicFilter: filter, qos: .atLeastOnce))
                        ?? .init(rawValue: 0))
            }
        } catch {
            trouble = "\(error)"
        }
    }

    private func lost(_ reason: String, now: Duration) {
        (connection, isListening, pending) = (nil, false, [])
        trouble = reason
        nextAttempt = now + backoff.delay()
    }
}
