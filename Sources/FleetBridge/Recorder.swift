internal import CommandLineTool
internal import Configuration
internal import FleetEngine
internal import Glibc
internal import JSON
internal import MQTTClient
internal import MQTTModel
internal import Timestamps

/// Writes what arrives on the sources' filters, a line each. It listens, and never publishes.
final class Recorder {
    private let settings: BrokerSettings
    /// Each filter once, with what it matches.
    private let filters: [TopicTemplate]
    private let qos: QoS
    private let clientIdentifier: String
    private let wakePipe: WakePipe
    private let end: Duration?

    private var connection: MQTTConnection?
    private var connectedAt: Duration?
    private var backoff = Backoff()
    private var retryAt = Duration.zero
    private var random = SystemRandomNumberGenerator()
    /// Filters by the packet that asks for them.
    private var unanswered: [PacketIdentifier: TopicTemplate] = [:]
    /// The first subscriptions bring what is stored.
    private var isSecondPass = false
    /// Topics of which this connection has brought the stored copy.
    private var storedTopics: Set<[UInt8]> = []

    private var lines: [UInt8] = []
    private var linesCount = 0
    /// Messages that are written.
    private(set) var messages = 0
    private(set) var everConnected = false

    init(_ configuration: BridgeConfiguration, for duration: Duration?) throws {
        settings = configuration.broker
        qos = configuration.engine.subscriptionQoS
        var known: Set<String> = []
        filters = configuration.engine.sources.flatMap(\.topics).filter { known.insert($0.topicFilter).inserted }
        // The bridge itself goes on beside it.
        clientIdentifier = "\(settings.clientIdentifier)-record-\(UInt32.random(in: 0 ... .max))"
        end = duration.map { SystemClock.now().monotonic + $0 }
        wakePipe = try WakePipe()
        Signals.deliver([SIGINT, SIGTERM, SIGHUP], to: wakePipe.writeDescriptor)
    }

    /// Records until a signal comes or the time is over.
    func run() throws {
        defer { connection?.disconnect(now: SystemClock.now().monotonic) }
        var poll = PollSet()
        while true {
            let now = SystemClock.now()
            if let end, now.monotonic >= end { return }
            if connection == nil, now.monotonic >= retryAt { connect(now: now.monotonic) }
            poll.removeAll()
            let wake = poll.add(wakePipe.descriptor)
            let socket = connection.map { poll.add($0) }
            let deadlines = [end, connection == nil ? retryAt : connection?.deadline].compactMap(\.self)
            let isMoreDue = connection?.hasMore == true
            try poll.wait(atMost: isMoreDue ? .zero : deadlines.min().map { $0 - SystemClock.now().monotonic })
            if poll[wake].readable, !wakePipe.drain().isEmpty { return }
            try service(readable: socket.map { poll[$0].readable } ?? false, at: SystemClock.now())
        }
    }

    private func connect(now: Duration) {
        do {
            var options = try settings.connectOptions()
            options.clientIdentifier = clientIdentifier
            (options.cleanStart, options.sessionExpiry) = (true, .zero)
            let connection = try MQTTConnection(options)
            try connection.connect(now: now)
            self.connection = connection
        } catch {
            lost("\(error)", now: now)
        }
    }

    private func service(readable: Bool, at now: Instant) throws(OutputFailure) {
        for event in connection?.service(readable: readable, now: now.monotonic) ?? [] { handle(event, at: now) }
        guard !lines.isEmpty else { return }
        defer {
            lines.removeAll(keepingCapacity: true)
            linesCount = 0
        }
        try Output.standardOutput.print(String(decoding: lines, as: UTF8.self))
        messages += linesCount
    }

    private func handle(_ event: MQTTEvent, at now: Instant) {
        switch event {
        case .connected:
            (connectedAt, everConnected) = (now.monotonic, true)
            unanswered.removeAll()
            storedTopics.removeAll()
            isSecondPass = false
            // As the bridge does: a broker's queue cuts what it holds for QoS 1.
            for (index, filter) in filters.enumerated() { subscribe(filter, index, qos: .atMostOnce) }
        case .subscribed(let identifier, let code):
            guard let asked = unanswered.removeValue(forKey: identifier) else { return }
            if code.isFailure {
                tell(.error, "the broker refuses a subscription", ["filter": "\(asked)", "reason": "\(code)"])
            }
            guard unanswered.isEmpty else { return }
            guard !isSecondPass, qos > .atMostOnce else {
                return tell(.info, "recording", ["broker": "\(settings.address)", "filters": "\(filters.count)"])
            }
            isSecondPass = true
            for (index, filter) in filters.enumerated() { subscribe(filter, index, qos: qos) }
        case .message(let message): record(message, at: now.wall)
        case .refused(let code, let text):
            lost("the broker refuses the connection: \(text ?? code.description)", now: now.monotonic)
        case .disconnected(let reason): lost("\(reason)", now: now.monotonic)
        case .published, .unsubscribed: break
        }
    }

    private func subscribe(_ filter: TopicTemplate, _ index: Int, qos: QoS) {
        let identifiers = connection?.capabilities.subscriptionIdentifiersAvailable == true
        let subscription = Subscription(
            topicFilter: filter.topicFilter, qos: qos, retainHandling: isSecondPass ? .never : .always,
            identifier: identifiers ? UInt32(index + 1) : nil)
        do throws(MQTTError) {
            guard let identifier = try connection?.subscribe(subscription) else { return }
            unanswered[identifier] = filter
        } catch {
            tell(.error, "a subscription failed", ["filter": "\(filter)", "reason": "\(error)"])
        }
    }

    private func record(_ message: Message, at time: Timestamp) {
        guard isFirstCopy(message) else { return }
        linesCount += 1
        var writer = JSONWriter()
        MessageLines.begin(message, at: time, &writer)
        writer.key("payloadBase64")
        writer.string(Base64.encode(message.payload))
        writer.endObject()
        lines += writer.bytes
        lines.append(UInt8(ascii: "\n"))
    }

    /// A broker sends one message once for each filter that it matches, and what is stored with each subscription.
    private func isFirstCopy(_ message: Message) -> Bool {
        if !message.subscriptionIdentifiers.isEmpty {
            let topic = TopicLevels(message.topicName)
            let first = filters.firstIndex { $0.match(topic) != nil }
            if let first, !message.subscriptionIdentifiers.contains(UInt32(first + 1)) { return false }
        }
        return !message.retain || storedTopics.insert(Array(message.topicName.utf8)).inserted
    }

    private func lost(_ reason: String, now: Duration) {
        connection = nil
        let wait = backoff.next(after: connectedAt.map { now - $0 }, using: &random)
        connectedAt = nil
        retryAt = now + wait
        tell(.warning, "disconnected", ["reason": reason, "retryIn": "\((wait.inSeconds * 10).rounded() / 10)s"])
    }

    func tell(_ level: LogEntry.Level, _ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        let writer = LogWriter(format: .text, level: .info)
        if let line = writer.line(LogEntry(level, message, fields), at: SystemClock.now().wall) {
            Output.standardError.write(line)
        }
    }
}
