internal import DisplayRules
internal import Geometry
internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// Decides what is sent when. Of each topic only the newest counts, so nothing queues up: a location that changes while it
/// waits is sent as it is when its turn comes.
///
/// Order: what the bridge says of itself and its sources, then what changed (a new status at once, everything else at most every ``SourceSettings/publishInterval``), then what
/// is only repeated after a connect, paced.
struct Publisher: ~Copyable {
    /// How soon something that the broker refused is tried again, at the earliest.
    private static let retryInterval = Duration.seconds(10)

    private(set) var tally = PublishTally()
    private(set) var queue = QueueTally()
    /// Reports that never were shown since newer ones came while nothing could be sent; not taken yet.
    private var superseded = 0
    var writer: TopicWriter

    /// What the rules have made something else of though nothing was heard; `nil`: nobody wants to know.
    var restyled: RestyledLocations?

    private var republishRate: Double
    private var maxOutput: Int
    private let stateExpiry: Duration?

    private var topics: [Identifier: OutgoingTopic] = [:]
    private var cleared = ClearedTopics()
    /// What the bridge says of itself and of its sources; ahead of all states.
    private var statements = Queue<OutgoingTopic>()
    private var ready = Queue<OutgoingTopic>()
    private var timed = Agenda<OutgoingTopic>()
    /// When rules yield something else though nothing is heard.
    private var holds = Agenda<OutgoingTopic>()
    /// Of snapshots, and what Home Assistant is told.
    private var chunks = Queue<OutgoingTopic>()
    private var backlog = Queue<OutgoingTopic>()
    private var nextRepeat: Duration?
    private var inFlight = PublishesInFlight()
    private var letters = Letters()
    private(set) var isOpen = false
    private var isEnding = false
    private var brokerLimit: Int?

    /// - Parameter stateExpiry: How long the broker keeps a state that is not published again; `nil`: for ever.
    init(
        rules: DisplayRuleSet, coordinateSystem: (any CoordinateSystem)? = nil, republishRate: Double, maxOutput: Int,
        stateExpiry: Duration? = nil
    ) {
        writer = TopicWriter(rules: rules, coordinateSystem: coordinateSystem)
        self.stateExpiry = stateExpiry
        self.republishRate = republishRate
        self.maxOutput = maxOutput
    }

    // MARK: What is to stand on a topic

    /// A location has changed.
    mutating func update(_ topic: OutgoingTopic, _ update: LocationUpdate, at now: Duration) {
        topic.content = .state(update)
        topic.changedAt = now
        if update.breaksTrail { topic.breaksTrail = true }
        if update.cause == .report {
            if topic.holdsReport { tally.coalesced += 1 } else { tally.pending += 1 }
            if topic.holdsReport, !isOpen { superseded += 1 }
            topic.holdsReport = true
        }
        if writer.needsMemory { remember(update.location, topic, at: now) }
        if update.isUrgent { makeReady(topic) } else { makeDue(topic, at: now) }
    }

    /// A source's status has changed, or one of the figures in it.
    mutating func updateStatus(_ topic: OutgoingTopic, isUrgent: Bool, at now: Duration) {
        topic.changedAt = now
        if isUrgent { makeReady(topic) } else { makeDue(topic, at: now) }
    }

    /// A document of the bridge itself is to stand on a topic, at once.
    mutating func put(_ document: [UInt8], on topicName: String, at now: Duration) {
        makeReady(demand(.document(document), on: topicName, at: now))
    }

    /// A chunk of a snapshot has changed. It is written when its turn comes.
    mutating func put(_ snapshot: SourceSnapshot, _ chunk: Int, on topicName: String, at now: Duration) {
        makeReady(demand(.chunk(snapshot, chunk), on: topicName, at: now))
    }

    /// From now on something is to stand on a topic of no location, and is sent whether it is new or not.
    private mutating func demand(
        _ content: OutgoingTopic.Content, on topicName: String, at now: Duration
    ) -> OutgoingTopic {
        let topic = topic(topicName, content, .none, at: now)
        topic.content = content
        topic.changedAt = now
        topic.mustSend = true
        return topic
    }

    /// Home Assistant is to be told this.
    ///
    /// - Parameter isPaced: One after the other, like what is repeated after a connect.
    mutating func announce(_ message: DiscoveryMessage, isPaced: Bool = false, at now: Duration) {
        let topic = demand(.discovery(message), on: message.topicName, at: now)
        topic.isSeen = false
        if isPaced { repeatInTurn(topic, at: now) } else { makeReady(topic) }
    }

    /// Something is sent behind everything that is new.
    private mutating func repeatInTurn(_ topic: OutgoingTopic, at now: Duration) {
        guard isOpen else { return }  // everything is sent then
        switch topic.place {
        case .ready, .backlog: return
        case .idle, .waiting: break
        }
        move(topic, to: .backlog)
        backlog.append(topic)
        nextRepeat = max(nextRepeat ?? now, now)
    }

    /// A message to Home Assistant stands on its topic, as was seen there on this connection.
    ///
    /// - Returns: Whether there is to be one.
    mutating func restore(announcement topicName: String, as payload: [UInt8], at now: Duration) -> Bool {
        guard let topic = topics[Identifier(topicName)], case .discovery(let message) = topic.content else {
            return false
        }
        (topic.sentAt, topic.isSeen) = (now, message.isSame(as: payload))
        return true
    }

    /// Home Assistant is to be told this where something else stands, as was seen or sent.
    mutating func replace(by message: DiscoveryMessage, at now: Duration) {
        announce(message, at: now)
        topics[Identifier(message.topicName)]?.sentAt = now
    }

    /// Whether something stands on a topic, or did, as far as is known.
    func isSaid(_ topicName: String) -> Bool { topics[Identifier(topicName)].map { !$0.isUnsaid } ?? false }

    /// Whether nothing waits for its turn to be sent on a topic.
    func isSent(_ topicName: String) -> Bool {
        switch topics[Identifier(topicName)]?.place {
        case .ready, .backlog: false
        case .idle, .waiting, nil: true
        }
    }

    /// Sends something once, such as an answer, as soon as there is room for it.
    ///
    /// - Returns: Whether it is kept: whoever asks for more than the broker takes has to wait.
    mutating func post(_ letter: Message) -> Bool { letters.add(letter) }

    /// Somebody else's publish waits for its acknowledgement.
    mutating func occupy(_ token: RequestToken) { inFlight.add(token) }

    /// Nothing is to stand on a topic any more.
    ///
    /// - Parameter isPaced: One after the other, behind what is announced so.
    mutating func clear(_ topicName: String, isPaced: Bool = false, at now: Duration) {
        if let topic = topics[Identifier(topicName)], topic.isUnsaid { return forget(topic) }
        let topic = topic(topicName, .cleared, .none, at: now)
        drop(&topic.holdsReport)
        topic.content = .cleared
        topic.changedAt = now
        (topic.style, topic.memory, topic.bands) = (nil, nil, BandWatch())
        if isPaced { repeatInTurn(topic, at: now) } else { makeReady(topic) }
    }

    /// What never was sent leaves nothing to be cleared: who makes and withdraws devices in a loop fills no memory.
    private mutating func forget(_ topic: OutgoingTopic) {
        drop(&topic.holdsReport)
        (topic.content, topic.memory) = (.cleared, nil)
        move(topic, to: .idle)
        topics[Identifier(topic.topicName)] = nil
        compact()
    }

    /// Entries of all queues, outdated ones too.
    var entries: Int { statements.count + ready.count + chunks.count + backlog.count + timed.count + holds.count }

    /// Topics in the ledger.
    var topicCount: Int { topics.count }

    /// Keeps what is outdated in the queues within bounds: it would else go only when its turn or time comes.
    private mutating func compact() {
        let limit = 2 * topics.count + 1_024
        if ready.count > limit { ready.keep { if case .ready = $0.place { true } else { false } } }
        if chunks.count > limit { chunks.keep { if case .ready = $0.place { true } else { false } } }
        if timed.count > limit { timed.compact { if case .waiting($1) = $0.place { true } else { false } } }
        if holds.count > limit { holds.compact { $0.memory?.scheduledHold == $1 } }
    }

    /// How often states of a source go out.
    func pace(by pace: PublishingPace) -> OutgoingTopic.Pace {
        // What expires is said again in time, also where it stays as it is.
        OutgoingTopic.Pace(
            interval: pace.interval,
            heartbeat: [pace.heartbeat, stateExpiry.map { $0 / 2 }].compactMap(\.self).min(),
            minDistance: pace.minDistance)
    }

    /// What stands on a location's topic was seen there, on this connection.
    mutating func restore(_ topic: OutgoingTopic, as payload: [UInt8], at now: Duration) {
        topic.sent = (payload, StyledState.timeRange(in: payload))
        // One that expires has done so for a while already.
        (topic.sentAt, topic.isSeen) = (now, stateExpiry == nil)
        if writer.needsMemory, case .state(let update) = topic.content { remember(update.location, topic, at: now) }
    }

    /// Tells the rules how a location is now.
    ///
    /// - Returns: Whether they may yield something else.
    @discardableResult
    private mutating func remember(_ location: Location, _ topic: OutgoingTopic, at now: Duration) -> Bool {
        let memory = topic.memory ?? LocationMemory()
        topic.memory = memory
        let changed = writer.remember(location, topic, memory, at: now)
        if let deadline = memory.rules.nextDeadline, memory.scheduledHold.map({ $0 > deadline }) ?? true {
            memory.scheduledHold = deadline
            holds.add(topic, at: deadline)
            compact()
        }
        return changed
    }

    /// A report that waited is overtaken: its location is gone.
    private mutating func drop(_ holdsReport: inout Bool) {
        guard holdsReport else { return }
        holdsReport = false
        tally.pending -= 1
        tally.coalesced += 1
    }

    /// The topic of this name; made where there is none.
    mutating func topic(
        _ name: String, _ content: OutgoingTopic.Content, _ pace: OutgoingTopic.Pace, at now: Duration
    ) -> OutgoingTopic {
        let key = Identifier(name)
        if let known = topics[key] { return known }
        let topic = OutgoingTopic(name, content, pace, at: now)
        topics[key] = topic
        return topic
    }

    private mutating func makeReady(_ topic: OutgoingTopic) {
        if case .ready = topic.place { return }
        move(topic, to: .ready)
        switch topic.content {
        case .document, .status: statements.append(topic)
        case .state, .cleared: ready.append(topic)
        case .chunk, .discovery: chunks.append(topic)
        }
    }

    private mutating func makeDue(_ topic: OutgoingTopic, at now: Duration) {
        let due = topic.sentAt.map { $0 + topic.pace.interval } ?? now
        switch topic.place {
        case .ready: return
        // What waits to be tried again is not held back by that when it changes.
        case .waiting(let time): if time <= due { return }
        case .idle, .backlog: break
        }
        if now < due { wait(topic, until: due) } else { makeReady(topic) }
    }

    private mutating func move(_ topic: OutgoingTopic, to place: OutgoingTopic.Place) {
        if case .idle = topic.place { queue.now += 1 }
        if case .idle = place { queue.now -= 1 } else { queue.max = max(queue.max, queue.now) }
        topic.place = place
    }

    private mutating func wait(_ topic: OutgoingTopic, until time: Duration) {
        move(topic, to: .waiting(until: time))
        timed.add(topic, at: time)
        compact()
    }

    // MARK: The configuration

    /// From now on goes by other rules and limits.
    ///
    /// - Parameter restyles: Whether the rules make something else of locations. Then each is looked at once more, at the
    ///   pace of what is repeated, and sent where it differs.
    mutating func change(
        rules: DisplayRuleSet, republishRate: Double, maxOutput: Int, restyles: Bool, at now: Duration
    ) {
        (self.republishRate, self.maxOutput) = (republishRate, maxOutput)
        writer.change(rules: rules)
        for topic in topics.values { topic.style = nil }
        guard restyles else { return }
        for topic in newestFirst {
            guard case .state(let update) = topic.content else { continue }
            if writer.needsMemory {
                remember(update.location, topic, at: now)
            } else {
                topic.memory = nil
            }
        }
        lookAtStatesAgain(at: now)
    }

    /// From now on positions are told in another coordinate system, too, or in none. All states that have one are sent again,
    /// at the pace of what is repeated.
    mutating func change(coordinateSystem: (any CoordinateSystem)?, at now: Duration) {
        writer.change(coordinateSystem: coordinateSystem)
        for topic in topics.values {
            topic.projected = nil
            // Else one that has hardly moved would wait for its heartbeat.
            if case .state(let update) = topic.content, update.location.position != nil { topic.mustSend = true }
        }
        lookAtStatesAgain(at: now)
    }

    /// Each location may be told in another way though nothing was heard.
    private mutating func lookAtStatesAgain(at now: Duration) {
        restyled?.noteAll()
        guard isOpen else { return }
        for topic in newestFirst {
            guard case .state = topic.content, case .idle = topic.place else { continue }
            move(topic, to: .backlog)
            backlog.append(topic)
        }
        nextRepeat = max(nextRepeat ?? now, now)
    }

    private var newestFirst: [OutgoingTopic] {
        topics.values.sorted { ($1.changedAt, $0.topicName) < ($0.changedAt, $1.topicName) }
    }

    // MARK: The connection

    /// Bytes of a payload at most.
    var outputLimit: Int { min(maxOutput, brokerLimit ?? .max) }

    /// What the broker takes.
    mutating func limit(maximumPacketSize: Int?, receiveMaximum: Int?) {
        brokerLimit = maximumPacketSize
        inFlight.window = min(Engine.publishesInFlight, receiveMaximum ?? .max)
    }

    /// Everything may be sent, and everything retained is sent again once, the newest change first.
    mutating func open(at now: Duration) {
        isOpen = true
        inFlight.forgetTopics()
        backlog = Queue(newestFirst + clearedAgain(at: now))
        // What waited for the connection is not ahead of birth and source statuses, which are put on their topics next.
        (statements, ready, chunks) = (Queue(), Queue(), Queue())
        for topic in topics.values {
            topic.mustSend = !topic.isSeen
            move(topic, to: .backlog)  // also what waits for its interval: the broker may have lost what stood there
        }
        nextRepeat = now
    }

    /// Puts back into the ledger what was cleared: the broker may be one that has not heard of it.
    private mutating func clearedAgain(at now: Duration) -> [OutgoingTopic] {
        cleared.takeAll().compactMap { name in
            if topics[name] == nil { return topic(name.text, .cleared, .none, at: now) }
            cleared.insert(name.text)  // in use again, but not sent yet perhaps
            return nil
        }
    }

    mutating func close() {
        isOpen = false
        inFlight.removeAll()
        letters = Letters()  // those who asked wait no more
        backlog = Queue()
        nextRepeat = nil
        for topic in topics.values {
            topic.isSeen = false
            if case .backlog = topic.place { move(topic, to: .idle) }
        }
    }

    /// The bridge ends: only what it says of itself and its sources is still sent, and removals.
    mutating func end() { isEnding = true }

    /// The broker has it.
    mutating func acknowledged(_ token: RequestToken) {
        guard let topic = inFlight.remove(token), token == topic.lastToken else { return }
        // Only now is it certain that nothing stands there any more.
        if case .cleared = topic.content, case .idle = topic.place {
            topics[Identifier(topic.topicName)] = nil
            cleared.insert(topic.topicName)
        }
    }

    /// The broker does not have it: what stands there is older.
    ///
    /// - Parameter mayRetry: Whether the same bytes are tried again after a while; else only others are, or another
    ///   connection.
    /// - Returns: The topic; `nil` for what is not ours or belonged to an earlier connection.
    mutating func failed(_ token: RequestToken, mayRetry: Bool, at now: Duration) -> String? {
        guard let topic = inFlight.remove(token) else { return nil }
        guard token == topic.lastToken else { return topic.topicName }
        guard mayRetry else {
            topic.isUnsendable = true
            queue.dropped += 1
            return topic.topicName
        }
        topic.mustSend = true
        if case .idle = topic.place { wait(topic, until: now + max(topic.pace.interval, Self.retryInterval)) }
        return topic.topicName
    }

    /// Of what waits for its acknowledgement, what is largest.
    var largestInFlight: (topicName: String, bytes: Int)? { inFlight.largest }

    /// Bytes of a PUBLISH packet beside topic and payload, at most.
    private var packetOverhead: Int { stateExpiry == nil ? 12 : 17 }

    var isIdle: Bool { inFlight.areTopicsDone && statements.isEmpty && ready.isEmpty }

    // MARK: Sending

    /// When there is something to do because time has passed.
    var nextDeadline: Duration? {
        guard let due = holds.nextTime else { return nextSending }
        return nextSending.map { min($0, due) } ?? due
    }

    /// When time alone lets something go out that is waiting.
    var nextSending: Duration? {
        let repeating = isOpen && !isEnding && !backlog.isEmpty && inFlight.hasRoom ? nextRepeat : nil
        guard let due = timed.nextTime else { return repeating }
        return repeating.map { min($0, due) } ?? due
    }

    /// Lets rules yield something else where only time has passed.
    mutating func advanceRules(to now: Duration) {
        while let (time, topic) = holds.popDue(at: now) {
            guard let memory = topic.memory, memory.scheduledHold == time,
                case .state(let update) = topic.content
            else { continue }
            memory.scheduledHold = nil
            if remember(update.location, topic, at: now) {
                restyled?.note(update)
                topic.changedAt = now
                makeDue(topic, at: now)
            }
        }
    }

    /// Hands over what may go out now.
    mutating func pump(_ tokens: inout RequestTokens, at now: Duration, send: (consuming Message, RequestToken) -> Void)
    {
        while let (time, topic) = timed.popDue(at: now) {
            if case .waiting(until: time) = topic.place { makeReady(topic) }
        }
        guard isOpen else { return }
        while inFlight.hasRoom {
            if let letter = letters.popFirst() {
                let token = tokens.next()
                if letter.qos > .atMostOnce { inFlight.add(token) }
                send(letter, token)
            } else if let topic = statements.popFirst() ?? ready.popFirst() ?? chunks.popFirst() {
                guard case .ready = topic.place else { continue }
                move(topic, to: .idle)
                if isEnding, topic.isLeftOutAtEnd { continue }
                self.send(topic, &tokens, at: now, send)
            } else if !isEnding, let due = nextRepeat, due <= now, let topic = backlog.popFirst() {
                guard case .backlog = topic.place else { continue }
                move(topic, to: .idle)
                self.send(topic, &tokens, at: now, send)
                // Not more than a tenth of a second is caught up at once.
                nextRepeat = max(due, now - .milliseconds(100)) + .seconds(1 / republishRate)
            } else {
                break
            }
        }
    }

    private mutating func send(
        _ topic: OutgoingTopic, _ tokens: inout RequestTokens, at now: Duration,
        _ send: (consuming Message, RequestToken) -> Void
    ) {
        let limit = min(maxOutput, brokerLimit.map { $0 - topic.topicName.utf8.count - packetOverhead } ?? .max)
        let (time, fits) = writer.write(topic, atMost: limit)
        guard fits else {
            // Its report waits on: what stands on the topic is older.
            queue.dropped += 1
            return
        }
        let isNews = writer.isNews(on: topic, time: time)
        let isHeldBack = isNews && topic.isMinorMovement
        guard isNews && !isHeldBack || isHeartbeatDue(topic, at: now) else {
            settle(topic, as: \.unchanged)
            // Its device may fall silent here: the heartbeat says where it is all the same.
            if isHeldBack, let heartbeat = topic.pace.heartbeat, let sentAt = topic.sentAt {
                wait(topic, until: max(now, sentAt + heartbeat))
            }
            return
        }
        let payload = writer.bytes
        let byReport = topic.holdsReport
        settle(topic, as: \.published)
        switch topic.content {
        case .state(let update):
            if !byReport { tally.publishedByTime += 1 }
            topic.sent = (payload, time)
            topic.show(update)
        case .chunk, .discovery: topic.sent = nil  // large, or never held against the next one
        case .status, .document, .cleared: topic.sent = (payload, time)
        }
        topic.sentAt = now
        (topic.mustSend, topic.isUnsendable, topic.isSeen) = (false, false, false)
        let token = tokens.next()
        topic.lastToken = token
        inFlight.add(token, of: topic)
        var expirySeconds: UInt32 = 0
        if let stateExpiry, topic.expires { expirySeconds = stateExpiry.wholeSeconds }
        send(
            Message(
                topicName: topic.topicName, payload: payload, qos: .atLeastOnce, retain: true,
                expirySeconds: expirySeconds), token)
    }

    private mutating func settle(_ topic: OutgoingTopic, as end: WritableKeyPath<PublishTally, Int>) {
        guard topic.holdsReport else { return }
        topic.holdsReport = false
        tally.pending -= 1
        tally[keyPath: end] += 1
    }

    private func isHeartbeatDue(_ topic: OutgoingTopic, at now: Duration) -> Bool {
        guard !topic.isUnsendable, let heartbeat = topic.pace.heartbeat, let sentAt = topic.sentAt,
            let sent = topic.sent
        else {
            return false
        }
        guard now >= sentAt + heartbeat else { return false }
        // Only where the time really is another.
        return !writer.isSame(as: sent.payload)
    }

    /// Whether all is sent and acknowledged, but for what waits for its time.
    var isQuiet: Bool { inFlight.areTopicsDone && !hasSendable }

    /// Whether something could be sent if only the window had room.
    var hasSendable: Bool {
        !letters.isEmpty || !statements.isEmpty || !ready.isEmpty || !chunks.isEmpty || !backlog.isEmpty
    }

    mutating func takeSuperseded() -> Int {
        defer { superseded = 0 }
        return superseded
    }
}

extension Duration {
    /// Rounded up, at least 1.
    fileprivate var wholeSeconds: UInt32 {
        UInt32(clamping: max(1, components.seconds + (components.attoseconds > 0 ? 1 : 0)))
    }
}
