internal import Locations
internal import MQTTModel

/// What the connection to the broker does to what is published, and what the broker says of it.
extension Publisher {
    /// How soon something that the broker refused is tried again, at the earliest.
    private static let retryInterval = Duration.seconds(10)

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
        let all = newestFirst + clearedAgain(at: now)
        for topic in all { topic.mustSend = !topic.isSeen }
        // Also what waits for its interval: the broker may have lost what stood there. What waited for the connection is not
        // ahead of birth and source statuses, which are put on their topics next.
        order.repeatAll(all, at: now)
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
        order.stopRepeating()
        for topic in topics.values { topic.isSeen = false }
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
            order.tally.dropped += 1
            return topic.topicName
        }
        topic.mustSend = true
        if case .idle = topic.place { order.wait(topic, until: now + max(topic.pace.interval, Self.retryInterval)) }
        return topic.topicName
    }

    /// Of what waits for its acknowledgement, what is largest.
    var largestInFlight: (topicName: String, bytes: Int)? { inFlight.largest }

    /// Bytes of a PUBLISH packet beside topic and payload, at most.
    var packetOverhead: Int { stateExpiry == nil ? 12 : 17 }

    var isIdle: Bool { inFlight.areTopicsDone && !order.hasStatementsOrChanges }
}
