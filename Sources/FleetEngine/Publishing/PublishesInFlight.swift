/// Publishes that wait for their acknowledgement: so many at once as the broker takes.
struct PublishesInFlight {
    /// What the broker takes, never more than ``Engine/publishesInFlight``.
    var window = Engine.publishesInFlight

    private var topics: [RequestToken: OutgoingTopic] = [:]
    /// Those that are nobody's topic: the probe and letters.
    private var others: Set<RequestToken> = []

    var hasRoom: Bool { topics.count + others.count < window }
    /// Whether nothing that stands on a topic waits.
    var areTopicsDone: Bool { topics.isEmpty }

    /// What is largest of what stands on a topic.
    var largest: (topicName: String, bytes: Int)? {
        topics.values.compactMap { topic in topic.sent.map { (topic.topicName, $0.payload.count) } }
            .max { ($0.1, $1.0) < ($1.1, $0.0) }
    }

    mutating func add(_ token: RequestToken) { others.insert(token) }
    mutating func add(_ token: RequestToken, of topic: OutgoingTopic) { topics[token] = topic }

    /// One is over.
    ///
    /// - Returns: Its topic; `nil` where it has none, or belonged to an earlier connection.
    mutating func remove(_ token: RequestToken) -> OutgoingTopic? {
        if let topic = topics.removeValue(forKey: token) { return topic }
        others.remove(token)
        return nil
    }

    /// Of topics none is waited for any more.
    mutating func forgetTopics() { topics.removeAll() }

    mutating func removeAll() {
        topics.removeAll()
        others.removeAll()
    }
}
