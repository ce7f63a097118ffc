/// A PUBLISH packet's content, as it arrived or is to be sent.
public struct Message: Sendable, Equatable {
    public var topicName: String
    public var payload: [UInt8]
    public var qos: QoS
    /// On arrival (retain-as-published is off): a stored copy, sent because of the subscription. On sending: store it.
    public var retain: Bool
    /// Seconds for which the broker keeps it (MQTT 5.0, §3.3.2.3.3); 0: for ever. Only on sending.
    public var expirySeconds: UInt32
    /// The identifiers of the subscriptions that the broker matched (MQTT 5.0, §3.3.2.3.8). Empty where it tells none.
    public var subscriptionIdentifiers: [UInt32]
    /// For requests and answers; `nil` where the packet says nothing of them.
    public var correlation: Correlation?

    public init(
        topicName: String, payload: [UInt8], qos: QoS = .atMostOnce, retain: Bool = false, expirySeconds: UInt32 = 0,
        subscriptionIdentifiers: [UInt32] = [], correlation: Correlation? = nil
    ) {
        self.topicName = topicName
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.expirySeconds = expirySeconds
        self.subscriptionIdentifiers = subscriptionIdentifiers
        self.correlation = correlation
    }
}

/// A message that the broker publishes when the connection ends without DISCONNECT (MQTT 5.0, §3.1.2.5).
public typealias WillMessage = Message
