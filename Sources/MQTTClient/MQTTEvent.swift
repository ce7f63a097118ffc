public import MQTTModel

/// Ties an answer of the broker to what was sent. Unique among what is unanswered on one connection.
public struct PacketIdentifier: Hashable, Sendable {
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// What happened on a connection, in the order in which the broker sent it.
public enum MQTTEvent: Sendable, Equatable {
    case connected(sessionPresent: Bool, ServerCapabilities)
    /// CONNACK said no. The connection is over; the text is the broker's, if it sent one.
    case refused(ReasonCode, reasonString: String?)
    case message(Message)
    /// SUBACK: the granted QoS, or why not. Brokers may grant what their access rules then withhold.
    case subscribed(PacketIdentifier, ReasonCode)
    case unsubscribed(PacketIdentifier)
    /// PUBACK or PUBCOMP, with what the broker did with the message.
    case published(PacketIdentifier, ReasonCode)
    /// The connection is over. The last event of a connection is this one or ``refused(_:reasonString:)``.
    case disconnected(DisconnectReason)
}
