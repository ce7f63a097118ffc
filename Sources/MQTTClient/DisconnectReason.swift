public import MQTTModel

/// Why a connection ended that had been asked for.
public enum DisconnectReason: Hashable, Sendable {
    /// ``MQTTConnection/disconnect(now:)`` was called, and DISCONNECT handed to the network.
    case requested
    /// The broker sent DISCONNECT.
    case server(ReasonCode)
    /// The other side closed the connection without a word: broker ended, client identifier taken over, packet refused.
    case closedByPeer
    /// Nothing was heard for one and a half keep-alives, though a ping was sent.
    case keepAliveTimeout
    /// No CONNACK in time.
    case connectTimeout
    /// The connection could not be secured, or a certificate is not accepted; the text is for people.
    case tls(String)
    /// The network failed; the number is `errno`.
    case network(Int32, String)
    /// Broker or library broke the protocol; the text is the library's.
    case protocolError(String)
}

extension DisconnectReason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .requested: "disconnected on request"
        case .server(let code): "disconnected by the broker: \(code)"
        case .closedByPeer: "connection closed by the other side"
        case .keepAliveTimeout: "no answer to the keep-alive ping"
        case .connectTimeout: "no answer to CONNECT"
        case .tls(let text): "TLS: \(text)"
        case .network(_, let text): text
        case .protocolError(let text): "protocol error: \(text)"
        }
    }
}
