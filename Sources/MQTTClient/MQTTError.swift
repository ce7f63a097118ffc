/// Why a call on a connection failed. Nothing was sent.
public struct MQTTError: Error, Hashable, Sendable {
    public enum Reason: String, Sendable {
        /// An option that no broker could accept, such as a keep-alive of 2 s or a NUL byte in a name.
        case invalidOption = "invalid option"
        /// A topic name or filter that MQTT does not allow.
        case invalidTopic = "invalid topic"
        case hostNotFound = "host not found"
        /// The network or the host said no at once: refused, no route.
        case unreachable = "unreachable"
        /// A certificate or key cannot be used, or the other side's does not pass.
        case tls = "TLS"
        /// Not connected yet, or no longer. Keep the message and send it on the next connection.
        case notConnected = "not connected"
        /// As many publishes as agreed wait for their acknowledgement; try again after ``MQTTEvent/published(_:_:)``.
        case inFlightLimit = "too many unacknowledged publishes"
        /// The socket takes no more, and enough waits already; try again when ``MQTTConnection/wantsWrite`` is false.
        case sendQueueFull = "send queue full"
        /// Larger than the broker's Maximum Packet Size; sending it would end the connection.
        case packetTooLarge = "packet too large"
        /// QoS or retain that the broker said it does not support.
        case notSupported = "not supported by the broker"
        case outOfMemory = "out of memory"
        /// Anything else; the text is the library's.
        case library = "library error"
    }

    public var reason: Reason
    /// What was being done, to what: `connect to broker:1883`.
    public var operation: String
    /// More about the reason, for people; may be empty.
    public var detail: String

    public init(_ reason: Reason, operation: String, detail: String = "") {
        self.reason = reason
        self.operation = operation
        self.detail = detail
    }
}

extension MQTTError: CustomStringConvertible {
    public var description: String {
        detail.isEmpty ? "\(operation): \(reason.rawValue)" : "\(operation): \(reason.rawValue): \(detail)"
    }
}
