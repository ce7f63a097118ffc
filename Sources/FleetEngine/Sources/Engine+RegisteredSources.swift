internal import JSON
public import Locations
internal import MQTTModel

/// Sources beside those that messages feed.
extension Engine {
    /// Registers a source, publishes its locations and status from now on, and starts it. The engine keeps it, calls it on its
    /// own thread, and lets time come to it when it says so by ``LocationSource/nextDeadline``. One that is a
    /// ``DerivedLocationSource`` is told of all others.
    ///
    /// What an earlier process published of its locations, and they are no more when the fleet is read back, is cleared: a
    /// source is registered before the engine connects, with the locations that it knows.
    ///
    /// - Throws: Where another source has its id, or nobody can.
    public func add(_ source: any LocationSource, pace: PublishingPace = PublishingPace()) throws(RegistrationError) {
        let id = source.id
        if id.text.isEmpty || EngineConfiguration.reservedSources.contains(id.text) { throw .reservedID(id) }
        if sources[id] != nil || registered[id] != nil || configuration.sources.contains(where: { $0.id == id }) {
            throw .idInUse(id)
        }
        register(source, pace: pace)
    }

    /// The same for one that is derived from others, which is an observer as well.
    public func add(_ source: any DerivedLocationSource) throws(RegistrationError) {
        try add(source, pace: PublishingPace())
    }

    func register(
        _ source: any LocationSource, pace: PublishingPace, configuration: DerivedSourceConfiguration? = nil
    ) {
        registered[source.id] = RegisteredSource(source, pace, configuration)
        sources.taken.insert(source.id)
        output.observe(source, pace: pace, at: now)
        let derived = source as? any DerivedLocationSource
        if let derived { output.add(derived, to: everySource.filter { $0 !== source }, at: now) }
        source.start(at: now)
        output.publishStatus(of: source, isUrgent: true, at: now)
        // Before the fleet is known, what there is says nothing.
        if readBack.isDone { derived?.survey(everySource, at: now) }
    }

    /// Ends a source that was registered, and clears what was published of it.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func removeSource(_ id: Identifier) -> Bool {
        guard let own = registered.removeValue(forKey: id) else { return false }
        sources.taken.remove(id)
        own.source.stop(at: now)
        let ids = own.source.locations.map(\.id)
        for observer in own.source.observers { observer.locationsDeleted(ids, from: own.source, at: now) }
        output.forget(own.source, at: now)
        if let derived = own.source as? any DerivedLocationSource { output.remove(derived, from: everySource) }
        return true
    }

    /// All sources, whatever feeds them, in the order of their ids.
    var everySource: [any LocationSource] {
        (sources.all.map { $0.source as any LocationSource } + registered.values.map(\.source)).sorted { $0.id < $1.id }
    }

    /// A source of either kind.
    func source(_ id: Identifier) -> (any LocationSource)? { sources[id]?.source ?? registered[id]?.source }

    var registeredDeadline: Duration? { registered.values.compactMap(\.source.nextDeadline).min() }

    /// Does for them what is due.
    func advanceRegistered() {
        guard !registered.isEmpty else { return }
        for id in registered.keys.sorted() {
            guard let source = registered[id]?.source, let due = source.nextDeadline, due <= now.monotonic else {
                continue
            }
            source.advance(to: now)
        }
    }

    // MARK: After a restart

    /// A state of such a source was read back: whether it still stands is seen when all have come.
    func noteRegistered(_ published: Location, _ message: Message) {
        readBack.noteRegistered(published.id, of: published.source, message)
    }

    func judgeRegistered() {
        for (id, source, message) in readBack.takeRegistered() {
            if let known = output.topic(of: id, source: source) {
                output.publisher.restore(known, as: message.payload, at: now.monotonic)
            } else {
                readBack.cleared += 1
                output.publisher.clear(message.topicName, at: now.monotonic)
            }
        }
    }
}
