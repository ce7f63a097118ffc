/// One entry of a SUBSCRIBE packet (MQTT 5.0, §3.8.3).
public struct Subscription: Sendable, Equatable {
    /// When stored messages are sent on subscribing (MQTT 5.0, §3.8.3.1).
    public enum RetainHandling: UInt8, Sendable {
        case always = 0
        case ifNew = 1
        case never = 2
    }

    /// A filter with the wildcards `+` and `#`, as it goes on the wire.
    public var topicFilter: String
    public var qos: QoS
    public var retainHandling: RetainHandling
    /// 1 … 268 435 455; comes back with each message that this subscription matched.
    public var identifier: UInt32?

    public init(
        topicFilter: String, qos: QoS, retainHandling: RetainHandling = .always, identifier: UInt32? = nil
    ) {
        self.topicFilter = topicFilter
        self.qos = qos
        self.retainHandling = retainHandling
        self.identifier = identifier
    }
}
