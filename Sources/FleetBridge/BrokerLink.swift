internal import Configuration
internal import FleetEngine
internal import MQTTClient
internal import MQTTModel
internal import Timestamps

/// Carries out on a connection what the engine wants, and tells the engine what came of it. Each connect is a new
/// connection; of an old one nothing more is heard.
final class BrokerLink {
    private let settings: BrokerSettings
    private(set) var connection: MQTTConnection?
    /// Why the broker does not have us; `nil` while it has.
    private(set) var trouble: String? = "not tried yet"
    /// Whether the broker has answered CONNECT on ``connection``.
    private var isAccepted = false
    private var certificates = CertificateWatch()
    /// What the broker's answers are about.
    private var requests: [PacketIdentifier: RequestToken] = [:]

    init(_ settings: BrokerSettings) { self.settings = settings }

    var address: BrokerAddress { settings.address }

    /// - Returns: What is known at once; `nil` where the connection's events will tell.
    func connect(_ willMessage: WillMessage?, now: Duration) -> Event? {
        close()
        do {
            var options = try settings.connectOptions()
            options.inFlightLimit = Engine.publishesInFlight
            options.willMessage = willMessage
            let connection = try MQTTConnection(options)
            try connection.connect(now: now)
            self.connection = connection
            isAccepted = false
            return nil
        } catch {
            return ended("\(error)")
        }
    }

    func subscribe(_ subscription: Subscription, _ token: RequestToken) -> Event? {
        do {
            guard let connection else { return nil }
            var subscription = subscription
            if !connection.capabilities.subscriptionIdentifiersAvailable { subscription.identifier = nil }
            requests[try connection.subscribe(subscription)] = token
            return nil
        } catch {
            // The end of the connection, if it is that, is told by itself.
            return error.reason == .notConnected ? nil : .subscribeFailed(token, reason: "\(error)")
        }
    }

    /// What comes of it is of no interest: messages that nobody asked for are ignored.
    func unsubscribe(_ topicFilter: String) { _ = try? connection?.unsubscribe(topicFilter) }

    func publish(_ message: Message, _ token: RequestToken) -> Event? {
        do {
            guard let connection else { return nil }
            if let identifier = try connection.publish(message) { requests[identifier] = token }
            return nil
        } catch {
            if error.reason == .notConnected { return nil }
            let isFinal = [.packetTooLarge, .invalidTopic, .notSupported].contains(error.reason)
            return .publishFailed(token, reason: "\(error)", mayRetry: !isFinal)
        }
    }

    func disconnect(now: Duration) { connection?.disconnect(now: now) }

    /// Cuts the connection, without another event from it.
    func close() {
        connection?.close()
        connection = nil
        requests.removeAll()
    }

    /// Reads and writes what is due.
    func service(readable: Bool, now: Duration) -> [Event] {
        guard let connection else { return [] }
        return connection.service(readable: readable, now: now).compactMap(event)
    }

    private func event(_ event: MQTTEvent) -> Event? {
        switch event {
        case .connected(_, let capabilities):
            isAccepted = true
            trouble = nil
            certificates.look(at: connection?.certificates ?? [])
            return .connected(
                maximumPacketSize: capabilities.maximumPacketSize.map(Int.init),
                receiveMaximum: Int(capabilities.receiveMaximum))
        case .refused(let code, let text):
            let hint = code == .unsupportedProtocolVersion ? versionHint : ""
            return ended("the broker refuses the connection: \(text ?? code.description)\(hint)")
        case .message(let message): return .message(message)
        case .subscribed(let identifier, let code):
            return requests.removeValue(forKey: identifier).map { .subscribed($0, code) }
        case .published(let identifier, let code):
            return requests.removeValue(forKey: identifier).map { .published($0, code) }
        case .unsubscribed: return nil
        case .disconnected(let reason):
            let isUnexplained: Bool =
                switch reason {
                case .closedByPeer, .protocolError: !isAccepted
                default: false
                }
            return ended("\(reason)\(isUnexplained ? silenceHint : "")")
        }
    }

    private func ended(_ reason: String) -> Event {
        connection = nil
        trouble = reason
        return .disconnected(reason: reason)
    }

    /// Certificates that are about to expire.
    func warnings(at now: Instant) -> [LogEntry] { certificates.warnings(at: now) }

    /// Brokers that do not speak a version say so, answer in another one, or just close the connection.
    private var versionHint: String {
        let (tried, other) = (settings.protocolVersion, settings.protocolVersion.other)
        return "; where the broker does not speak \(tried), set \(settings.section).protocol to \(other.rawValue)"
    }

    private var silenceHint: String {
        settings.address.isSecure
            ? versionHint : versionHint + "; where it wants TLS, write mqtts:// in \(settings.section).url"
    }
}
