internal import Locations

/// Whose turn it is to be sent. A topic is in one place at a time; what it has left behind elsewhere is outdated and skipped
/// when its turn comes, so that nothing has to be searched for.
///
/// Order: what the bridge says of itself and its sources, then what changed, then snapshots and what Home Assistant is told,
/// then what is only repeated, paced.
struct SendingOrder: ~Copyable {
    var tally = QueueTally()

    private var statements = Queue<OutgoingTopic>()
    private var ready = Queue<OutgoingTopic>()
    /// Of snapshots, and what Home Assistant is told.
    private var chunks = Queue<OutgoingTopic>()
    private var backlog = Queue<OutgoingTopic>()
    private var timed = Agenda<OutgoingTopic>()
    private var nextRepeat: Duration?

    // MARK: Places

    /// It is its turn as soon as there is room.
    mutating func makeReady(_ topic: OutgoingTopic) {
        if case .ready = topic.place { return }
        move(topic, to: .ready)
        switch topic.content {
        case .document, .status: statements.append(topic)
        case .state, .cleared: ready.append(topic)
        case .chunk, .discovery: chunks.append(topic)
        }
    }

    /// It is its turn when its interval is over.
    mutating func makeDue(_ topic: OutgoingTopic, at now: Duration) {
        let due = topic.sentAt.map { $0 + topic.pace.interval } ?? now
        switch topic.place {
        case .ready: return
        // What waits to be tried again is not held back by that when it changes.
        case .waiting(let time): if time <= due { return }
        case .idle, .backlog: break
        }
        if now < due { wait(topic, until: due) } else { makeReady(topic) }
    }

    mutating func wait(_ topic: OutgoingTopic, until time: Duration) {
        move(topic, to: .waiting(until: time))
        timed.add(topic, at: time)
        compact()
    }

    /// It is its turn behind everything that is new.
    mutating func repeatInTurn(_ topic: OutgoingTopic, at now: Duration) {
        switch topic.place {
        case .ready, .backlog: return
        case .idle, .waiting: break
        }
        move(topic, to: .backlog)
        backlog.append(topic)
        nextRepeat = max(nextRepeat ?? now, now)
    }

    /// There is nothing to be sent on it.
    mutating func leave(_ topic: OutgoingTopic) {
        move(topic, to: .idle)
        compact()
    }

    private mutating func move(_ topic: OutgoingTopic, to place: OutgoingTopic.Place) {
        if case .idle = topic.place { tally.now += 1 }
        if case .idle = place { tally.now -= 1 } else { tally.max = max(tally.max, tally.now) }
        topic.place = place
    }

    // MARK: The connection

    /// Everything is repeated, in this order, and nothing else is there to be sent.
    mutating func repeatAll(_ topics: [OutgoingTopic], at now: Duration) {
        (statements, ready, chunks, backlog) = (Queue(), Queue(), Queue(), Queue(topics))
        for topic in topics { move(topic, to: .backlog) }
        nextRepeat = now
    }

    mutating func stopRepeating() {
        for topic in backlog.all { if case .backlog = topic.place { move(topic, to: .idle) } }
        (backlog, nextRepeat) = (Queue(), nil)
    }

    // MARK: Turns

    /// What has waited for its time is ready.
    mutating func wake(at now: Duration) {
        while let (time, topic) = timed.popDue(at: now) {
            if case .waiting(until: time) = topic.place { makeReady(topic) }
        }
    }

    /// The next one that is ready.
    mutating func popReady() -> OutgoingTopic? {
        while let topic = statements.popFirst() ?? ready.popFirst() ?? chunks.popFirst() {
            guard case .ready = topic.place else { continue }
            move(topic, to: .idle)
            return topic
        }
        return nil
    }

    /// The next one that is repeated, so many a second.
    mutating func popRepeated(at now: Duration, rate: Double) -> OutgoingTopic? {
        guard let due = nextRepeat, due <= now else { return nil }
        while let topic = backlog.popFirst() {
            guard case .backlog = topic.place else { continue }
            move(topic, to: .idle)
            // Not more than a tenth of a second is caught up at once.
            nextRepeat = max(due, now - .milliseconds(100)) + .seconds(1 / rate)
            return topic
        }
        return nil
    }

    /// When something that waits is ready.
    var nextTime: Duration? { timed.nextTime }

    /// When something is repeated.
    var nextRepetition: Duration? { backlog.isEmpty ? nil : nextRepeat }

    // MARK: What is there

    var hasStatementsOrChanges: Bool { !statements.isEmpty || !ready.isEmpty }

    /// Whether anything could be sent if only there were room.
    var isEmpty: Bool { statements.isEmpty && ready.isEmpty && chunks.isEmpty && backlog.isEmpty }

    /// Entries of all queues, outdated ones too.
    var entries: Int { statements.count + ready.count + chunks.count + backlog.count + timed.count }

    /// Keeps what is outdated within bounds: it would else go only when its turn or time comes.
    private mutating func compact() {
        let limit = 2 * tally.now + 1_024
        if ready.count > limit { ready.keep { if case .ready = $0.place { true } else { false } } }
        if chunks.count > limit { chunks.keep { if case .ready = $0.place { true } else { false } } }
        if timed.count > limit { timed.compact { if case .waiting($1) = $0.place { true } else { false } } }
    }
}
