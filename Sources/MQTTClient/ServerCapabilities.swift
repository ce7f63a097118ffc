public import MQTTModel

/// What the broker said about itself in CONNACK (MQTT 5.0, §3.2.2.3). A default stands for what it left out.
public struct ServerCapabilities: Sendable, Equatable {
    /// In bytes, of a whole packet; `nil`: no limit beyond the protocol's.
    public var maximumPacketSize: UInt32?
    /// Publishes of QoS 1 and 2 that the broker takes ahead of its acknowledgement.
    public var receiveMaximum: UInt16 = 65_535
    public var maximumQoS: QoS = .exactlyOnce
    public var retainAvailable = true
    public var wildcardSubscriptionAvailable = true
    public var subscriptionIdentifiersAvailable = true
    public var sharedSubscriptionAvailable = true
    /// Replaces the client's keep-alive.
    public var keepAlive: Duration?
    /// Replaces the client's session expiry.
    public var sessionExpiry: Duration?
    public var assignedClientIdentifier: String?

    public init() {}

    /// Of every broker that speaks the older version, which tells nothing about itself.
    static var mqtt311: ServerCapabilities {
        var capabilities = ServerCapabilities()
        capabilities.subscriptionIdentifiersAvailable = false
        return capabilities
    }
}
