internal import DisplayRules
internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// How the engine knows the fleet again that an earlier process of the bridge knew.
extension Engine {
    /// Asks for everything that stands on the bridge's own topics.
    func beginReadBack() {
        link.begin(.ownTopics, at: now.monotonic)
        for filter in topics.readBackFilters {
            subscribe(Subscription(topicFilter: filter, qos: .atMostOnce, retainHandling: .always))
        }
        subscribeDiscovery()
    }

    /// A message that comes before the fleet is known.
    func readBack(_ message: Message) {
        switch topics.own(message.topicName) {
        case .state where message.retain: restoreState(message)
        case .status where message.retain: readBack.note(status: message)
        // Chunks hold what the states hold, and are made anew.
        case .chunk where message.retain: output.publisher.clear(message.topicName, at: now.monotonic)
        case .discovery where message.retain: noteEarlierDiscovery(message)
        case .state, .status, .chunk, .discovery: break  // another bridge on the same prefix is at work
        case nil:
            if readBackDiscovery(message) { return }
            guard !readBack.hold(message) else { return }
            log(.warning, "too much comes before the fleet is known again; it is taken as it comes")
            for earlier in readBack.takeWaiting() { take(earlier) }
            take(message)
        }
    }

    private func restoreState(_ message: Message) {
        let published: Location
        do {
            published = try Location(styledState: parser.parse(message.payload), now: now.wall)
        } catch {
            return clearGarbage(message, Self.sentence(on: error))
        }
        guard topics.state(of: published.id, source: published.source).hasSameBytes(as: message.topicName) else {
            return clearGarbage(message, "it is the state of another location")
        }
        if let own = registered[published.source] {
            (own.source as? any DerivedLocationSource)?.restore(published, at: now)
            return noteRegistered(published, message)
        }
        guard let (managed, isNew) = sources.restored(published.source, at: now) else {
            readBack.unconfigured.insert(published.source)
            return clearOld(message.topicName)
        }
        if isNew { begin(managed) }
        readBack.note(stateOf: published.source)
        if let update = managed.source.restore(published, at: now) {
            sources.schedule(managed)
            output.restore(update, as: message.payload, at: now)
        } else if let known = output.topic(of: published.id, source: published.source) {
            output.publisher.restore(known, as: message.payload, at: now.monotonic)
        } else {
            clearOld(message.topicName)  // one location too many
        }
    }

    private static func sentence(on error: any Error) -> String {
        switch error {
        case let fault as LocationFault:
            fault.path.isEmpty ? fault.message : "/\(fault.path.joined(separator: "/")): \(fault.message)"
        case let fault as JSONError: fault.detail
        default: "\(error)"
        }
    }

    private func clearGarbage(_ message: Message, _ detail: String) {
        logOnce(
            "garbage", .warning, "a state cannot be read back and is cleared",
            ["topic": message.topicName, "detail": detail])
        clearOld(message.topicName)
    }

    private func clearOld(_ topicName: String) {
        readBack.cleared += 1
        output.publisher.clear(topicName, at: now.monotonic)
    }

    /// Everything that stood on the own topics has come: what it says of the sources counts, and theirs are listened to.
    func finishReadBack() {
        for filter in readBackFilters { effects.append(.unsubscribe(filter)) }
        restoreStatuses()
        surveyDerived()
        judgeRegistered()
        judgeAnnouncements()
        if readBack.cleared > 0 {
            let names = readBack.unconfigured.sorted().prefix(10).map(\.text).joined(separator: ", ")
            log(
                .info, "what does not exist any more is cleared",
                ["topics": String(readBack.cleared), "unconfigured": names])
        }
        let states = readBack.states.values.reduce(0, +)
        if states > 0 { log(.info, "states are read back", ["locations": String(states)]) }
        readBack.finish()
        output.tellFollowers(whatIsKnownOf: sources.all.map(\.source), at: now)
        beginSources()
        for message in readBack.takeWaiting() { take(message) }
    }

    private func restoreStatuses() {
        let known = Dictionary(
            everySource.map { (Identifier(topics.status(ofSource: $0.id)), $0) }, uniquingKeysWith: { $1 })
        for (topicName, payload) in readBack.statuses {
            guard let source = known[Identifier(topicName)] else {
                readBack.unconfigured.insert(Identifier(topics.sourceLevel(ofStatus: topicName)))
                clearOld(topicName)
                continue
            }
            guard let published = PublishedSourceStatus(payload, parser) else { continue }
            if let derived = source as? any DerivedLocationSource {
                derived.restore(published.status, lastMessage: published.lastMessage)
            } else if let fed = sources[source.id]?.source {
                fed.restore(published.status, lastMessage: published.lastMessage)
                warnOfShortage(published, of: fed.id)
            }
        }
    }

    private func warnOfShortage(_ published: PublishedSourceStatus, of source: Identifier) {
        let read = readBack.states[source] ?? 0
        // Where states expire, fewer is what was asked for.
        guard read < published.locations, configuration.stateExpiry == nil else { return }
        log(
            .warning, "not all states could be read back; the broker's queue may be too short",
            ["source": source.text, "states": String(read), "published": String(published.locations)])
    }
}
