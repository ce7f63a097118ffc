import MQTTModel

/// Where the callbacks put what they copy, until the thread that caused them takes it out.
final class MosquittoInbox {
    /// How the library said the connection ended.
    struct End {
        /// A library code below 128, else the broker's reason code.
        var code: Int32
        /// `errno` at that moment, read before anything could change it.
        var systemError: Int32
    }

    let version: ProtocolVersion
    private(set) var events: [MQTTEvent] = []
    /// Bytes of the payloads in ``events``.
    private(set) var payloadBytes = 0
    /// Publishes of QoS 1 and 2 without an answer.
    private(set) var inFlight: Set<PacketIdentifier> = []
    /// Publishes of QoS 0 that the socket has not taken.
    private(set) var unsent = 0
    private(set) var end: End?
    /// What the library said last of TLS, where it says more to its log than to its caller.
    var libraryError: String?

    init(version: ProtocolVersion) { self.version = version }

    func append(_ event: MQTTEvent) {
        events.append(event)
    }

    func append(_ message: Message) {
        payloadBytes += message.payload.count
        events.append(.message(message))
    }

    /// The library calls back for QoS 0 too, when the packet has been written.
    func acknowledged(_ identifier: PacketIdentifier, _ reasonCode: ReasonCode) {
        if inFlight.remove(identifier) != nil {
            events.append(.published(identifier, reasonCode))
        } else if unsent > 0 {
            unsent -= 1
        }
    }

    /// Keeps the first: after a DISCONNECT from the broker the library calls a second time, with code 0.
    func ended(_ end: End) {
        if self.end == nil { self.end = end }
    }

    func willSend() { unsent += 1 }
    func didNotSend() { if unsent > 0 { unsent -= 1 } }
    func sent(_ identifier: PacketIdentifier) { inFlight.insert(identifier) }

    func drain() -> [MQTTEvent] {
        defer {
            events = []
            payloadBytes = 0
        }
        return events
    }
}
