internal import Locations
internal import MQTTModel
internal import Timestamps

/// Reading from a broker of its own. Each connection lives and fails by itself: without the one for reading, the sources are
/// `unavailable` and their locations grow old, while the bridge is online and says so; without the one for publishing,
/// what is read is kept, and published when it is back.
extension Engine {
    /// One of the engine's two connections.
    typealias Side = ReferenceWritableKeyPath<Engine, Link>

    /// The connection by which the sources are read.
    var feed: Side { readsElsewhere ? \.sourceLink : \.link }

    /// What a connection's broker is called in the log.
    func brokerName(on side: Side) -> String {
        if !readsElsewhere { return "the broker" }
        return side == \.link ? "the output broker" : "the sources' broker"
    }

    func emit(_ effect: Effect, on side: Side) {
        effects.append(side == \.link ? effect : .source(effect))
    }

    func handleSource(_ event: Event) {
        guard readsElsewhere else { return }
        switch event {
        case .connected: sourcesConnected()
        case .disconnected(let reason):
            if sourceLink.isActive {
                loseSources("\(brokerName(on: \.sourceLink)) is disconnected", ["reason": reason])
            }
        case .subscribed(let token, let code): subscribed(token, code, on: \.sourceLink)
        case .subscribeFailed(let token, let reason): subscribeFailed(token, reason, on: \.sourceLink)
        case .message(let message):
            noteWork()
            receiveFromSources(message)
        case .published(let token, let code):
            guard code.isFailure, sourceLink.isProbe(token) else { return }
            log(.warning, "the sources' broker refuses the probe", ["reason": code.description])
            sourcesRead()
        case .publishFailed(let token, let reason, _):
            guard sourceLink.isProbe(token) else { return }
            log(.warning, "the probe was not sent to the sources' broker", ["reason": reason])
            sourcesRead()
        case .configuration, .configurationRefused, .source, .tick, .shutdown: break
        }
    }

    /// What was known before the start is read back first. If that broker is away, nobody knows for how long.
    private var maySourcesBegin: Bool { (readBack.isDone || link.hasFailed) && !link.isShuttingDown }

    var sourceLinkDeadline: Duration? {
        readsElsewhere && (sourceLink.isActive || maySourcesBegin) ? sourceLink.nextDeadline : nil
    }

    func advanceSourceLink() {
        if maySourcesBegin, sourceLink.isConnectDue(at: now.monotonic) {
            sourceLink.connecting()
            emit(.connect(nil), on: \.sourceLink)
        }
        if sourceLink.isSubscribingOverdue(at: now.monotonic) {
            emit(.disconnect, on: \.sourceLink)
            loseSources("the sources' broker does not answer subscriptions; connecting again")
        }
        if sourceLink.isProbeOverdue(at: now.monotonic) {
            warnOfLostProbe(on: \.sourceLink)
            sourcesRead()
        }
    }

    private func sourcesConnected() {
        sourceLink.connected(at: now.monotonic)
        for managed in sources.all { updateLink(of: managed) }
        log(.info, "connected to the sources' broker")
        sourceLink.begin(.sources, at: now.monotonic)
        subscribe(Subscription(topicFilter: sourceLink.probeTopic, qos: .atLeastOnce), on: \.sourceLink)
        subscribeSources()
    }

    private func receiveFromSources(_ message: Message) {
        if sourceLink.isOpen { return take(message) }
        if sourceLink.isProbe(message) { return sourcesRead() }
        if message.retain {
            sourceLink.noteAnswer(at: now.monotonic)
        } else if configuration.keepsSession {
            sourceLink.noteQueued(at: now.monotonic)
        }
        take(message)
    }

    /// Everything stored has been read.
    private func sourcesRead() {
        guard !sourceLink.isOpen else { return }
        sourceLink.open()
        log(.info, "the sources are read", ["sources": String(sources.all.count)])
        for managed in sources.all { updateLink(of: managed) }
    }

    private func loseSources(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        let wait = sourceLink.lost(at: now.monotonic, using: &random)
        guard !link.isShuttingDown else { return }
        for managed in sources.all { updateLink(of: managed) }
        var entry = LogEntry(.warning, message, fields)
        entry.fields.append(("retryIn", "\((wait.inSeconds * 10).rounded() / 10)s"))
        effects.append(.log(entry))
    }
}
