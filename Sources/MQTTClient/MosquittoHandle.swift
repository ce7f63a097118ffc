import CMosquitto
import COpenSSL
import Glibc
import MQTTModel

/// Owns one `struct mosquitto`; the pointer never leaves this class. Not `Sendable`: it belongs to the thread that calls
/// it.
final class MosquittoHandle {
    let raw: OpaquePointer
    private let retainedInbox: Unmanaged<MosquittoInbox>
    /// `nil` for a connection in plain text.
    let tls: TLSContext?

    init(_ options: ConnectOptions) throws(MQTTError) {
        _ = libraryIsInitialized
        do throws(TLSFault) {
            tls = try options.tls.map { tls throws(TLSFault) in try TLSContext(tls, host: options.host) }
        } catch {
            throw MQTTError(.tls, operation: "connect to \(options.host):\(options.port)", detail: error.message)
        }
        let retained = Unmanaged.passRetained(MosquittoInbox(version: options.version))
        guard let raw = mosquitto_new(options.clientIdentifier, options.cleanStart, retained.toOpaque()) else {
            let reason: MQTTError.Reason = errno == ENOMEM ? .outOfMemory : .invalidOption
            retained.release()
            throw MQTTError(reason, operation: "create an MQTT client", detail: "client identifier")
        }
        (self.raw, retainedInbox) = (raw, retained)
        mosquitto_connect_v5_callback_set(raw, onConnect)
        mosquitto_disconnect_v5_callback_set(raw, onDisconnect)
        mosquitto_message_v5_callback_set(raw, onMessage)
        mosquitto_publish_v5_callback_set(raw, onPublish)
        mosquitto_subscribe_v5_callback_set(raw, onSubscribe)
        mosquitto_unsubscribe_v5_callback_set(raw, onUnsubscribe)
        try configure(options)
    }

    deinit {  // destroy before release: a callback must not meet freed memory
        mosquitto_destroy(raw)
        retainedInbox.release()
    }

    var inbox: MosquittoInbox { retainedInbox.takeUnretainedValue() }
    private var hasProperties: Bool { inbox.version == .mqtt5 }

    /// `nil` before the connection is started and after it ended.
    var descriptor: Int32? {
        let descriptor = mosquitto_socket(raw)
        return descriptor >= 0 ? descriptor : nil
    }

    /// While hands are shaken the library's own answer stays true once it was, and `poll` would never wait.
    var wantsWrite: Bool { shaking.map { SSL_want($0) == SSL_WRITING } ?? mosquitto_want_write(raw) }

    // MARK: Before connecting

    private func configure(_ options: ConnectOptions) throws(MQTTError) {
        let version = options.version == .mqtt5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try set(MOSQ_OPT_PROTOCOL_VERSION, to: Int(version), "set the protocol version")
        // Without it an acknowledged publish can take 40 ms.
        try set(MOSQ_OPT_TCP_NODELAY, to: 1, "set TCP_NODELAY")
        try set(MOSQ_OPT_SEND_MAXIMUM, to: options.inFlightLimit, "set the in-flight limit")
        try set(MOSQ_OPT_RECEIVE_MAXIMUM, to: Int(options.receiveMaximum), "set the receive maximum")
        if options.username != nil || options.password != nil {
            let password = options.password.map { $0.revealed.map(CChar.init(bitPattern:)) + [0] }
            try check(mosquitto_username_pw_set(raw, options.username, password), "set the user name and password")
        }
        if let tls {
            // Else the library wants files of its own beside it.
            try set(MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, to: 0, "set up TLS")
            try check(mosquitto_void_option(raw, MOSQ_OPT_SSL_CTX, UnsafeMutableRawPointer(tls.raw)), "set up TLS")
            mosquitto_log_callback_set(raw, onLog)
        }
        if let will = options.willMessage { try set(will) }
    }

    private func set(_ option: mosq_opt_t, to value: Int, _ operation: String) throws(MQTTError) {
        guard let value = Int32(exactly: value) else { throw MQTTError(.invalidOption, operation: operation) }
        try check(mosquitto_int_option(raw, option, value), operation)
    }

    private func set(_ will: WillMessage) throws(MQTTError) {
        let code = will.payload.withUnsafeBytes { payload in
            mosquitto_will_set_v5(
                raw, will.topicName, Int32(payload.count), payload.baseAddress, Int32(will.qos.rawValue), will.retain,
                nil)
        }
        try check(code, "set the will message", invalid: .invalidTopic)
    }

    /// Looks the name up, which waits, and starts connecting, which does not.
    ///
    /// - Parameter sessionExpiry: Seconds; zero sends none.
    func connect(host: String, port: UInt16, keepAlive: Int32, sessionExpiry: UInt32) throws(MQTTError) {
        let operation = "connect to \(host):\(port)"
        if sessionExpiry > 0, hasProperties {
            let properties = PropertyList()
            try check(properties.add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, sessionExpiry), operation)
            // The asynchronous call takes no properties. This one stores them, then refuses the missing host before it
            // touches the network; the asynchronous call sends what is stored.
            _ = mosquitto_connect_bind_v5(raw, nil, Int32(port), keepAlive, nil, properties.raw)
        }
        tls?.report.putsOffReading = true
        let code = mosquitto_connect_async(raw, host, Int32(port), keepAlive)
        let systemError = errno
        tls?.report.putsOffReading = false
        switch mosq_err_t(code) {
        case MOSQ_ERR_SUCCESS:
            return
        case MOSQ_ERR_EAI:  // the library puts the resolver's code there
            throw MQTTError(.hostNotFound, operation: operation, detail: String(cString: gai_strerror(systemError)))
        case MOSQ_ERR_TLS:
            throw MQTTError(.tls, operation: operation, detail: tlsFailure ?? "")
        case MOSQ_ERR_ERRNO:
            throw MQTTError(.unreachable, operation: operation, detail: String(cString: strerror(systemError)))
        default:
            try check(code, operation)
        }
    }

    /// - Parameter userTimeout: How long sent bytes may stay unacknowledged by the other host, in milliseconds.
    func setSocketOptions(userTimeout: Int) {
        guard let descriptor else { return }
        // Without it a child process keeps a cut connection open, so that its will is not sent.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // Best effort: a system without it falls back on the keep-alive.
        var milliseconds = CUnsignedInt(clamping: userTimeout)
        _ = setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds,
            socklen_t(MemoryLayout.size(ofValue: milliseconds)))
    }

    // MARK: Input and output

    enum ReadOutcome { case drained, more, ended }

    /// Reads what is there, until `packets` events or `bytes` of payload wait in the inbox.
    func read(packets: Int, bytes: Int) -> ReadOutcome {
        for _ in 0..<packets {
            errno = 0
            guard mosquitto_loop_read(raw, 1) == MOSQ_ERR_SUCCESS.code else { return .ended }
            // A call reads one packet, or as many as there are unacknowledged messages, whatever its argument says.
            // It stops early with EAGAIN. EAGAIN from writing an acknowledgement looks the same; `poll` then calls
            // again.
            if errno == EAGAIN { return .drained }
            if inbox.end != nil { return .ended }
            if inbox.events.count >= packets || inbox.payloadBytes >= bytes { return .more }
        }
        return .more
    }

    func write() {
        mosquitto_loop_write(raw, 1)
    }

    /// Sends the ping when it is due. The library's clock counts whole seconds.
    func keepAlive() {
        mosquitto_loop_misc(raw)
    }

    // MARK: Packets

    func subscribe(_ subscription: Subscription) throws(MQTTError) -> PacketIdentifier {
        let operation = "subscribe to \(subscription.topicFilter)"
        let properties = PropertyList()
        if let identifier = subscription.identifier {
            try check(properties.addVariable(MQTT_PROP_SUBSCRIPTION_IDENTIFIER, identifier), operation)
        }
        // The library writes the options in every version; in MQTT 3.1.1 these bits must be zero.
        let options = hasProperties ? Int32(subscription.retainHandling.rawValue) << 4 : 0
        var mid: Int32 = 0
        let code = mosquitto_subscribe_v5(
            raw, &mid, subscription.topicFilter, Int32(subscription.qos.rawValue), options, properties.raw)
        try check(code, operation, invalid: .invalidTopic)
        return PacketIdentifier(rawValue: UInt16(truncatingIfNeeded: mid))
    }

    func unsubscribe(_ topicFilter: String) throws(MQTTError) -> PacketIdentifier {
        var mid: Int32 = 0
        let code = mosquitto_unsubscribe_v5(raw, &mid, topicFilter, nil)
        try check(code, "unsubscribe from \(topicFilter)", invalid: .invalidTopic)
        return PacketIdentifier(rawValue: UInt16(truncatingIfNeeded: mid))
    }

    func publish(_ message: Message) throws(MQTTError) -> PacketIdentifier {
        let operation = "publish to \(message.topicName)"
        let properties = PropertyList()
        if message.expirySeconds > 0, hasProperties {
            try check(properties.add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, message.expirySeconds), operation)
        }
        if let topicName = message.correlation?.responseTopic, hasProperties {
            try check(properties.add(MQTT_PROP_RESPONSE_TOPIC, topicName), operation)
        }
        if let data = message.correlation?.data, hasProperties {
            try check(properties.add(MQTT_PROP_CORRELATION_DATA, data), operation)
        }
        guard let length = Int32(exactly: message.payload.count) else {
            throw MQTTError(.packetTooLarge, operation: operation, detail: "\(message.payload.count) bytes")
        }
        if message.qos == .atMostOnce { inbox.willSend() }
        var mid: Int32 = 0
        let code = message.payload.withUnsafeBytes { payload in
            mosquitto_publish_v5(
                raw, &mid, message.topicName, length, payload.baseAddress, Int32(message.qos.rawValue), message.retain,
                properties.raw)
        }
        if code != MOSQ_ERR_SUCCESS.code, message.qos == .atMostOnce { inbox.didNotSend() }
        try check(code, operation, invalid: .invalidTopic)
        let identifier = PacketIdentifier(rawValue: UInt16(truncatingIfNeeded: mid))
        if message.qos > .atMostOnce { inbox.sent(identifier) }
        return identifier
    }

    /// Sends DISCONNECT after what is queued; the library then closes its socket.
    ///
    /// - Returns: A second descriptor of the same connection. Closing it with messages unread would reset the
    ///   connection, and the broker could fail to see DISCONNECT.
    func disconnect() -> SocketDrain? {
        defer { mosquitto_disconnect_v5(raw, 0, nil) }
        return descriptor.flatMap(SocketDrain.init(duplicating:))
    }

    private func check(
        _ code: Int32, _ operation: String, invalid: MQTTError.Reason = .invalidOption
    ) throws(MQTTError) {
        guard code != MOSQ_ERR_SUCCESS.code else { return }
        let text = String(cString: mosquitto_strerror(code))
        let reason: MQTTError.Reason =
            switch mosq_err_t(code) {
            case MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8: invalid
            case MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_LOST, MOSQ_ERR_ERRNO: .notConnected
            case MOSQ_ERR_NOMEM: .outOfMemory
            case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE: .packetTooLarge
            case MOSQ_ERR_QOS_NOT_SUPPORTED, MOSQ_ERR_RETAIN_NOT_SUPPORTED, MOSQ_ERR_NOT_SUPPORTED: .notSupported
            default: .library
            }
        throw MQTTError(reason, operation: operation, detail: text)
    }
}

extension MosquittoInbox.End {
    /// Stands in for a call that failed without a callback.
    static let connectionLost = Self(code: MOSQ_ERR_CONN_LOST.code, systemError: 0)

    var reason: DisconnectReason {
        if code >= 0x80, let code = UInt8(exactly: code) { return .server(ReasonCode(rawValue: code)) }
        return switch mosq_err_t(code) {
        case MOSQ_ERR_SUCCESS: .server(.success)
        case MOSQ_ERR_CONN_LOST: .closedByPeer
        // Over TLS the library writes a goodbye before it says how a connection ended, and the real reason is lost.
        case MOSQ_ERR_ERRNO where [EPROTO, EPIPE].contains(systemError): .closedByPeer
        case MOSQ_ERR_KEEPALIVE: .keepAliveTimeout
        case MOSQ_ERR_ERRNO: .network(systemError, String(cString: strerror(systemError)))
        default: .protocolError(String(cString: mosquitto_strerror(code)))
        }
    }
}

/// The library counts its users, and is never cleaned up.
private let libraryIsInitialized: Bool = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.code

extension mosq_err_t {
    fileprivate var code: Int32 { rawValue }
    fileprivate init(_ code: Int32) { self.init(rawValue: code) }
}
