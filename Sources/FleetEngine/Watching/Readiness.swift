internal import Locations
internal import MQTTModel

/// Whether the bridge does what it is for.
public struct Readiness: Sendable, Equatable {
    /// The broker that is published to has accepted the bridge, and what is stored there has been read.
    public var isConnected: Bool
    /// The same for the broker that is read from.
    public var isReading: Bool
    /// What a broker refuses to be listened to.
    public var deniedFilters: [String]
    /// How long ago a message last came round through broker and engine; `nil`: none has on this connection.
    public var roundTripAge: Duration?
    /// How long it took.
    public var roundTrip: Duration?
}

extension Engine {
    public var readiness: Readiness {
        let feed = self[keyPath: feed]
        return Readiness(
            isConnected: link.isOpen, isReading: feed.isOpen,
            deniedFilters: link.deniedFilters.union(feed.deniedFilters).sorted(),
            roundTripAge: roundTrip?.last.map { now.monotonic - $0.at }, roundTrip: roundTrip?.last?.took)
    }

    func sendRoundTripProbe() {
        let token = tokens.next()
        guard let payload = roundTrip?.sent(token, at: now.monotonic) else { return }
        output.publisher.occupy(token)
        effects.append(.publish(Message(topicName: link.probeTopic, payload: payload, qos: .atLeastOnce), token))
    }

    /// - Returns: Whether the message is such a probe that has come back.
    func takeRoundTripProbe(_ message: Message) -> Bool {
        guard message.topicName.hasSameBytes(as: link.probeTopic) else { return false }
        return roundTrip?.returned(message.payload, at: now.monotonic) ?? false
    }
}
