internal import JSON
internal import MQTTModel
internal import Timestamps

/// Where the connection stands: asks for subscriptions in the right order, tells the end of stored messages, and when to
/// try again.
struct Link {
    private enum Phase: Equatable {
        case down(retryAt: Duration)
        case connecting
        /// Waiting for answers; `pass` 0 is the one at QoS 0 that reads what is stored, 1 the one at QoS 1.
        case subscribing(pass: Int, until: Duration)
        case probing(until: Duration)
        case open
    }

    enum Step { case wait, subscribeAgain, probe }

    /// With a broker that says nothing about what it was asked for.
    private static let subscribePatience = Duration.seconds(10)
    private static let probePatience = Duration.seconds(5)
    private static let shutDownPatience = Duration.seconds(3)

    private let statusTopic: String
    private let probeTopic: String
    private var phase = Phase.down(retryAt: .zero)
    private var backoff = Backoff()
    private var connectedAt: Duration?
    /// Counts the connections that the broker accepted.
    private(set) var number = 0
    private var unanswered: [RequestToken: Subscription] = [:]
    private var deniedFilters: Set<String> = []
    private var probeToken: RequestToken?
    private var shutDownBy: Duration?

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

    var nextDeadline: Duration? {
        let phaseDeadline: Duration? =
            switch phase {
            case .down(let retryAt): retryAt
            case .probing(let until), .subscribing(_, let until): until
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
        phase = .subscribing(pass: 0, until: now + Self.subscribePatience)
    }

    /// - Returns: How long to wait before the next attempt.
    mutating func lost(at now: Duration, using random: inout some RandomNumberGenerator) -> Duration {
        let wait =
            if let connectedAt {
                backoff.ended(after: now - connectedAt, using: &random)
            } else {
                backoff.failed(using: &random)
            }
        connectedAt = nil
        phase = .down(retryAt: now + wait)
        return wait
    }

    // MARK: Subscribing

    mutating func asked(_ token: RequestToken, _ subscription: Subscription) { unanswered[token] = subscription }

    mutating func answered(_ token: RequestToken, at now: Duration) -> Subscription? {
        noteAnswer(at: now)
        return unanswered.removeValue(forKey: token)
    }

    mutating func denied(_ subscription: Subscription) { deniedFilters.insert(subscription.topicFilter) }

    func isDenied(_ topicFilter: String) -> Bool { deniedFilters.contains(topicFilter) }

    /// What to do now; something once everything asked for is answered.
    mutating func takeNextStep(at now: Duration) -> Step {
        guard unanswered.isEmpty, case .subscribing(let pass, _) = phase else { return .wait }
        guard pass == 1 else {
            phase = .subscribing(pass: 1, until: now + Self.subscribePatience)
            return .subscribeAgain
        }
        return .probe
    }

    /// A message to ourselves: when it comes back, everything stored has come.
    mutating func probe(_ token: RequestToken, at now: Duration) -> Message {
        probeToken = token
        phase = .probing(until: now + Self.probePatience)
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
        case .subscribing(let pass, _): phase = .subscribing(pass: pass, until: now + Self.subscribePatience)
        case .probing: phase = .probing(until: now + Self.probePatience)
        case .down, .connecting, .open: break
        }
    }

    func isSubscribingOverdue(at now: Duration) -> Bool {
        if case .subscribing(_, let until) = phase { now >= until } else { false }
    }

    func isProbeOverdue(at now: Duration) -> Bool {
        if case .probing(let until) = phase { now >= until } else { false }
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
