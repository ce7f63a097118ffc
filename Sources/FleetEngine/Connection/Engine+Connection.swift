internal import Locations
internal import MQTTModel
internal import Timestamps

/// How the engine connects, subscribes, and ends.
extension Engine {
    func connect() {
        bridgeStatus.beginSession(at: now)
        link.connecting()
        effects.append(
            .connect(
                WillMessage(
                    topicName: topics.bridgeStatus, payload: bridgeStatus.payload(online: false), qos: .atLeastOnce,
                    retain: true)))
    }

    func connected() {
        link.connected(at: now.monotonic)
        for managed in sources.all { updateLink(of: managed) }
        log(.info, readsElsewhere ? "connected to \(brokerName(on: \.link))" : "connected")
        for filter in link.ownFilters {
            subscribe(Subscription(topicFilter: filter, qos: .atLeastOnce, retainHandling: .always))
        }
        guard readBack.isDone else { return beginReadBack() }
        // A session may hold them still, where the connection ended while they were read.
        if configuration.keepsSession { effects += readBackFilters.map { .unsubscribe($0) } }
        beginSources()
    }

    /// Asks for what the sources listen to.
    func beginSources() {
        link.begin(.sources, at: now.monotonic)
        // A stored request was answered when it came, or nobody waits for it any more.
        subscribe(Subscription(topicFilter: topics.requests, qos: .atLeastOnce, retainHandling: .never))
        subscribeBirths()
        if !readsElsewhere { subscribeSources() }
    }

    func subscribeSources() {
        for filter in sources.wantedFilters { subscribeSource(filter.topicFilter, identifier: filter.number) }
    }

    /// Asks for everything stored first, at QoS 0: a broker's queue cuts what it holds for QoS 1.
    func subscribeSource(_ topicFilter: String, identifier: UInt32) {
        subscribe(
            Subscription(
                topicFilter: topicFilter, qos: .atMostOnce, retainHandling: .always, identifier: identifier),
            next: Subscription(
                topicFilter: topicFilter, qos: configuration.subscriptionQoS, retainHandling: .never,
                identifier: identifier), on: feed)
    }

    func subscribe(_ subscription: Subscription, next: Subscription? = nil, on side: Side = \.link) {
        let token = tokens.next()
        self[keyPath: side].asked(token, Link.Asked(subscription: subscription, next: next))
        emit(.subscribe(subscription, token), on: side)
    }

    func subscribed(_ token: RequestToken, _ code: ReasonCode, on side: Side = \.link) {
        guard let asked = self[keyPath: side].answered(token, at: now.monotonic) else { return }
        if code.isFailure {
            deny(asked.subscription, "\(brokerName(on: side)) refuses a subscription", code.description, on: side)
        } else {
            log(.debug, "subscribed", ["filter": asked.subscription.topicFilter, "qos": String(code.rawValue)])
            if let next = asked.next { subscribe(next, on: side) }
        }
        settleSubscriptions(on: side)
    }

    func subscribeFailed(_ token: RequestToken, _ reason: String, on side: Side = \.link) {
        guard let asked = self[keyPath: side].answered(token, at: now.monotonic) else { return }
        deny(asked.subscription, "a subscription failed", reason, on: side)
        settleSubscriptions(on: side)
    }

    private func settleSubscriptions(on side: Side) {
        probeIfDue(on: side)
        guard side == feed, self[keyPath: side].isOpen else { return }
        for managed in sources.all where !managed.isOpen { updateLink(of: managed) }
    }

    func deny(_ subscription: Subscription, _ message: String, _ reason: String, on side: Side) {
        log(.error, message, ["filter": subscription.topicFilter, "reason": reason])
        self[keyPath: side].denied(subscription)
    }

    func probeIfDue(on side: Side) {
        guard self[keyPath: side].isProbeDue else { return }
        let token = tokens.next()
        if side == \.link { output.publisher.occupy(token) }
        emit(.publish(self[keyPath: side].probe(token, at: now.monotonic), token), on: side)
    }

    /// Everything stored has been read that was asked for.
    func probeReturned() {
        switch link.stage {
        case .ownTopics: finishReadBack()
        case .sources: goLive()
        case nil: break
        }
    }

    /// The fleet is known: say so, and show it.
    func goLive() {
        link.open()
        roundTrip?.opened(at: now.monotonic)
        log(.info, "ready", ["sources": String(everySource.count), "session": String(bridgeStatus.session)])
        let superseded = output.publisher.takeSuperseded()
        if superseded > 0 {
            log(.info, "of what came meanwhile the newest is published", ["superseded": String(superseded)])
        }
        output.publisher.open(at: now.monotonic)
        output.publisher.put(bridgeStatus.payload(online: true), on: topics.bridgeStatus, at: now.monotonic)
        bridgeStatus.announced()
        if !discoveryPlaces.isEmpty { publishDiscoveryPlaces() }
        output.homeAssistant?.opened(at: now.monotonic)
        for managed in sources.all {
            updateLink(of: managed)
            if readsElsewhere { output.publishStatus(of: managed.source, isUrgent: true, at: now) }
        }
        statistics.restartInterval(at: now)
    }

    func openLink(of managed: ManagedSource) {
        managed.isOpen = true
        managed.source.isCatchingUp = false
        let isDenied = managed.topics.contains { self[keyPath: feed].isDenied($0.topicFilter) }
        if isDenied { managed.source.connection(.denied, at: now) } else { managed.source.connection(.open, at: now) }
        output.publishStatus(of: managed.source, isUrgent: true, at: now)
    }

    func disconnected(_ reason: String) {
        guard link.isActive else { return }
        if link.isConnected { bridgeStatus.dropped() }
        let message = readsElsewhere ? "\(brokerName(on: \.link)) is disconnected" : "disconnected"
        // Over MQTT 3.1.1 a broker cannot say what is too large for it, and just closes the connection.
        if let (topicName, bytes) = output.publisher.largestInFlight, bytes > 4_096 {
            return loseLink(
                message, ["reason": reason, "largestInFlight": topicName, "bytes": String(bytes)])
        }
        loseLink(message, ["reason": reason])
    }

    /// Gives the connection up that is there, and makes another one when it is time for it.
    func reconnect(because message: String) {
        effects.append(.disconnect)
        loseLink(message)
    }

    func loseLink(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        let wait = link.lost(at: now.monotonic, using: &random)
        output.publisher.close()
        roundTrip?.closed()
        for managed in sources.all { updateLink(of: managed) }
        guard !link.isShuttingDown else {
            effects.append(.exit(0))
            return
        }
        var entry = LogEntry(.warning, message, fields)
        entry.fields.append(("retryIn", "\((wait.inSeconds * 10).rounded() / 10)s"))
        effects.append(.log(entry))
    }

    func published(_ token: RequestToken, _ code: ReasonCode) {
        guard code.isFailure else { return output.publisher.acknowledged(token) }
        if link.isProbe(token) {
            output.publisher.acknowledged(token)
            log(.warning, "\(brokerName(on: \.link)) refuses the probe", ["reason": code.description])
            return probeReturned()
        }
        let topicName = output.publisher.failed(token, mayRetry: code != .packetTooLarge, at: now.monotonic)
        logOnce(
            "publish \(topicName ?? "") \(code.rawValue)", .error, "\(brokerName(on: \.link)) refuses a publish",
            ["topic": topicName ?? "", "reason": code.description])
    }

    func publishFailed(_ token: RequestToken, _ reason: String, mayRetry: Bool) {
        guard let topicName = output.publisher.failed(token, mayRetry: mayRetry, at: now.monotonic) else {
            // An event, an answer, a report or counters: nothing that is repeated.
            return logOnce("publish \(reason)", .warning, "a message was not sent", ["reason": reason])
        }
        logOnce("publish \(topicName) \(reason)", .error, "a publish failed", ["topic": topicName, "reason": reason])
    }

    func shutDown() {
        guard !link.isShuttingDown else { return }
        effects += limiter.takeAll().map { .log($0) }
        log(.info, "shutting down")
        if sourceLink.isActive { emit(.disconnect, on: \.sourceLink) }
        guard link.beginShutDown(at: now.monotonic) else {
            effects += [.disconnect, .exit(0)]
            return
        }
        output.publisher.end()
        for managed in sources.all { managed.source.connection(.shutDown, at: now) }
        for own in registered.values { own.source.stop(at: now) }
        output.publisher.put(bridgeStatus.payload(online: false), on: topics.bridgeStatus, at: now.monotonic)
    }
}
