internal import Locations

/// What Home Assistant is told, among what else is published.
extension Publisher {
    /// Home Assistant is to be told this.
    ///
    /// - Parameter isPaced: One after the other, like what is repeated after a connect.
    mutating func announce(_ message: DiscoveryMessage, isPaced: Bool = false, at now: Duration) {
        let topic = demand(.discovery(message), on: message.topicName, at: now)
        topic.isSeen = false
        schedule(topic, isPaced: isPaced, at: now)
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
}
