internal import JSON
internal import Locations
internal import MQTTModel
internal import TelemetryFormats
internal import Timestamps

/// What the engine does with a message, and how it accounts for it.
extension Engine {
    func receive(_ message: Message) {
        if message.topicName.hasSameBytes(as: topics.bridgeStatus) { return judgeStatus(message) }
        if takeBirth(message) { return }
        if link.isOpen {
            if roundTrip != nil, takeRoundTripProbe(message) { return }
            return take(message)
        }
        if link.isProbe(message) { return probeReturned() }
        if message.retain {
            link.noteAnswer(at: now.monotonic)
        } else if configuration.keepsSession {
            link.noteQueued(at: now.monotonic)
        }
        if link.stage == .ownTopics { readBack(message) } else { take(message) }
    }

    /// A message for a source, or a request.
    func take(_ message: Message) {
        guard let route = sources.route(message.topicName) else {
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
        if message.retain, !self[keyPath: feed].isOpen {
            let number = self[keyPath: feed].number
            guard route.storedCopyRead != number else {
                statistics.messages.count(.duplicate)
                statistics.reasons.add("stored-twice")
                return
            }
            route.storedCopyRead = number
        }
        if let managed = route.source { return handle(message, managed, route) }
        do throws(Rejection) {
            let (managed, isNew) = try sources.source(for: route, at: now)
            if isNew { begin(managed) }
            route.source = managed
            handle(message, managed, route)
        } catch {
            statistics.messages.count(.rejected)
            statistics.reasons.add(error.reason.rawValue)
            tell(error, source: route.names["source"] ?? "", message)
            lastHandled = ManagedSource.Handled(end: .rejected, reason: error.reason.rawValue, rejection: error)
        }
    }

    private func handle(_ message: Message, _ managed: ManagedSource, _ route: Router.Route) {
        let handled = managed.handle(
            IncomingMessage(
                topic: route.topic, names: route.names, filterEnd: route.filter.template.lastLiteral,
                payload: message.payload, retained: message.retain, arrival: now))
        sources.schedule(managed)
        account(handled, managed, message)
    }

    /// A source is there from now on.
    func begin(_ managed: ManagedSource) {
        output.observe(managed.source, at: now)
        updateLink(of: managed)
    }

    func account(_ handled: ManagedSource.Handled, _ managed: ManagedSource, _ message: Message) {
        lastHandled = handled
        statistics.messages.count(handled.end)
        // Rejected reports are counted and told by themselves, whatever their message comes to.
        let isToldByReports = handled.end == .rejected && !handled.rejectedReports.isEmpty
        if handled.end != .applied, !isToldByReports, let reason = handled.reason { statistics.reasons.add(reason) }
        for rejection in handled.rejectedReports {
            statistics.reasons.add(rejection.reason.rawValue)
            tell(rejection, source: managed.source.id.text, message)
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
            tell(rejection, source: managed.source.id.text, message)
        }
        if let slow = managed.source.takeSlowDevice() {
            log(
                .warning, "staleAfter is less than twice the interval at which a device reports",
                [
                    "source": managed.source.id.text, "device": slow.device.text,
                    "interval": "\((slow.interval.inSeconds * 10).rounded() / 10)s",
                    "staleAfter": managed.source.settings.staleAfter?.text ?? "off",
                ])
        }
        for id in managed.source.takeClockResets() {
            logOnce(
                "clock \(managed.source.id) \(id)", .warning, "a device's clock went back",
                ["source": managed.source.id.text, "device": id.text])
        }
    }

    func judgeStatus(_ message: Message) {
        switch bridgeStatus.judge(message.payload, with: parser, at: now.monotonic) {
        case .ours, .outdated: break
        case .newer, .newerOffline:
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
