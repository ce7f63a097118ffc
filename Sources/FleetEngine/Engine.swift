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
    public let configuration: EngineConfiguration

    @exclusivity(unchecked) private var effects: [Effect] = []
    @exclusivity(unchecked) private var tokens = RequestTokens()
    private var random: SeededRandom
    @exclusivity(unchecked) private var router: Router
    @exclusivity(unchecked) private var publisher: Publisher
    @exclusivity(unchecked) private var bridgeStatus: BridgeStatus
    @exclusivity(unchecked) private var link: Link
    @exclusivity(unchecked) private var statistics: Statistics
    private var limiter = LogLimiter()
    private let topics: OutputTopics
    private let parser = JSONParser()

    @exclusivity(unchecked) private var sources: [Identifier: ManagedSource] = [:]
    /// In the order in which they came, so that every run does the same.
    @exclusivity(unchecked) private var order: [ManagedSource] = []
    @exclusivity(unchecked) private var outputs: [Identifier: SourceOutput] = [:]
    @exclusivity(unchecked) private var now: Instant
    /// What became of the last message for a source.
    var lastHandled: ManagedSource.Handled?

    /// - Parameters:
    ///   - version: Published in the bridge's status.
    ///   - seed: For the jitter of reconnects.
    public init(_ configuration: EngineConfiguration, version: String, seed: UInt64, at now: Instant) {
        self.configuration = configuration
        self.now = now
        random = SeededRandom(seed: seed)
        router = Router(configuration.sources)
        publisher = Publisher(
            rules: configuration.displayRules, republishRate: configuration.republishRate,
            maxOutput: configuration.maxOutput)
        bridgeStatus = BridgeStatus(version: version, started: now.wall)
        topics = OutputTopics(prefix: configuration.prefix)
        link = Link(topics: topics, clientIdentifier: configuration.clientIdentifier)
        statistics = Statistics(started: now)
        for (index, entry) in configuration.sources.enumerated() where !entry.isTemplate {
            addSource(entry.id, entry: index)
        }
    }

    /// Takes an event and says what is to be done.
    public func handle(_ event: Event, at now: Instant) -> [Effect] {
        self.now = now
        switch event {
        case .connected(let maximumPacketSize, let receiveMaximum):
            publisher.limit(maximumPacketSize: maximumPacketSize, receiveMaximum: receiveMaximum)
            connected()
        case .disconnected(let reason): disconnected(reason)
        case .subscribed(let token, let code): subscribed(token, code)
        case .subscribeFailed(let token, let reason): subscribeFailed(token, reason)
        case .message(let message): receive(message)
        case .published(let token, let code):
            published(token, code)
            // Where nothing waits for the place that is free now, there is nothing more to do; time has ticks of its own.
            if !publisher.hasSendable, !link.isShuttingDown { return takeEffects() }
        case .publishFailed(let token, let reason, let mayRetry): publishFailed(token, reason, mayRetry: mayRetry)
        case .tick: break
        case .shutdown: shutDown()
        }
        advance()
        return takeEffects()
    }

    /// When a `tick` is due, by the monotonic clock.
    public var nextDeadline: Duration? {
        var next = [link.nextDeadline, publisher.nextDeadline].compactMap { $0 }.min()
        if link.isOpen, !link.isShuttingDown {
            let due = [statistics.nextDeadline, bridgeStatus.correctionDue, next]
            next = due.compactMap { $0 }.min()
        }
        for managed in order {
            guard let deadline = managed.source.nextDeadline else { continue }
            next = min(next ?? deadline, deadline)
        }
        return next
    }

    // MARK: What is known

    public var locations: [Location] { order.flatMap { $0.source.locations } }

    public var sourceStatuses: [(id: Identifier, status: SourceStatus, counts: StatusCounts)] {
        order.map { ($0.source.id, $0.source.status, $0.source.counts) }
    }

    public var snapshot: Snapshot {
        Snapshot(
            isConnected: link.isOpen, messages: statistics.messages.received,
            locations: order.reduce(0) { $0 + $1.source.counts.total }, rejected: statistics.messages[.rejected],
            published: publisher.tally.published + publisher.tally.publishedByTime)
    }

    /// Whether a publish is the engine's message to itself.
    func isProbe(_ message: Message) -> Bool { link.isProbe(message) }

    /// Publishes what a rate holds back when its time comes, as to a broker that acknowledges everything, without letting
    /// anything else become old.
    func flushHeldBack(_ output: (Instant, Message) -> Void) {
        repeat {
            var sent: [RequestToken] = []
            repeat {
                sent.removeAll()
                publisher.pump(&tokens, at: now.monotonic) { message, token in
                    output(now, message)
                    sent.append(token)
                }
                for token in sent { publisher.acknowledged(token) }
                for event in takeEvents() { output(now, event) }
            } while !sent.isEmpty
            guard let next = publisher.nextSending else { return }
            now = now.advanced(by: max(.zero, next - now.monotonic))
        } while true
    }

    private func takeEffects() -> [Effect] {
        // Handed over, not emptied: emptying what the caller still holds would copy its memory.
        let taken = effects
        effects = []
        return taken
    }

    // MARK: Time

    private func advance() {
        for managed in order {
            guard let deadline = managed.source.nextDeadline, deadline <= now.monotonic else { continue }
            managed.source.advance(to: now)
        }
        if !link.isOpen { advanceLink() }
        if bridgeStatus.correctionDue != nil { correctStatus() }
        if let deadline = statistics.nextDeadline, deadline <= now.monotonic, link.isOpen { publishStatistics() }
        publisher.advanceRules(to: now.monotonic)
        publisher.pump(&tokens, at: now.monotonic) { effects.append(.publish($0, $1)) }
        for event in takeEvents() { effects.append(.publish(event, tokens.next())) }
        if publisher.hasFaults { reportPublishFaults() }
        if link.isShuttingDown, link.isShutDownDone(publisherIsIdle: publisher.isIdle, at: now.monotonic) {
            publishStatistics()
            effects.append(.disconnect)
            effects.append(.exit(0))
        }
    }

    private func advanceLink() {
        if link.isConnectDue(at: now.monotonic) { connect() }
        if link.isSubscribingOverdue(at: now.monotonic) {
            reconnect(because: "the broker does not answer subscriptions; connecting again")
        }
        if link.isProbeOverdue(at: now.monotonic) {
            log(.warning, "the probe did not come back; stored messages cannot be told from new ones")
            goLive()
        }
    }

    private func correctStatus() {
        guard link.isOpen, !link.isShuttingDown, bridgeStatus.takeCorrection(at: now.monotonic) else { return }
        log(.info, "somebody else's status is corrected", ["topic": topics.bridgeStatus])
        publisher.put(bridgeStatus.payload(online: true), on: topics.bridgeStatus, at: now.monotonic)
    }

    private func reportPublishFaults() {
        for topic in publisher.takeOversized() {
            logOnce(
                "oversized \(topic.topicName)", .warning, "a state is too large for the broker and was not published",
                ["topic": topic.topicName, "bytes": String(topic.bytes)])
        }
        for error in publisher.takeRuleErrors() {
            statistics.ruleErrors.add("\(error.rule)/\(error.property)")
            logOnce(
                "rule \(error.rule) \(error.property)", .debug, "a display rule failed",
                ["rule": error.rule, "property": error.property, "error": error.message])
        }
    }

    // MARK: The connection

    private func connect() {
        bridgeStatus.beginSession(at: now)
        link.connecting()
        effects.append(
            .connect(
                WillMessage(
                    topicName: topics.bridgeStatus, payload: bridgeStatus.payload(online: false), qos: .atLeastOnce,
                    retain: true)))
    }

    private func connected() {
        link.connected(at: now.monotonic)
        for managed in order { managed.source.connection(.opening, at: now) }
        log(.info, "connected")
        // A stored request was answered when it came, or nobody waits for it any more.
        subscribe(Subscription(topicFilter: topics.requests, qos: .atLeastOnce, retainHandling: .never))
        for filter in link.ownFilters {
            subscribe(Subscription(topicFilter: filter, qos: .atLeastOnce, retainHandling: .always))
        }
        // First everything stored, at QoS 0: a broker's queue cuts what it holds for QoS 1.
        subscribeSources(qos: .atMostOnce, retainHandling: .always)
    }

    private func subscribeSources(qos: QoS, retainHandling: Subscription.RetainHandling) {
        for (index, filter) in router.topicFilters.enumerated() {
            subscribe(
                Subscription(
                    topicFilter: filter, qos: qos, retainHandling: retainHandling, identifier: UInt32(index + 1)))
        }
    }

    private func subscribe(_ subscription: Subscription) {
        let token = tokens.next()
        link.asked(token, subscription)
        effects.append(.subscribe(subscription, token))
    }

    private func subscribed(_ token: RequestToken, _ code: ReasonCode) {
        guard let subscription = link.answered(token, at: now.monotonic) else { return }
        if code.isFailure {
            deny(subscription, "the broker refuses a subscription", code.description)
        } else {
            log(.debug, "subscribed", ["filter": subscription.topicFilter, "qos": String(code.rawValue)])
        }
        takeNextStep()
    }

    private func subscribeFailed(_ token: RequestToken, _ reason: String) {
        guard let subscription = link.answered(token, at: now.monotonic) else { return }
        deny(subscription, "a subscription failed", reason)
        takeNextStep()
    }

    private func deny(_ subscription: Subscription, _ message: String, _ reason: String) {
        // Each is asked for twice, and told once.
        if !link.isDenied(subscription.topicFilter) {
            log(.error, message, ["filter": subscription.topicFilter, "reason": reason])
        }
        link.denied(subscription)
    }

    private func takeNextStep() {
        switch link.takeNextStep(at: now.monotonic) {
        case .subscribeAgain: subscribeSources(qos: configuration.subscriptionQoS, retainHandling: .never)
        case .probe:
            let token = tokens.next()
            let probe = link.probe(token, at: now.monotonic)
            effects.append(.publish(probe, token))
        case .wait: break
        }
    }

    /// Everything stored has been read: say so, and show what is known.
    private func goLive() {
        link.open()
        log(.info, "ready", ["sources": String(order.count), "session": String(bridgeStatus.session)])
        publisher.open(at: now.monotonic)
        publisher.put(bridgeStatus.payload(online: true), on: topics.bridgeStatus, at: now.monotonic)
        bridgeStatus.announced()
        for managed in order { openLink(of: managed) }
        statistics.restartInterval(at: now)
    }

    private func openLink(of managed: ManagedSource) {
        let isDenied = configuration.sources[managed.entry].topics.contains { link.isDenied($0.topicFilter) }
        if isDenied { managed.source.connection(.denied, at: now) } else { managed.source.connection(.open, at: now) }
        publishStatus(of: managed.source, isUrgent: true)
    }

    private func disconnected(_ reason: String) {
        guard link.isActive else { return }
        if link.isConnected { bridgeStatus.dropped() }
        loseLink("disconnected", ["reason": reason])
    }

    /// Gives the connection up that is there, and makes another one when it is time for it.
    private func reconnect(because message: String) {
        effects.append(.disconnect)
        loseLink(message)
    }

    private func loseLink(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        let wait = link.lost(at: now.monotonic, using: &random)
        publisher.close()
        for managed in order { managed.source.connection(.lost, at: now) }
        guard !link.isShuttingDown else {
            effects.append(.exit(0))
            return
        }
        var entry = LogEntry(.warning, message, fields)
        entry.fields.append(("retryIn", "\((wait.inSeconds * 10).rounded() / 10)s"))
        effects.append(.log(entry))
    }

    private func published(_ token: RequestToken, _ code: ReasonCode) {
        guard code.isFailure else { return publisher.acknowledged(token) }
        if link.isProbe(token) {
            log(.warning, "the broker refuses the probe", ["reason": code.description])
            goLive()
            return
        }
        let topicName = publisher.failed(token, mayRetry: code != .packetTooLarge, at: now.monotonic)
        logOnce(
            "publish \(topicName ?? "") \(code.rawValue)", .error, "the broker refuses a publish",
            ["topic": topicName ?? "", "reason": code.description])
    }

    private func publishFailed(_ token: RequestToken, _ reason: String, mayRetry: Bool) {
        guard let topicName = publisher.failed(token, mayRetry: mayRetry, at: now.monotonic) else { return }
        logOnce("publish \(topicName) \(reason)", .error, "a publish failed", ["topic": topicName, "reason": reason])
    }

    private func shutDown() {
        guard !link.isShuttingDown else { return }
        log(.info, "shutting down")
        guard link.beginShutDown(at: now.monotonic) else {
            effects += [.disconnect, .exit(0)]
            return
        }
        publisher.end()
        for managed in order { managed.source.connection(.shutDown, at: now) }
        publisher.put(bridgeStatus.payload(online: false), on: topics.bridgeStatus, at: now.monotonic)
    }

    // MARK: Messages

    private func receive(_ message: Message) {
        if message.topicName.hasSameBytes(as: topics.bridgeStatus) { return judgeStatus(message) }
        if link.isProbe(message) { return goLive() }
        if message.retain, !link.isOpen { link.noteAnswer(at: now.monotonic) }
        guard let route = router.route(message.topicName) else {
            if let name = topics.request(message.topicName) { return answer(message, name) }
            logOnce(
                "unrouted \(message.topicName)", .debug, "a message on a topic that no source asked for",
                ["topic": message.topicName])
            return
        }
        // A broker may send one message once for each filter that it matches.
        if !message.subscriptionIdentifiers.isEmpty,
            !message.subscriptionIdentifiers.contains(route.filter.subscription)
        {
            statistics.messages.count(.duplicate)
            statistics.reasons.add("overlapping-filter")
            return
        }
        let incoming = IncomingMessage(
            topic: route.topic, names: route.names, filterEnd: route.filter.template.lastLiteral,
            payload: message.payload, retained: message.retain, arrival: now)
        if let managed = route.source { return account(managed.handle(incoming), managed, message) }
        switch source(for: route) {
        case .success(let managed):
            route.source = managed
            account(managed.handle(incoming), managed, message)
        case .failure(let rejection):
            statistics.messages.count(.rejected)
            statistics.reasons.add(rejection.reason.rawValue)
            logRejection(rejection, source: route.names["source"] ?? "", message)
            lastHandled = ManagedSource.Handled(
                end: .rejected, reason: rejection.reason.rawValue, rejection: rejection)
        }
    }

    private func account(_ handled: ManagedSource.Handled, _ managed: ManagedSource, _ message: Message) {
        lastHandled = handled
        statistics.messages.count(handled.end)
        // Rejected reports are counted and told by themselves, whatever their message comes to.
        let isToldByReports = handled.end == .rejected && !handled.rejectedReports.isEmpty
        if handled.end != .applied, !isToldByReports, let reason = handled.reason { statistics.reasons.add(reason) }
        for rejection in handled.rejectedReports {
            statistics.reasons.add(rejection.reason.rawValue)
            logRejection(rejection, source: managed.source.id.text, message)
        }
        statistics.reports.add(handled.reports)
        for (fault, count) in managed.source.takeFaults() {
            statistics.fields.add(fault, count)
            logOnce(
                "\(message.topicName) \(fault)", .warning, "a field is not used",
                ["reason": fault, "source": managed.source.id.text, "topic": message.topicName])
        }
        for other in handled.contradictingIDs {
            logOnce(
                "\(message.topicName) id", .warning, "a payload names another device than its topic, which counts",
                ["source": managed.source.id.text, "topic": message.topicName, "id": String(other.prefix(100))])
        }
        if handled.rejectedReports.isEmpty, let rejection = handled.rejection {
            logRejection(rejection, source: managed.source.id.text, message)
        }
        for id in managed.source.takeClockResets() {
            logOnce(
                "clock \(managed.source.id) \(id)", .warning, "a device's clock went back",
                ["source": managed.source.id.text, "device": id.text])
        }
    }

    private func logRejection(_ rejection: Rejection, source: String, _ message: Message) {
        logOnce(
            "\(message.topicName) \(rejection.reason.rawValue)", .warning, "rejected",
            [
                "reason": rejection.reason.rawValue, "source": source, "topic": message.topicName,
                "pointer": rejection.pointer, "detail": rejection.detail, "bytes": String(message.payload.count),
            ])
    }

    private func source(for route: Router.Route) -> Result<ManagedSource, Rejection> {
        let entry = route.filter.entry
        let configured = configuration.sources[entry]
        guard configured.isTemplate else {
            guard let managed = sources[configured.id] else {
                return .failure(Rejection(.badSourceID, "no source \(configured.id)"))
            }
            return .success(managed)
        }
        let name = route.names["source"] ?? configured.id.text
        let id = Identifier(name)
        if let known = sources[id] {
            return known.entry == entry ? .success(known) : .failure(.takenSourceID(name))
        }
        guard !name.isEmpty, !EngineConfiguration.reservedSources.contains(name) else {
            return .failure(.impossibleSourceID(name))
        }
        guard order.count < EngineConfiguration.maximumSources else {
            return .failure(Rejection(.sourceLimit, "more than \(EngineConfiguration.maximumSources) sources"))
        }
        let managed = addSource(id, entry: entry)
        if link.isOpen { openLink(of: managed) } else { managed.source.connection(.opening, at: now) }
        return .success(managed)
    }

    @discardableResult
    private func addSource(_ id: Identifier, entry: Int) -> ManagedSource {
        let managed = ManagedSource(configuration.sources[entry], id: id, entry: entry, at: now)
        outputs[id] = SourceOutput(
            status: publisher.topic(
                topics.status(ofSource: id), .status(managed.source), .status, at: now.monotonic),
            pace: OutgoingTopic.Pace(managed.source.settings))
        managed.source.observers = [self]
        sources[id] = managed
        order.append(managed)
        return managed
    }

    private func judgeStatus(_ message: Message) {
        switch bridgeStatus.judge(message.payload, with: parser, at: now.monotonic) {
        case .ours, .outdated: break
        case .newer:
            // The clock went back: what comes from us must be newer than what stands there, the will included.
            // After the usual wait: nobody who writes there keeps the bridge connecting at full speed.
            guard link.isActive, !link.isOpen, !link.isShuttingDown else { return }
            reconnect(because: "a newer session stands on the status topic; connecting again above it")
        case .clientIdentifierInUse:
            log(
                .error, "client id in use: another bridge was there first",
                ["clientId": configuration.clientIdentifier])
            effects.append(.disconnect)
            effects.append(.exit(1))
        }
    }

    // MARK: Requests

    private func answer(_ message: Message, _ name: String) {
        guard !message.retain else { return }
        let limit = publisher.outputLimit
        let answer = RequestDesk.answer(name, message.payload, parser, limit: limit) {
            (name, request) throws(RequestError) in
            switch name {
            case .explain: try explain(request)
            }
        }
        let topicName = responseTopic(wantedBy: message) ?? topics.response(to: RequestDesk.topic(of: name))
        effects.append(
            .publish(
                Message(
                    topicName: topicName, payload: answer, qos: .atLeastOnce,
                    correlation: message.correlation?.data.map { Correlation(responseTopic: nil, data: $0) }),
                tokens.next()))
    }

    /// The topic of the request's own choice; `nil` where it names none, or one that would disturb the bridge.
    private func responseTopic(wantedBy message: Message) -> String? {
        guard let wanted = message.correlation?.responseTopic, !wanted.isEmpty, wanted.utf8.first != UInt8(ascii: "$"),
            !wanted.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") })
        else { return nil }
        let isOwn = wanted.utf8.starts(with: "\(topics.prefix)/".utf8) || wanted.hasSameBytes(as: topics.prefix)
        if isOwn, !wanted.utf8.starts(with: topics.response(to: "").utf8) { return nil }
        return router.route(wanted) == nil ? wanted : nil
    }

    private func explain(_ request: JSONObject) throws(RequestError) -> JSONValue {
        let source = Identifier(try request.text("source"))
        let id = Identifier(try request.text("id"))
        guard let managed = sources[source] else {
            throw RequestError(.unknownSource, "there is no source \"\(source)\"")
        }
        guard let location = managed.source.location(id) else {
            throw RequestError(.unknownLocation, "there is no location \"\(id)\" in \"\(source)\"")
        }
        let memory = outputs[source]?.states[id]?.memory
        let explanation = Explanation(of: location, by: configuration.displayRules, memory: memory)
        guard let property = try request.optionalText("property") else { return explanation.json(of: location) }
        guard DisplayProperty.named(property) != nil else {
            throw RequestError(.unknownProperty, "there is no display property \"\(property)\"")
        }
        return explanation.only(property).json(of: location)
    }

    // MARK: Documents

    private func publishStatistics() {
        let payload = statistics.payload(
            publisher.tally, publisher.queue, counts: order.map(\.source.counts), at: now)
        effects.append(.publish(Message(topicName: topics.stats, payload: payload, retain: true), tokens.next()))
    }

    private func takeEvents() -> [Message] {
        publisher.takeBandChanges().map { stateTopic, change in
            Message(topicName: OutputTopics.event(besideState: stateTopic), payload: change.event(at: now.wall))
        }
    }

    // MARK: Log

    private func log(_ level: LogEntry.Level, _ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        effects.append(.log(LogEntry(level, message, fields)))
    }

    /// Logs the first of equal events, then one a minute with the number of those kept back.
    private func logOnce(
        _ key: String, _ level: LogEntry.Level, _ message: String, _ fields: KeyValuePairs<String, String>
    ) {
        guard let suppressed = limiter.admit(key, at: now.monotonic) else { return }
        var entry = LogEntry(level, message, fields)
        if suppressed > 0 { entry.fields.append(("times", String(suppressed + 1))) }
        effects.append(.log(entry))
    }
}

extension Engine: LocationObserver {
    public func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant) {
        guard let output = outputs[source.id] else { return }
        for update in updates {
            publisher.update(stateTopic(of: update, output), update, at: now.monotonic)
        }
        publisher.updateStatus(output.status, isUrgent: false, at: now.monotonic)
    }

    public func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant) {
        for id in ids {
            outputs[source.id]?.states[id] = nil
            publisher.clear(topics.state(of: id, source: source.id), at: now.monotonic)
        }
        publishStatus(of: source, isUrgent: false)
    }

    public func statusChanged(of source: any LocationSource, at now: Instant) {
        publishStatus(of: source, isUrgent: true)
    }

    private func publishStatus(of source: any LocationSource, isUrgent: Bool) {
        guard let topic = outputs[source.id]?.status else { return }
        publisher.updateStatus(topic, isUrgent: isUrgent, at: now.monotonic)
    }

    private func stateTopic(of update: LocationUpdate, _ output: SourceOutput) -> OutgoingTopic {
        let id = update.location.id
        if let known = output.states[id] { return known }
        let topic = publisher.topic(
            topics.state(of: id, source: update.location.source), .state(update), output.pace, at: now.monotonic)
        output.states[id] = topic
        return topic
    }
}

extension Rejection {
    static func takenSourceID(_ name: String) -> Rejection {
        Rejection(.badSourceID, "\"\(name)\" belongs to another entry of the configuration")
    }

    static func impossibleSourceID(_ name: String) -> Rejection {
        Rejection(.badSourceID, "no source can be called \"\(name)\"")
    }
}

/// The topics of one source.
private final class SourceOutput {
    let status: OutgoingTopic
    let pace: OutgoingTopic.Pace
    /// Of the locations that are there.
    var states: [Identifier: OutgoingTopic] = [:]

    init(status: OutgoingTopic, pace: OutgoingTopic.Pace) {
        (self.status, self.pace) = (status, pace)
    }
}
