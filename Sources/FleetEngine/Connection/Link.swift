internal import JSON
internal import MQTTModel
internal import Timestamps

/// Where the connection stands: asks for subscriptions in the right order, tells the end of stored messages, and when to
/// try again.
struct Link {
    /// What is asked for, one after the other; the end of each is told by a probe.
    enum Stage {
        /// What the bridge published before it was started: only once.
        case ownTopics
        case sources
    }

    private enum Phase: Equatable {
        case down(retryAt: Duration)
        case connecting
        /// Waiting for answers.
        case subscribing(Stage, until: Duration)
        case probing(Stage, until: Duration, atLatest: Duration)
        case open
    }

    /// With a broker that says nothing about what it was asked for.
    private static let subscribePatience = Duration.seconds(10)
    private static let probePatience = Duration.seconds(5)
    /// The same while messages come that waited at the broker, since the probe is behind them.
    private static let queuePatience = Duration.seconds(60)
    private static let shutDownPatience = Duration.seconds(2)

    private let statusTopic: String
    let probeTopic: String
    private var phase = Phase.down(retryAt: .zero)
    private var backoff = Backoff()
    private var connectedAt: Duration?
    /// Whether an attempt or a connection has come to nothing.
    private(set) var hasFailed = false
    /// Counts the connections that the broker accepted.
    private(set) var number = 0
    private var unanswered: [RequestToken: Asked] = [:]
    private(set) var deniedFilters: Set<String> = []
    private var probeToken: RequestToken?
    private var shutDownBy: Duration?

    /// A subscription, and the one that follows once it is granted.
    struct Asked {
        var subscription: Subscription
        var next: Subscription?
    }

    init(topics: OutputTopics, clientIdentifier: String) {
        statusTopic = topics.bridgeStatus
        probeTopic = topics.probe(clientIdentifier)
    }

    var isOpen: Bool { phase == .open }
    /// A connection is there or being made.
    var isActive: Bool { if case .down = phase { false } else { true } }
    /// The broker has accepted the connection.
    var isConnected: Bool { connectedAt != nil }
    var isShuttingDown: Bool { shutDownBy != nil }
    var ownFilters: [String] { [statusTopic, probeTopic] }

    var stage: Stage? {
        switch phase {
        case .subscribing(let stage, _), .probing(let stage, _, _): stage
        case .down, .connecting, .open: nil
        }
    }

    var nextDeadline: Duration? {
        let phaseDeadline: Duration? =
            switch phase {
            case .down(let retryAt): retryAt
            case .probing(_, let until, _), .subscribing(_, let until): until
            case .connecting, .open: nil
            }
        guard let shutDownBy else { return phaseDeadline }
        return isActive ? shutDownBy : nil
    }

    // MARK: Connecting

    func isConnectDue(at now: Duration) -> Bool {
        if case .down(let retryAt) = phase { now >= retryAt && !isShuttingDown } else { false }
    }

    mutating func connecting() { phase = .connecting }

    mutating func connected(at now: Duration) {
        connectedAt = now
        number += 1
        unanswered.removeAll()
        deniedFilters.removeAll()
        probeToken = nil
    }

    /// - Returns: How long to wait before the next attempt.
    mutating func lost(at now: Duration, using random: inout some RandomNumberGenerator) -> Duration {
        let wait = backoff.next(after: connectedAt.map { now - $0 }, using: &random)
        connectedAt = nil
        hasFailed = true
        phase = .down(retryAt: now + wait)
        return wait
    }

    // MARK: Subscribing

    mutating func begin(_ stage: Stage, at now: Duration) {
        phase = .subscribing(stage, until: now + Self.subscribePatience)
    }

    mutating func asked(_ token: RequestToken, _ asked: Asked) { unanswered[token] = asked }

    mutating func answered(_ token: RequestToken, at now: Duration) -> Asked? {
        noteAnswer(at: now)
        return unanswered.removeValue(forKey: token)
    }

    mutating func denied(_ subscription: Subscription) { deniedFilters.insert(subscription.topicFilter) }

    /// Whether something asked for is not answered yet.
    func isPending(_ topicFilter: String) -> Bool {
        unanswered.values.contains { $0.subscription.topicFilter.hasSameBytes(as: topicFilter) }
    }

    /// A filter is not wanted any more.
    mutating func forget(_ topicFilter: String) {
        unanswered = unanswered.filter { !$0.value.subscription.topicFilter.hasSameBytes(as: topicFilter) }
        deniedFilters.remove(topicFilter)
    }

    func isDenied(_ topicFilter: String) -> Bool { deniedFilters.contains(topicFilter) }

    /// Whether everything asked for is answered, so that it is time for the probe.
    var isProbeDue: Bool {
        if case .subscribing = phase { unanswered.isEmpty } else { false }
    }

    /// A message to ourselves: when it comes back, everything stored has come.
    mutating func probe(_ token: RequestToken, at now: Duration) -> Message {
        probeToken = token
        if let stage {
            phase = .probing(stage, until: now + Self.probePatience, atLatest: now + Self.queuePatience)
        }
        return Message(topicName: probeTopic, payload: Array(String(token.rawValue).utf8), qos: .atLeastOnce)
    }

    func isProbe(_ token: RequestToken) -> Bool {
        if case .probing = phase { token == probeToken } else { false }
    }

    func isProbe(_ message: Message) -> Bool {
        guard case .probing = phase, let probeToken, message.topicName.hasSameBytes(as: probeTopic) else {
            return false
        }
        return message.payload.elementsEqual(String(probeToken.rawValue).utf8)
    }

    /// An answer or a stored message has come: what else was asked for is behind it and the next ones.
    mutating func noteAnswer(at now: Duration) {
        switch phase {
        case .subscribing(let stage, _): begin(stage, at: now)
        case .probing(let stage, _, let atLatest):
            phase = .probing(stage, until: now + Self.probePatience, atLatest: max(atLatest, now + Self.probePatience))
        case .down, .connecting, .open: break
        }
    }

    /// A message has come that may have waited at the broker, or not.
    mutating func noteQueued(at now: Duration) {
        guard case .probing(let stage, let until, let atLatest) = phase else { return }
        phase = .probing(stage, until: max(until, min(now + Self.probePatience, atLatest)), atLatest: atLatest)
    }

    func isSubscribingOverdue(at now: Duration) -> Bool {
        if case .subscribing(_, let until) = phase { now >= until } else { false }
    }

    func isProbeOverdue(at now: Duration) -> Bool {
        if case .probing(_, let until, _) = phase { now >= until } else { false }
    }

    mutating func open() { phase = .open }

    // MARK: Ending

    /// - Returns: Whether there is a connection on which to say so.
    mutating func beginShutDown(at now: Duration) -> Bool {
        shutDownBy = now + Self.shutDownPatience
        return isOpen
    }

    mutating func isShutDownDone(publisherIsIdle: Bool, at now: Duration) -> Bool {
        guard let shutDownBy, isOpen, publisherIsIdle || now >= shutDownBy else { return false }
        phase = .down(retryAt: shutDownBy)
        return true
    }
}
