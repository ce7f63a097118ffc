internal import MQTTModel

/// One attempt to connect to a broker, and the connection that comes of it. MQTT 5 or 3.1.1.
///
/// It belongs to the thread that services it, and is used once: after the last event a new one takes its place, since
/// the library would send again what the old connection left unacknowledged, before anything newer.
///
///     var poll = PollSet()
///     let connection = try MQTTConnection(options)
///     try connection.connect(now: now())
///     while let deadline = connection.deadline {
///         poll.removeAll()
///         let slot = poll.add(connection)
///         try poll.wait(atMost: deadline - now())
///         for event in connection.service(readable: poll[slot].readable, now: now()) { … }
///     }
///
/// `now` is always a monotonic reading, from any starting point.
///
/// MQTT 3.1.1 has no properties, no retain handling and no reason codes: stored messages come with every subscription,
/// expiry and correlation are left out, and a publish that the broker's access rules drop is acknowledged like any other.
public final class MQTTConnection {
    public let options: ConnectOptions
    public private(set) var state = State.idle
    /// What the broker said in CONNACK; defaults before.
    public private(set) var capabilities = ServerCapabilities()
    /// Whether the last ``service(readable:now:)`` stopped at its bound, so that another is due without waiting.
    public private(set) var hasMore = false

    public enum State: Sendable {
        case idle, connecting, connected, disconnecting, closed
    }

    /// So that a flood on one connection does not starve the others.
    private static let packetsPerService = 256, bytesPerService = 4 << 20
    /// The library's clock counts seconds.
    private static let housekeeping = Duration.seconds(1)
    private static let disconnectTimeout = Duration.seconds(1)

    private(set) var handle: MosquittoHandle?
    /// While disconnecting. It takes the socket's place when the library has closed that.
    private var drain: SocketDrain?
    private var silence: SilenceWatch
    private var lastService = Duration.zero, lastHousekeeping = Duration.zero
    /// When connecting or disconnecting has taken too long.
    private var giveUp: Duration?

    /// Opens nothing yet.
    public init(_ options: ConnectOptions) throws(MQTTError) {
        try options.validate()
        handle = try MosquittoHandle(options)
        self.options = options
        silence = SilenceWatch(keepAlive: .zero, now: .zero)
    }

    /// Starts to connect.
    ///
    /// Looking up a host name waits for the resolver, in the worst case for tens of seconds; nothing else here waits,
    /// and a numeric address needs no look-up. Of several addresses the first that does not fail at once is tried, no
    /// other.
    ///
    /// - Throws: What the network or the resolver said at once. The attempt is then over, without an event.
    public func connect(now: Duration) throws(MQTTError) {
        guard state == .idle, let handle else {
            throw MQTTError(.invalidOption, operation: "connect", detail: "a connection is used once")
        }
        do throws(MQTTError) {
            try handle.connect(
                host: options.host, port: options.port,
                keepAlive: Int32(clamping: options.keepAlive.components.seconds),
                sessionExpiry: UInt32(clamping: options.sessionExpiry.components.seconds))
        } catch {
            close()
            throw error
        }
        handle.setSocketOptions(userTimeout: options.userTimeout)
        state = .connecting
        (lastService, lastHousekeeping) = (now, now)
        giveUp = now + options.connectTimeout
    }

    /// The socket to poll, for what ``wantsRead`` and ``wantsWrite`` say. `nil` before and after the connection.
    public var descriptor: Int32? { handle?.descriptor ?? drain?.descriptor }

    /// Not between ``disconnect(now:)`` and the moment when DISCONNECT is sent: the library would take a message for a
    /// fault and close.
    public var wantsRead: Bool { state != .disconnecting || handle?.descriptor == nil }

    /// Whether something waits for the socket: the connection itself, or packets that it did not take.
    public var wantsWrite: Bool { handle?.wantsWrite ?? false }

    /// What TLS stands on: our own certificate, and the broker's once it has been shown.
    public var certificates: [CertificateValidity] {
        [handle?.tls?.certificate?.validity, handle?.peerCertificate].compactMap(\.self)
    }

    /// When ``service(readable:now:)`` is due even if the socket stays silent. `nil` before and after the connection.
    public var deadline: Duration? {
        switch state {
        case .idle, .closed: return nil
        case .connecting, .connected, .disconnecting:
            if state == .disconnecting { return giveUp }
            if hasMore || handle?.inbox.end != nil { return lastService }
            return [lastHousekeeping + Self.housekeeping, giveUp, silence.deadline].compactMap(\.self).min()
        }
    }

    /// Does the reading, writing and keep-alive that is due, and returns what happened.
    ///
    /// After the event that ends the connection nothing more comes.
    ///
    /// - Parameters:
    ///   - readable: Whether `poll` reported input, an error or a hang-up. Never `true` on a guess: a socket that is
    ///     still connecting would fail.
    ///   - now: A monotonic reading.
    public func service(readable: Bool, now: Duration) -> [MQTTEvent] {
        guard let handle, state != .idle else { return [] }
        if state == .disconnecting { return finish(handle, readable: readable, now: now) }
        let readable = readable || hasMore
        (lastService, hasMore) = (now, false)

        var ended = handle.inbox.end != nil
        var hasShaken = true
        if !ended, handle.isShakingHands {
            // What comes next waits for `poll`: what the broker says to our certificate is then read before we write to a
            // connection that it has closed.
            hasShaken = false
            if readable || handle.wantsWrite { ended = !handle.shakeHands() }
        } else if !ended, readable {
            switch handle.read(packets: Self.packetsPerService, bytes: Self.bytesPerService) {
            case .drained: silence.heard(at: now)
            case .more: (hasMore, _) = (true, silence.heard(at: now))
            case .ended: ended = true
            }
        }
        if !ended, hasShaken, handle.wantsWrite { handle.write() }
        // The library gives up when its ping is unanswered, even if the answer lies in the socket behind a backlog.
        if !ended, !hasMore || now - lastHousekeeping >= max(options.keepAlive / 2, Self.housekeeping) {
            handle.keepAlive()
            lastHousekeeping = now
        }
        var end = (handle.inbox.end ?? (ended ? .connectionLost : nil))?.reason
        if end != nil, let failure = handle.tlsFailure { end = .tls(failure) }
        return close(after: handle.inbox.drain(), end: end, now: now)
    }

    /// Gets DISCONNECT out, then waits for the broker to close.
    private func finish(_ handle: MosquittoHandle, readable: Bool, now: Duration) -> [MQTTEvent] {
        lastService = now
        if handle.descriptor != nil {
            if handle.wantsWrite { handle.write() }
            if handle.descriptor == nil { drain?.finishWriting() }
        } else if drain == nil || readable && drain?.drain() == true {
            return close(after: handle.inbox.drain(), end: .requested, now: now)
        }
        return close(after: handle.inbox.drain(), end: nil, now: now)
    }

    /// Notes what the events say about the connection, and adds the end if it is one.
    private func close(after events: [MQTTEvent], end: DisconnectReason?, now: Duration) -> [MQTTEvent] {
        for event in events {
            switch event {
            case .connected(_, let capabilities):
                self.capabilities = capabilities
                silence = SilenceWatch(keepAlive: capabilities.keepAlive ?? options.keepAlive, now: now)
                if state == .connecting { (state, giveUp) = (.connected, nil) }
            case .refused:
                close()
                return events
            default: break
            }
        }
        guard let reason = end ?? overdue(at: now) else { return events }
        let wasConnecting = state == .connecting
        close()
        // The library speaks of the keep-alive also when it waited for CONNACK.
        return events + [.disconnected(wasConnecting && reason == .keepAliveTimeout ? .connectTimeout : reason)]
    }

    private func overdue(at now: Duration) -> DisconnectReason? {
        if let giveUp, now >= giveUp { return state == .disconnecting ? .requested : .connectTimeout }
        return state == .connected && silence.isLost(at: now) ? .keepAliveTimeout : nil
    }

    // MARK: Ending

    /// Sends DISCONNECT after everything queued, so that no will is published. ``MQTTEvent/disconnected(_:)`` follows
    /// from ``service(readable:now:)`` when the broker has closed the connection, or after 2 s. Messages that come in
    /// between are dropped, unacknowledged.
    public func disconnect(now: Duration) {
        guard let handle else { return }
        switch state {
        case .connected:
            state = .disconnecting
            giveUp = now + Self.disconnectTimeout
            drain = handle.disconnect()
            if handle.descriptor == nil { drain?.finishWriting() }
        case .connecting:
            state = .disconnecting
            giveUp = now
        case .idle, .disconnecting, .closed: break
        }
    }

    /// Cuts the connection without DISCONNECT and without an event; the broker publishes the will.
    public func close() {
        (handle, drain) = (nil, nil)
        (state, giveUp, hasMore) = (.closed, nil, false)
    }
}
