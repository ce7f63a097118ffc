internal import JSON
internal import Locations
internal import MQTTModel
internal import TelemetryFormats
internal import Timestamps

/// What the engine does with a message, and how it accounts for it.
extension Engine {
    func receive(_ message: Message) {
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
        // Where the broker has no retain handling, the second pass of subscriptions brings what is stored once more.
        if message.retain, !link.isOpen {
            guard route.storedCopyRead != link.number else {
                statistics.messages.count(.duplicate)
                statistics.reasons.add("stored-twice")
                return
            }
            route.storedCopyRead = link.number
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

    func account(_ handled: ManagedSource.Handled, _ managed: ManagedSource, _ message: Message) {
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

    func logRejection(_ rejection: Rejection, source: String, _ message: Message) {
        logOnce(
            "\(message.topicName) \(rejection.reason.rawValue)", .warning, "rejected",
            [
                "reason": rejection.reason.rawValue, "source": source, "topic": message.topicName,
                "pointer": rejection.pointer, "detail": rejection.detail, "bytes": String(message.payload.count),
            ])
    }

    func source(for route: Router.Route) -> Result<ManagedSource, Rejection> {
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
    func addSource(_ id: Identifier, entry: Int) -> ManagedSource {
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

    func judgeStatus(_ message: Message) {
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
}

extension Rejection {
    static func takenSourceID(_ name: String) -> Rejection {
        Rejection(.badSourceID, "\"\(name)\" belongs to another entry of the configuration")
    }

    static func impossibleSourceID(_ name: String) -> Rejection {
        Rejection(.badSourceID, "no source can be called \"\(name)\"")
    }
}
