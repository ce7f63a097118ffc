internal import Geometry
internal import JSON
internal import Locations
internal import MQTTModel

/// How the engine goes on by another configuration, and who stops and starts its sources.
extension Engine {
    /// Takes over a configuration that has been found valid. What belongs to the connection stays as it was.
    ///
    /// - Parameters:
    ///   - token: Of the request that asked for it.
    ///   - needsRestart: Settings that differ but do not count before the bridge is started again.
    func change(to new: EngineConfiguration, for token: RequestToken?, needsRestart: [String]) {
        let conflicts = conflicts(with: new)
        guard conflicts.isEmpty else { return refuse(conflicts, for: token) }
        let before = sources.wantedFilters
        let restyles = !new.displayRules.says(theSameAs: configuration.displayRules)
        let templates = TemplateChanges(from: configuration.sources, to: new.sources)
        configuration.sources = new.sources
        configuration.displayRules = new.displayRules
        configuration.republishRate = new.republishRate
        configuration.maxOutput = new.maxOutput
        (configuration.venues, configuration.zones) = (new.venues, new.zones)
        if configuration.snapshotInterval != new.snapshotInterval {
            configuration.snapshotInterval = new.snapshotInterval
            output.change(snapshots: new.snapshotInterval, at: now)
        }
        changeHomeAssistant(to: new.homeAssistant)
        output.publisher.change(
            rules: new.displayRules, republishRate: new.republishRate, maxOutput: new.maxOutput, restyles: restyles,
            at: now.monotonic)
        let reprojects = !isSame(new.coordinateSystem, configuration.coordinateSystem)
        if reprojects {
            configuration.coordinateSystem = new.coordinateSystem
            output.publisher.change(coordinateSystem: new.coordinateSystem, at: now.monotonic)
        }
        let derived = changeDerived(to: new.derived)
        configuration.derived = new.derived
        let changes = sources.change(new.sources, at: now)
        for managed in changes.removed {
            managed.source.clear(at: now)
            output.forget(managed.source, at: now)
        }
        for managed in changes.changed { output.changePace(of: managed.source) }
        resubscribe(from: before)
        for managed in changes.added { begin(managed) }
        for managed in changes.changed { updateLink(of: managed) }
        for entry in derived.added { make(entry) }
        if readBack.isDone { surveyDerived() }
        tell(
            changes, derived, templates, restyles: restyles, reprojects: reprojects, needsRestart: needsRestart, token)
    }

    private func tell(
        _ changes: SourceTable.Changes, _ derived: DerivedChanges, _ templates: TemplateChanges, restyles: Bool,
        reprojects: Bool, needsRestart: [String], _ token: RequestToken?
    ) {
        let names = [
            ("added", templates.added, changes.added, derived.added.map(\.id)),
            ("changed", templates.changed, changes.changed, derived.changed),
            ("removed", templates.removed, changes.removed, derived.removed),
        ].map { ($0, ($1 + $2.map(\.source.id) + $3).map(\.text)) }
        var entry = LogEntry(.info, "the configuration is taken over")
        for (key, ids) in names where !ids.isEmpty {
            let more = ids.count > 10 ? " and \(ids.count - 10) more" : ""
            entry.fields.append((key, ids.prefix(10).joined(separator: ", ") + more))
        }
        if restyles { entry.fields.append(("displayRules", "changed")) }
        if reprojects { entry.fields.append(("projectTo", "changed")) }
        if !needsRestart.isEmpty { entry.fields.append(("needsRestart", needsRestart.joined(separator: ", "))) }
        effects.append(.log(entry))

        var writer = JSONWriter()
        writer.beginObject()
        for (key, ids) in names {
            writer.key(key)
            writer.texts(ids)
        }
        writer.key("displayRules")
        writer.string(restyles ? "changed" : "unchanged")
        writer.key("needsRestart")
        writer.texts(needsRestart)
        writer.endObject()
        answer(token, .success(writer.bytes))
    }

    private func isSame(_ a: (any CoordinateSystem)?, _ b: (any CoordinateSystem)?) -> Bool {
        switch (a, b) {
        case (nil, nil): true
        case (let a?, let b?): a === b || a.isSame(as: b)
        default: false
        }
    }

    /// The configuration that was asked for is wrong.
    func refuse(_ errors: [String], for token: RequestToken?) {
        log(.error, "the configuration is wrong and not taken over", ["errors": String(errors.count)])
        for error in errors.prefix(20) { log(.error, error) }
        let message = errors.first ?? "the configuration cannot be read"
        answer(token, .failure(RequestError(.invalidConfiguration, message, errors: errors)))
    }

    /// Asks the broker for what is wanted now and was not before, and gives the rest back.
    private func resubscribe(from before: [SourceTable.Wanted]) {
        // Before that stage nothing was asked for yet.
        guard isSubscribing else { return }
        let wanted = sources.wantedFilters
        let known = Dictionary(before.map { ($0.number, $0.entries) }) { first, _ in first }
        // A source that listens anew wants what is stored, also by a filter that others listen to.
        for filter in wanted where !(known[filter.number]?.isSuperset(of: filter.entries) ?? false) {
            subscribeSource(filter.topicFilter, identifier: filter.number)
        }
        let numbers = Set(wanted.map(\.number))
        for filter in before where !numbers.contains(filter.number) {
            self[keyPath: feed].forget(filter.topicFilter)
            emit(.unsubscribe(filter.topicFilter), on: feed)
        }
        probeIfDue(on: feed)
    }

    /// Whether what the sources listen to has been asked for on this connection.
    private var isSubscribing: Bool {
        self[keyPath: feed].isConnected && self[keyPath: feed].stage != .ownTopics
    }

    // MARK: Single sources

    /// Says where the connection to a source's topics stands.
    func updateLink(of managed: ManagedSource) {
        guard !managed.isStopped else { return }
        let feed = self[keyPath: self.feed]
        if feed.isOpen, !managed.topics.contains(where: { feed.isPending($0.topicFilter) }) {
            openLink(of: managed)
        } else {
            managed.isOpen = false
            managed.source.isCatchingUp = configuration.keepsSession && !feed.isOpen
            managed.source.connection(feed.isConnected ? .opening : .lost, at: now)
        }
    }

    /// What comes is not for the source any more; what is known of it stays, and becomes old.
    func stop(_ source: any LocationSource) -> any LocationSource {
        guard let managed = sources[source.id] else {
            source.stop(at: now)
            return source
        }
        guard !managed.isStopped else { return source }
        let before = sources.wantedFilters
        (managed.isStopped, managed.isOpen) = (true, false)
        managed.source.stop(at: now)
        resubscribe(from: before)
        log(.info, "a source is stopped by request", ["source": managed.source.id.text])
        return source
    }

    func start(_ source: any LocationSource) -> any LocationSource {
        guard let managed = sources[source.id] else {
            source.start(at: now)
            return source
        }
        guard managed.isStopped else { return source }
        managed.isStopped = false
        managed.source.start(at: now)
        if isSubscribing {
            for filter in sources.wantedFilters where filter.entries.contains(managed.entry) {
                subscribeSource(filter.topicFilter, identifier: filter.number)
            }
        }
        updateLink(of: managed)
        log(.info, "a source is started by request", ["source": managed.source.id.text])
        return source
    }

    /// Its locations go; those that speak again come again.
    func clear(_ managed: ManagedSource) -> ManagedSource {
        managed.source.clear(at: now)
        log(.info, "a source is cleared by request", ["source": managed.source.id.text])
        return managed
    }
}

/// What became of templates, which are no sources themselves, by another configuration.
private struct TemplateChanges {
    let added, changed, removed: [Identifier]

    init(from old: [SourceConfiguration], to new: [SourceConfiguration]) {
        let (old, new) = (old.filter(\.isTemplate), new.filter(\.isTemplate))
        func entry(_ id: Identifier, _ entries: [SourceConfiguration]) -> SourceConfiguration? {
            entries.first { $0.id == id }
        }
        added = new.map(\.id).filter { entry($0, old) == nil }
        changed = new.filter { new in entry(new.id, old).map { $0 != new } ?? false }.map(\.id)
        removed = old.map(\.id).filter { entry($0, new) == nil }
    }
}
