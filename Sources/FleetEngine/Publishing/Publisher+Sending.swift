internal import Locations
internal import MQTTModel

/// What is handed over to the connection when.
extension Publisher {
    /// When there is something to do because time has passed.
    var nextDeadline: Duration? {
        guard let due = holds.nextTime else { return nextSending }
        return nextSending.map { min($0, due) } ?? due
    }

    /// When time alone lets something go out that is waiting.
    var nextSending: Duration? {
        let repeating = isOpen && !isEnding && inFlight.hasRoom ? order.nextRepetition : nil
        guard let due = order.nextTime else { return repeating }
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
                order.makeDue(topic, at: now)
            }
        }
    }

    /// Hands over what may go out now.
    mutating func pump(_ tokens: inout RequestTokens, at now: Duration, send: (consuming Message, RequestToken) -> Void)
    {
        order.wake(at: now)
        guard isOpen else { return }
        while inFlight.hasRoom {
            if let letter = letters.popFirst() {
                let token = tokens.next()
                if letter.qos > .atMostOnce { inFlight.add(token) }
                send(letter, token)
            } else if let topic = order.popReady() {
                if isEnding, topic.isLeftOutAtEnd { continue }
                self.send(topic, &tokens, at: now, send)
            } else if !isEnding, let topic = order.popRepeated(at: now, rate: republishRate) {
                self.send(topic, &tokens, at: now, send)
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
            order.tally.dropped += 1
            return
        }
        let isNews = writer.isNews(on: topic, time: time)
        let isHeldBack = isNews && topic.isMinorMovement
        guard isNews && !isHeldBack || isHeartbeatDue(topic, at: now) else {
            settle(topic, as: \.unchanged)
            // Its device may fall silent here: the heartbeat says where it is all the same.
            if isHeldBack, let heartbeat = topic.pace.heartbeat, let sentAt = topic.sentAt {
                order.wait(topic, until: max(now, sentAt + heartbeat))
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
    var hasSendable: Bool { !letters.isEmpty || !order.isEmpty }
}

extension Duration {
    /// Rounded up, at least 1.
    fileprivate var wholeSeconds: UInt32 {
        UInt32(clamping: max(1, components.seconds + (components.attoseconds > 0 ? 1 : 0)))
    }
}
