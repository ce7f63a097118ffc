public import MQTTModel

/// What one connection attempt needs to know.
public struct ConnectOptions: Sendable, Equatable {
    /// A name or a numeric address. A name is looked up inside ``MQTTConnection/connect(now:)``, which waits for the
    /// answer.
    public var host: String
    /// 1 … 65 535.
    public var port: UInt16
    /// `nil`: the broker assigns one and tells it in ``ServerCapabilities/assignedClientIdentifier``.
    public var clientIdentifier: String?
    public var version = ProtocolVersion.mqtt5
    /// Forget an earlier session of this client identifier (MQTT 5.0, §3.1.2.4). In MQTT 3.1.1, where it is called clean
    /// session, also: forget this one when it ends.
    public var cleanStart = true
    /// Whole seconds, 5 … 65 535, or zero for none; the broker may shorten it. A broker that says nothing for one and a
    /// half times as long is given up.
    public var keepAlive: Duration = .seconds(15)
    /// How long the broker keeps subscriptions and queue after the connection ends; whole seconds, zero for not at all.
    /// MQTT 3.1.1 has no place for it: there ``cleanStart`` alone decides, and the broker how long it keeps a session.
    public var sessionExpiry: Duration = .zero
    /// `nil`: plain text.
    public var tls: TLSOptions?
    public var username: String?
    public var password: Secret?
    /// Payload at most 65 535 bytes.
    public var willMessage: WillMessage?
    /// From the start of the attempt to CONNACK.
    public var connectTimeout: Duration = .seconds(10)
    /// Publishes of QoS 1 and 2 that may wait for their acknowledgement, 1 … 65 535; less where the broker says so.
    public var inFlightLimit = 20
    /// The Receive Maximum announced: messages of QoS 1 and 2 that the broker may send ahead of our acknowledgement.
    public var receiveMaximum: UInt16 = 1_000
    /// Publishes of QoS 0 that may wait for the socket.
    public var sendQueueLimit = 1_000

    public init(host: String, port: UInt16 = 1883, clientIdentifier: String? = nil) {
        self.host = host
        self.port = port
        self.clientIdentifier = clientIdentifier
    }
}

extension ConnectOptions {
    /// Finds what the library would read as something else: it takes C strings, whole seconds, and port 0 for the path
    /// of a socket file.
    func validate() throws(MQTTError) {
        let operation = "connect to \(host):\(port)"
        func require(_ condition: Bool, _ detail: String) throws(MQTTError) {
            if !condition { throw MQTTError(.invalidOption, operation: operation, detail: detail) }
        }
        try require(!host.isEmpty, "no host")
        try require(port > 0, "port 0")
        let texts = [host, clientIdentifier, username, willMessage?.topicName].map { Array(($0 ?? "").utf8) }
        for text in texts + [password?.revealed ?? []] {
            try require(!text.contains(0), "NUL in a text")
            try require(text.count <= 65_535, "a text longer than 65535 bytes")
        }
        try require(clientIdentifier != "", "empty client identifier")
        try require(version == .mqtt5 || username != nil || password == nil, "MQTT 3.1.1: a password needs a user name")
        try require(clientIdentifier != nil || cleanStart, "a session to be continued needs a client identifier")
        let keepAliveSeconds = keepAlive.components.seconds
        try require(
            keepAlive == .zero || (5...65_535).contains(keepAliveSeconds) && keepAlive == .seconds(keepAliveSeconds),
            "keep-alive must be whole seconds from 5 to 65535, or 0")
        let expirySeconds = sessionExpiry.components.seconds
        try require(
            (0...Int64(UInt32.max)).contains(expirySeconds) && sessionExpiry == .seconds(expirySeconds),
            "session expiry must be whole seconds from 0 to 4294967295")
        try require((1...65_535).contains(inFlightLimit), "in-flight limit must be 1 to 65535")
        try require(receiveMaximum > 0, "receive maximum must be at least 1")
        try require((willMessage?.payload.count ?? 0) <= 65_535, "will message longer than 65535 bytes")
    }

    /// Milliseconds. The same patience as with a silent broker.
    var userTimeout: Int {
        Int(clamping: (keepAlive == .zero ? connectTimeout : keepAlive).components.seconds) * 1_500
    }
}

func refuseNUL(in text: String, _ operation: String, _ reason: MQTTError.Reason) throws(MQTTError) {
    if text.utf8.contains(0) { throw MQTTError(reason, operation: operation, detail: "NUL in a text") }
}
