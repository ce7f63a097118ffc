internal import DisplayRules
internal import JSON
public import Locations
internal import MQTTModel
internal import Randomness
internal import TelemetryFormats
public import Timestamps

/// The bridge without its edges: events in, effects out. It does no I/O and reads no clock, so the same engine serves the
/// broker, a replay and a simulation. It belongs to one thread, which never is in two of its methods at once: so its state,
/// and that of what it owns, needs no check of exclusive access at every touch.
public final class Engine {
    /// Publishes that wait for their acknowledgement at most. What the network library held beyond would go out before
    /// anything newer.
    public static let publishesInFlight = 20

    public internal(set) var configuration: EngineConfiguration

    @exclusivity(unchecked) var effects: [Effect] = []
    @exclusivity(unchecked) var tokens = RequestTokens()
    var random: SeededRandom
    @exclusivity(unchecked) var sources: SourceTable
    let output: StateOutput
    @exclusivity(unchecked) var bridgeStatus: BridgeStatus
    /// The connection by which the bridge publishes; it reads by it, too, unless it ``readsElsewhere``.
    @exclusivity(unchecked) var link: Link
    /// The connection by which it reads then.
    var sourceLink: Link
    let readsElsewhere: Bool
    @exclusivity(unchecked) var statistics: Statistics
    /// Sources that no message feeds.
    var registered: [Identifier: RegisteredSource] = [:]
    var readBack = ReadBack()
    /// Below which prefixes something for Home Assistant may stand.
    var discoveryPlaces: Set<Identifier> = []
    var limiter = LogLimiter()
    private var clock: ClockWatch
    static let maximumWaitingRequests = 16
    /// Those that wait for the configuration to be read.
    var waitingRequests: [RequestToken: Request] = [:]
    var rejectionReports = RejectionReports()
    /// `nil`: nobody asks whether messages come round.
    @exclusivity(unchecked) var roundTrip: RoundTripProbe?
    let topics: OutputTopics
    let parser = JSONParser()

    @exclusivity(unchecked) var now: Instant
    /// Whether counters go out only after something has happened: in a recording, months may pass in which nothing does.
    var skipsIdleCounters = false
    /// What became of the last message for a source.
    var lastHandled: ManagedSource.Handled?

    /// - Parameters:
    ///   - version: Published in the bridge's status.
    ///   - seed: For the jitter of reconnects.
    public init(_ configuration: EngineConfiguration, version: String, seed: UInt64, at now: Instant) {
        self.configuration = configuration
        self.now = now
        random = SeededRandom(seed: seed)
        clock = ClockWatch(at: now)
        bridgeStatus = BridgeStatus(
            version: version, clientIdentifier: configuration.clientIdentifier, instance: configuration.instance,
            started: now.wall)
        topics = OutputTopics(
            prefix: configuration.prefix, encodesStrictly: configuration.encodesTopicsStrictly)
        output = StateOutput(
            Publisher(
                rules: configuration.displayRules, coordinateSystem: configuration.coordinateSystem,
                republishRate: configuration.republishRate, maxOutput: configuration.maxOutput,
                stateExpiry: configuration.stateExpiry), topics: topics,
            snapshots: configuration.snapshotInterval)
        link = Link(topics: topics, clientIdentifier: configuration.clientIdentifier)
        readsElsewhere = configuration.sourceClientIdentifier != nil
        sourceLink = Link(topics: topics, clientIdentifier: configuration.sourceClientIdentifier ?? "")
        statistics = Statistics(started: now)
        roundTrip = configuration.probeInterval.map(RoundTripProbe.init)
        sources = SourceTable(configuration.sources)
        output.homeAssistant = discovery(configuration.homeAssistant)
        for entry in configuration.sources where !entry.isTemplate {
            output.observe(sources.source(of: entry, at: now).source, at: now)
        }
        for entry in configuration.derived { make(entry) }
    }

    deinit {
        // What observes sources is told by them, too: each would keep the other.
        for own in registered.values where own.configuration != nil { own.source.observers.removeAll() }
    }

    /// Takes an event and says what is to be done.
    public func handle(_ event: Event, at now: Instant) -> [Effect] {
        self.now = now
        switch event {
        case .connected(let maximumPacketSize, let receiveMaximum):
            output.publisher.limit(maximumPacketSize: maximumPacketSize, receiveMaximum: receiveMaximum)
            connected()
        case .disconnected(let reason): disconnected(reason)
        case .subscribed(let token, let code): subscribed(token, code)
        case .subscribeFailed(let token, let reason): subscribeFailed(token, reason)
        case .message(let message):
            noteWork()
            receive(message)
        case .published(let token, let code):
            published(token, code)
            // Where nothing waits for the place that is free now, there is nothing more to do; time has ticks of its own.
            if !output.publisher.hasSendable, !link.isShuttingDown { return takeEffects() }
        case .publishFailed(let token, let reason, let mayRetry): publishFailed(token, reason, mayRetry: mayRetry)
        case .configuration(let new, let token, let needsRestart):
            change(to: new, for: token, needsRestart: needsRestart)
        case .configurationRefused(let errors, let token): refuse(errors, for: token)
        case .source(let event): handleSource(event)
        case .tick: watchClock()
        case .shutdown: shutDown()
        }
        advance()
        return takeEffects()
    }

    /// When a `tick` is due, by the monotonic clock.
    public var nextDeadline: Duration? {
        var due = [
            link.nextDeadline, sourceLinkDeadline, output.publisher.nextDeadline, sources.nextDeadline,
            limiter.nextDeadline, registeredDeadline,
        ]
        if link.isOpen, !link.isShuttingDown {
            due += [
                countersDue, bridgeStatus.correctionDue, output.snapshotsDue, roundTrip?.due, output.announcementsDue,
            ]
        }
        return due.compactMap { $0 }.min()
    }

    /// Tells somebody of the locations that there are, and from now on of what all sources' locations do. It is called from
    /// here and from within ``handle(_:at:)``, so it must neither wait nor call the engine; the engine keeps it.
    public func add(_ observer: any LocationObserver) { output.add(observer, to: everySource, at: now) }

    // MARK: What is known

    public var locations: [Location] { everySource.flatMap(\.locations) }

    public var sourceStatuses: [(id: Identifier, status: SourceStatus, counts: StatusCounts)] {
        everySource.map { ($0.id, $0.status, $0.counts) }
    }

    /// Whether what is known is being published.
    public var isLive: Bool { link.isOpen }

    public var snapshot: Snapshot {
        Snapshot(
            isConnected: link.isOpen, isReading: self[keyPath: feed].isOpen, messages: statistics.messages.received,
            locations: everySource.reduce(0) { $0 + $1.counts.total }, rejected: statistics.messages[.rejected],
            published: output.publisher.tally.published + output.publisher.tally.publishedByTime)
    }

    /// Whether a publish is the engine's message to itself.
    func isProbe(_ message: Message) -> Bool { link.isProbe(message) }

    /// Publishes what a rate holds back when its time comes, as to a broker that acknowledges everything, without letting
    /// anything else become old.
    func flushHeldBack(_ show: (Instant, Message) -> Void) {
        repeat {
            var sent: [RequestToken] = []
            repeat {
                sent.removeAll()
                output.publisher.pump(&tokens, at: now.monotonic) { message, token in
                    show(now, message)
                    sent.append(token)
                }
                for token in sent { output.publisher.acknowledged(token) }
                for event in takeEvents() { show(now, event) }
            } while !sent.isEmpty
            guard let next = output.publisher.nextSending else { return }
            now = now.advanced(by: max(.zero, next - now.monotonic))
        } while true
    }

    func takeEffects() -> [Effect] {
        // Handed over, not emptied: emptying what the caller still holds would copy its memory.
        let taken = effects
        effects = []
        return taken
    }

    // MARK: Time

    private func watchClock() {
        guard let step = clock.step(at: now) else { return }
        let seconds = (step.inSeconds * 10).rounded() / 10
        log(.warning, "the machine's clock was set", ["by": "\(seconds > 0 ? "+" : "")\(seconds)s"])
    }

    func advance() {
        sources.advance(to: now)
        advanceRegistered()
        if !link.isOpen { advanceLink() }
        if readsElsewhere { advanceSourceLink() }
        if bridgeStatus.correctionDue != nil { correctStatus() }
        if let deadline = countersDue, deadline <= now.monotonic, link.isOpen { publishStatistics() }
        if let due = roundTrip?.due, due <= now.monotonic, link.isOpen, !link.isShuttingDown { sendRoundTripProbe() }
        output.publisher.advanceRules(to: now.monotonic)
        if hasEmptyDiscoveryPlaces { leaveDiscoveryPlaces() }
        if output.announcementsDue != nil, !link.isShuttingDown { output.advanceAnnouncements(to: now) }
        if output.snapshotsDue != nil, !link.isShuttingDown { output.advanceSnapshots(to: now) }
        output.publisher.pump(&tokens, at: now.monotonic) {
            noteWork()
            effects.append(.publish($0, $1))
        }
        for event in takeEvents() { effects.append(.publish(event, tokens.next())) }
        reportPublishFaults()
        if limiter.nextDeadline != nil { effects += limiter.takeDue(at: now.monotonic).map { .log($0) } }
        if link.isShuttingDown, link.isShutDownDone(publisherIsIdle: output.publisher.isIdle, at: now.monotonic) {
            publishStatistics()
            effects.append(.disconnect)
            effects.append(.exit(0))
        }
    }

    func advanceLink() {
        if link.isConnectDue(at: now.monotonic) { connect() }
        if link.isSubscribingOverdue(at: now.monotonic) {
            reconnect(because: "\(brokerName(on: \.link)) does not answer subscriptions; connecting again")
        }
        if link.isProbeOverdue(at: now.monotonic) {
            warnOfLostProbe(on: \.link)
            probeReturned()
        }
    }

    func warnOfLostProbe(on side: Side) {
        let from = readsElsewhere ? " from \(brokerName(on: side))" : ""
        log(.warning, "the probe did not come back\(from); stored messages cannot be told from new ones")
    }

    func correctStatus() {
        guard link.isOpen, !link.isShuttingDown, bridgeStatus.takeCorrection(at: now.monotonic) else { return }
        log(.info, "somebody else's status is corrected", ["topic": topics.bridgeStatus])
        output.publisher.put(bridgeStatus.payload(online: true), on: topics.bridgeStatus, at: now.monotonic)
        // A bridge that ends says so on its sources' topics, too.
        for source in everySource { output.repeatStatus(of: source, at: now) }
    }

    func reportPublishFaults() {
        for topic in output.publisher.writer.takeOversized() {
            logOnce(
                "oversized \(topic.topicName)", .warning,
                "a message is larger than maxOutput or the broker let through; what it can do without is left out",
                ["topic": topic.topicName, "bytes": String(topic.bytes)])
        }
        if let unprojected = output.publisher.writer.takeUnprojected() {
            statistics.fields.add("position-outside-crs", unprojected.count)
            logOnce(
                "position-outside-crs", .warning, "a position has no place in the coordinate system of projectTo",
                ["reason": "position-outside-crs", "topic": unprojected.topicName])
        }
        for error in output.publisher.writer.takeRuleErrors() {
            statistics.ruleErrors.add("\(error.rule)/\(error.property)")
            logOnce(
                "rule \(error.rule) \(error.property)", .debug, "a display rule failed",
                ["rule": error.rule, "property": error.property, "error": error.message])
        }
    }

    // MARK: Documents and log

    var countersDue: Duration? { skipsIdleCounters && !statistics.hasNews ? nil : statistics.nextDeadline }

    func noteWork() {
        if skipsIdleCounters { statistics.noteWork(at: now.monotonic) }
    }

    func publishStatistics() {
        let payload = statistics.payload(
            output.publisher.tally, output.publisher.order.tally, counts: everySource.map(\.counts), at: now)
        effects.append(.publish(Message(topicName: topics.stats, payload: payload, retain: true), tokens.next()))
    }

    func takeEvents() -> [Message] {
        guard output.hasEvents else { return [] }
        return output.takeEvents().map { stateTopic, event in
            Message(topicName: OutputTopics.event(besideState: stateTopic), payload: event.payload(at: now.wall))
        }
    }

    func log(_ level: LogEntry.Level, _ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        effects.append(.log(LogEntry(level, message, fields)))
    }

    /// Logs the first of equal events, then once a minute how many more there were.
    func logOnce(
        _ key: String, _ level: LogEntry.Level, _ message: String, _ fields: KeyValuePairs<String, String>
    ) {
        if let entry = limiter.admit(key, at: now.monotonic, { LogEntry(level, message, fields) }) {
            effects.append(.log(entry))
        }
    }
}
