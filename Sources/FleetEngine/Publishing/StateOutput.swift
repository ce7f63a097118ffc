internal import Locations
internal import Timestamps

/// Turns what sources tell of their locations into what stands on topics. It observes the sources and keeps none of them.
final class StateOutput: LocationObserver {
    @exclusivity(unchecked) var publisher: Publisher
    let topics: OutputTopics
    /// `nil`: no snapshots are published.
    private(set) var rounds: SnapshotRounds?
    @exclusivity(unchecked) private var sources: [Identifier: SourceOutput] = [:]
    /// `nil`: Home Assistant is told nothing.
    var homeAssistant: HomeAssistantDiscovery?
    /// Who else is told of every source.
    private var followers: [any LocationObserver] = []
    @exclusivity(unchecked) private var events: [(stateTopic: String, event: LocationEvent)] = []

    /// The topics of one source.
    private final class SourceOutput {
        let status: OutgoingTopic
        var pace: OutgoingTopic.Pace
        var snapshot: SourceSnapshot?
        /// Of the locations that are there.
        var states: [Identifier: OutgoingTopic] = [:]

        init(status: OutgoingTopic, pace: OutgoingTopic.Pace, snapshot: SourceSnapshot?) {
            (self.status, self.pace, self.snapshot) = (status, pace, snapshot)
        }
    }

    /// - Parameter snapshots: Time between two of them; `nil`: none.
    init(_ publisher: consuming Publisher, topics: OutputTopics, snapshots: Duration?) {
        self.publisher = publisher
        self.topics = topics
        rounds = snapshots.map(SnapshotRounds.init)
    }

    /// From now on a source's locations and status are published.
    func observe(_ source: TelemetrySource, at now: Instant) {
        observe(source, pace: source.settings.pace, at: now)
    }

    func observe(_ source: any LocationSource, pace: PublishingPace, at now: Instant) {
        let content = OutgoingTopic.Content.status(UnownedSource(source: source))
        let status = publisher.topic(topics.status(ofSource: source.id), content, .status, at: now.monotonic)
        (status.content, status.pace) = (content, .status)
        sources[source.id] = SourceOutput(
            status: status, pace: publisher.pace(by: pace), snapshot: rounds.map(SourceSnapshot.init))
        source.observers += [self] + followers
    }

    /// From now on somebody else is told of every source's locations, too, those to come included.
    func add(_ follower: any LocationObserver, to known: [any LocationSource], at now: Instant) {
        followers.append(follower)
        for source in known { source.observers.append(follower) }
        tell([follower], whatIsKnownOf: known, at: now)
    }

    /// Tells those who are told of every source what has been read back of some.
    func tellFollowers(whatIsKnownOf sources: [any LocationSource], at now: Instant) {
        tell(followers, whatIsKnownOf: sources, at: now)
    }

    private func tell(_ followers: [any LocationObserver], whatIsKnownOf sources: [any LocationSource], at now: Instant)
    {
        // Those that are derived survey what there is.
        let followers = followers.filter { !($0 is any DerivedLocationSource) }
        guard !followers.isEmpty else { return }
        for source in sources {
            let updates = source.locations.sorted { $0.id < $1.id }.map {
                LocationUpdate(location: $0, cause: .known, isUrgent: false)
            }
            guard !updates.isEmpty else { continue }
            for follower in followers { follower.locationsUpdated(updates, from: source, at: now) }
        }
    }

    /// From now on somebody is told of no source any more.
    func remove(_ follower: any LocationObserver, from known: [any LocationSource]) {
        followers.removeAll { $0 === follower }
        for source in known { source.observers.removeAll { $0 === follower } }
    }

    /// Nothing of a source is published any more; its locations are gone already.
    func forget(_ source: any LocationSource, at now: Instant) {
        source.observers.removeAll { observer in observer === self || followers.contains { $0 === observer } }
        if let snapshot = sources.removeValue(forKey: source.id)?.snapshot {
            takeDown(snapshot, of: source.id, at: now)
        }
        publisher.clear(topics.status(ofSource: source.id), at: now.monotonic)
    }

    private func takeDown(_ snapshot: SourceSnapshot, of source: Identifier, at now: Instant) {
        for chunk in snapshot.standing {
            publisher.clear(topics.chunk(chunk, source: source), at: now.monotonic)
        }
    }

    /// - Parameter interval: Time between two snapshots from now on; `nil`: none, also of those that stand there.
    func change(snapshots interval: Duration?, at now: Instant) {
        guard interval == nil || rounds == nil else {
            rounds?.interval = interval ?? .zero
            return
        }
        rounds = interval.map(SnapshotRounds.init)
        // In the order of ids, so that every run puts the same locations into the same chunks.
        for (id, output) in sources.sorted(by: { $0.key < $1.key }) {
            if let snapshot = output.snapshot { takeDown(snapshot, of: id, at: now) }
            output.snapshot = rounds.map(SourceSnapshot.init)
            for (_, topic) in output.states.sorted(by: { $0.key < $1.key }) { topic.join(output.snapshot) }
        }
    }

    /// The source's settings may be others.
    func changePace(of source: TelemetrySource) { change(pace: source.settings.pace, of: source) }

    func change(pace: PublishingPace, of source: any LocationSource) {
        guard let output = sources[source.id] else { return }
        output.pace = publisher.pace(by: pace)
        for topic in output.states.values { topic.pace = output.pace }
    }

    func publishStatus(of source: any LocationSource, isUrgent: Bool, at now: Instant) {
        guard let topic = sources[source.id]?.status else { return }
        publisher.updateStatus(topic, isUrgent: isUrgent, at: now.monotonic)
    }

    /// Somebody else may have written there.
    func repeatStatus(of source: any LocationSource, at now: Instant) {
        guard let topic = sources[source.id]?.status else { return }
        topic.mustSend = true
        publisher.updateStatus(topic, isUrgent: true, at: now.monotonic)
    }

    /// What is published of a location, with what its rules remember; `nil` for one that is not there.
    func topic(of location: Identifier, source: Identifier) -> OutgoingTopic? { sources[source]?.states[location] }

    /// A location's state as it is published; `nil` for one that is not there.
    ///
    /// - Parameter limit: Bytes at most, as far as something can be left out.
    func state(of location: Identifier, source: Identifier, atMost limit: Int) -> [UInt8]? {
        topic(of: location, source: source).flatMap { publisher.writer.state(on: $0, atMost: limit) }
    }

    /// A location as it is now; `nil` for one that is not there.
    func shown(_ location: Identifier, source: Identifier) -> ShownLocation? {
        topic(of: location, source: source).flatMap { publisher.writer.shown(on: $0) }
    }

    /// A location is known again that an earlier process published so.
    func restore(_ update: LocationUpdate, as payload: [UInt8], at now: Instant) {
        guard let output = sources[update.location.source] else { return }
        let topic = topic(of: update, output, at: now)
        topic.content = .state(update)
        topic.show(update)
        announce(update.location, besides: topic, at: now)
        publisher.restore(topic, as: payload, at: now.monotonic)
    }

    /// In the order of their sources' ids, so that every run does the same.
    var changedSnapshots: [(source: Identifier, snapshot: SourceSnapshot)] {
        sources.compactMap { id, output in
            output.snapshot.flatMap { $0.hasChanges ? (id, $0) : nil }
        }.sorted { $0.source < $1.source }
    }

    /// Of all locations that are there, in the order of ids, so that every run does the same.
    var everyState: [OutgoingTopic] {
        sources.sorted { $0.key < $1.key }.flatMap { _, output in
            output.states.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    // MARK: Events

    /// Without a connection nobody could be told, and what only the bridge's own end changes has not happened.
    private var tellsEvents: Bool { publisher.isOpen && !publisher.isEnding }

    /// Notes what is new in an update before it takes the old one's place.
    private func note(_ update: LocationUpdate, on topic: OutgoingTopic) {
        guard tellsEvents, case .state(let old) = topic.content, old !== update else { return }
        // Nearly always the same, and then there is nothing else to look at.
        guard update.isUrgent || (old.location.position == nil) != (update.location.position == nil) else { return }
        events += LocationEvent.between(old.location, update.location).map { (topic.topicName, $0) }
    }

    var hasEvents: Bool { !events.isEmpty || !publisher.writer.bandChanges.isEmpty }

    /// What happened to locations since the last call, by their state topics.
    func takeEvents() -> [(stateTopic: String, event: LocationEvent)] {
        defer { events.removeAll() }
        return events + publisher.writer.takeBandChanges().map { ($0.stateTopic, .bandChanged($0.change)) }
    }

    // MARK: LocationObserver

    func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant) {
        guard let output = sources[source.id] else { return }
        for update in updates {
            let topic = topic(of: update, output, at: now)
            note(update, on: topic)
            publisher.update(topic, update, at: now.monotonic)
            announce(update.location, besides: topic, at: now)
        }
        publisher.updateStatus(output.status, isUrgent: false, at: now.monotonic)
    }

    func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant) {
        for id in ids {
            if let topic = sources[source.id]?.states.removeValue(forKey: id) {
                topic.snapshot?.remove(topic)
                withdraw(besides: topic, at: now)
            }
            let topicName = topics.state(of: id, source: source.id)
            publisher.clear(topicName, at: now.monotonic)
            if tellsEvents { events.append((topicName, .removed)) }
        }
        publishStatus(of: source, isUrgent: false, at: now)
    }

    func areasChanged(
        _ changes: [AreaChange], of location: Identifier, from source: any LocationSource, at now: Instant
    ) {
        guard tellsEvents else { return }
        let stateTopic = topics.state(of: location, source: source.id)
        events += changes.map { (stateTopic, .areaChanged($0)) }
    }

    func statusChanged(of source: any LocationSource, at now: Instant) {
        publishStatus(of: source, isUrgent: true, at: now)
    }

    private func topic(of update: LocationUpdate, _ output: SourceOutput, at now: Instant) -> OutgoingTopic {
        let id = update.location.id
        if let known = output.states[id] { return known }
        let topic = publisher.topic(
            topics.state(of: id, source: update.location.source), .state(update), output.pace, at: now.monotonic)
        topic.pace = output.pace  // it may have been cleared before, by whom it was of no interest
        topic.join(output.snapshot)
        output.states[id] = topic
        return topic
    }
}
