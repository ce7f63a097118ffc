import MQTTClient
import Timestamps

/// What the devices say, on its way to the broker, and what they are told to do to the connection.
extension Link {
    // MARK: Messages

    func hearAgents(now: Duration, wall: Timestamp) {
        guard state != .leaving, state != .disconnecting, state != .done else { return }
        lag = .zero
        var taken = 0
        while taken < max(Self.mostReadings, agents.count), let number = heap.take(at: now) {
            taken += 1
            let agent = agents[number]
            var messages = agent.work(
                now: now, wall: wall, isOnline: state == .online, hasRoom: waiting[number] == 0, isShared: isShared)
            lag = max(lag, agent.lag)
            heap.set(number, agent.due)
            if state == .online, !messages.isEmpty {
                for index in messages.indices { messages[index].agent = number }
                append(messages)
                flush(now: now, wall: wall)
            }
            // Then it waits for the connection, not for a time.
            if agent.wantsCut { break }
        }
    }

    func append(_ messages: [Outgoing]) {
        outbox.append(messages)
        for message in messages { if let number = message.agent { waiting[number] += 1 } }
    }

    func clearOutbox() {
        outbox.removeAll()
        for number in waiting.indices { waiting[number] = 0 }
    }

    /// Sends what there is room for.
    func flush(now: Duration, wall: Timestamp) {
        while let next = outbox.first, let connection {
            do {
                note(next, try connection.publish(next.message), wall: wall)
            } catch {
                if error.reason == .inFlightLimit || error.reason == .sendQueueFull { return }
                if error.reason == .notConnected { return clearOutbox() }
                trouble = "\(error)"
            }
            outbox.removeFirst()
            guard let number = next.agent else { continue }
            waiting[number] -= 1
            if waiting[number] == 0, agents[number].isHeldBack { heap.set(number, now) }
        }
    }

    /// - Parameter identifier: What the acknowledgement will bring; `nil` where there is none.
    private func note(_ sent: Outgoing, _ identifier: PacketIdentifier?, wall: Timestamp) {
        if let number = sent.agent { agents[number].noteSent(sent.message, at: wall) }
        if sent.isTelemetry { counters.sent += 1 }
        guard let identifier else { return }
        if sent.isTelemetry { counters.expected += 1 }
        inFlight[identifier] = sent.isTelemetry
    }

    // MARK: Leaving

    /// Nothing waits, nothing is under way: what was sent has arrived, and in this order.
    private var isQuiet: Bool { outbox.isEmpty && inFlight.isEmpty && connection?.wantsWrite != true }

    /// Does to the connection what its only device is told to do.
    func followAgent(now: Duration, wall: Timestamp) {
        if state == .online, isQuiet, agents.allSatisfy({ $0.isOver && $0.faults.due == nil }) {
            return leave(wall: wall)
        }
        guard !isShared, let agent = agents.first else { return }
        switch state {
        case .online where agent.isAway && agent.control.leavesGracefully: state = .leaving
        case .online where (agent.isAway || agent.wantsCut) && isQuiet:
            connection?.close()
            connection = nil
            noteLoss(wall: wall, byUs: false)
            if agent.isAway {
                state = .away
            } else {
                agent.noteCut()
                state = .waiting(until: now)
            }
        case .waiting where agent.isAway, .connecting where agent.isAway:
            connection?.close()
            connection = nil
            state = .away
        case .away where !agent.isAway: state = .waiting(until: now)
        default: break
        }
    }

    /// Disconnects when the last words have arrived.
    func sayGoodbye(now: Duration, wall: Timestamp) {
        if !hasSaidLastWords {
            hasSaidLastWords = true
            for (number, agent) in agents.enumerated() where !(isShared && (agent.isAway || agent.isOver)) {
                let (late, words) = agent.farewell(at: wall)
                append(late.map { Outgoing(message: $0, isTelemetry: true, agent: number) })
                append(words.map { Outgoing(message: $0, agent: number) })
            }
            append(announcement.map { [Outgoing(message: $0.farewell)] } ?? [])
        }
        flush(now: now, wall: wall)
        guard outbox.isEmpty, inFlight.isEmpty else { return }
        saidGoodbye = isUnderstood
        state = .disconnecting
        connection?.disconnect(now: now)
    }
}
