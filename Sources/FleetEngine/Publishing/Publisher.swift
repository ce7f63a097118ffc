internal import DisplayRules
internal import Geometry
internal import Locations
internal import MQTTModel

/// Decides what is sent when. Of each topic only the newest counts, so nothing queues up: a location that changes while it
/// waits is sent as it is when its turn comes. ``SendingOrder`` says whose turn it is.
struct Publisher: ~Copyable {
    var tally = PublishTally()
    /// Reports that never were shown since newer ones came while nothing could be sent; not taken yet.
    private var superseded = 0
    var writer: TopicWriter

    /// What the rules have made something else of though nothing was heard; `nil`: nobody wants to know.
    var restyled: RestyledLocations?

    private(set) var republishRate: Double
    private(set) var maxOutput: Int
    let stateExpiry: Duration?

    /// The ledger: what is to stand where, and what does.
    var topics: [Identifier: OutgoingTopic] = [:]
    var cleared = ClearedTopics()
    var order = SendingOrder()
    /// When rules yield something else though nothing is heard.
    var holds = Agenda<OutgoingTopic>()
    var inFlight = PublishesInFlight()
    var letters = Letters()
    var isOpen = false
    var isEnding = false
    var brokerLimit: Int?

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
        if update.isUrgent { order.makeReady(topic) } else { order.makeDue(topic, at: now) }
    }

    /// A source's status has changed, or one of the figures in it.
    mutating func updateStatus(_ topic: OutgoingTopic, isUrgent: Bool, at now: Duration) {
        topic.changedAt = now
        if isUrgent { order.makeReady(topic) } else { order.makeDue(topic, at: now) }
    }

    /// A document of the bridge itself is to stand on a topic, at once.
    mutating func put(_ document: [UInt8], on topicName: String, at now: Duration) {
        order.makeReady(demand(.document(document), on: topicName, at: now))
    }

    /// A chunk of a snapshot has changed. It is written when its turn comes.
    mutating func put(_ snapshot: SourceSnapshot, _ chunk: Int, on topicName: String, at now: Duration) {
        order.makeReady(demand(.chunk(snapshot, chunk), on: topicName, at: now))
    }

    /// From now on something is to stand on a topic of no location, and is sent whether it is new or not.
    mutating func demand(
        _ content: OutgoingTopic.Content, on topicName: String, at now: Duration
    ) -> OutgoingTopic {
        let topic = topic(topicName, content, .none, at: now)
        topic.content = content
        topic.changedAt = now
        topic.mustSend = true
        return topic
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
        schedule(topic, isPaced: isPaced, at: now)
    }

    /// - Parameter isPaced: It is sent behind everything that is new.
    mutating func schedule(_ topic: OutgoingTopic, isPaced: Bool, at now: Duration) {
        if isPaced {
            if isOpen { order.repeatInTurn(topic, at: now) }  // else everything is sent with the connection
        } else {
            order.makeReady(topic)
        }
    }

    /// What never was sent leaves nothing to be cleared: who makes and withdraws devices in a loop fills no memory.
    private mutating func forget(_ topic: OutgoingTopic) {
        drop(&topic.holdsReport)
        (topic.content, topic.memory) = (.cleared, nil)
        order.leave(topic)
        topics[Identifier(topic.topicName)] = nil
        compactHolds()
    }

    /// Topics in the ledger.
    var topicCount: Int { topics.count }

    /// Entries of all queues, outdated ones too.
    var entries: Int { order.entries + holds.count }

    /// Keeps what is outdated within bounds: it would else go only when its time comes.
    private mutating func compactHolds() {
        if holds.count > 2 * topics.count + 1_024 { holds.compact { $0.memory?.scheduledHold == $1 } }
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
    mutating func remember(_ location: Location, _ topic: OutgoingTopic, at now: Duration) -> Bool {
        let memory = topic.memory ?? LocationMemory()
        topic.memory = memory
        let changed = writer.remember(location, topic, memory, at: now)
        if let deadline = memory.rules.nextDeadline, memory.scheduledHold.map({ $0 > deadline }) ?? true {
            memory.scheduledHold = deadline
            holds.add(topic, at: deadline)
            compactHolds()
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
            order.repeatInTurn(topic, at: now)
        }
    }

    var newestFirst: [OutgoingTopic] {
        topics.values.sorted { ($1.changedAt, $0.topicName) < ($0.changedAt, $1.topicName) }
    }

    mutating func takeSuperseded() -> Int {
        defer { superseded = 0 }
        return superseded
    }
}
