internal import CommandLineTool
internal import Configuration
internal import FleetEngine
internal import Glibc
internal import LocalBroker
internal import MQTTClient
internal import Timestamps

/// Runs the engine against a broker: one thread, one `poll` over the broker's socket and the pipe that signals write to.
final class BridgeRunner {
    private let engine: Engine
    private let link: BrokerLink
    private let configuration: LiveConfiguration
    private let console: Console
    private let wakePipe: WakePipe
    private let embeddedBroker: EmbeddedBroker?
    private let service = ServiceNotifier()
    private let broker: String
    /// Why the broker does not have us, for whoever asks.
    private var trouble = "not tried yet"
    private let end: Duration?
    private var pending: [Event] = []
    private var exitCode: Int32?
    private var isEnding = false

    /// - Parameter embeddedBroker: The broker that was started for this run, if one was.
    init(
        _ configuration: LiveConfiguration, console: Console, embeddedBroker: EmbeddedBroker? = nil,
        for duration: Duration?
    ) throws {
        let now = SystemClock.now()
        engine = Engine(
            configuration.started.engine, version: Version.current, seed: UInt64.random(in: 0 ... .max), at: now)
        link = BrokerLink(configuration.started.broker)
        broker = "\(configuration.started.broker.address)"
        self.configuration = configuration
        self.console = console
        self.embeddedBroker = embeddedBroker
        end = duration.map { now.monotonic + $0 }
        wakePipe = try WakePipe()
        Signals.deliver([SIGINT, SIGTERM, SIGHUP], to: wakePipe.writeDescriptor)
    }

    /// Runs until a signal, the end of the duration, or an error that waiting does not mend.
    ///
    /// - Returns: The process's exit code.
    func run() throws -> Int32 {
        defer { console.finish() }
        var poll = PollSet()
        handle(.tick)
        while exitCode == nil || link.connection != nil {
            poll.removeAll()
            let wake = poll.add(wakePipe.descriptor)
            let socket = link.connection.map { poll.add($0) }
            try poll.wait(atMost: timeout())
            if poll[wake].readable { receiveSignals() }
            let readable = socket.map { poll[$0].readable } ?? false
            for event in link.service(readable: readable, now: SystemClock.now().monotonic) { handle(event) }
            if let end, SystemClock.now().monotonic >= end { shutDown() }
            handle(.tick)
            leaveEndedBroker()
            let now = SystemClock.now()
            for warning in link.warnings(at: now) { console.log(warning, at: now.wall) }
            console.show(engine, at: now.monotonic)
            tellService(at: now.monotonic)
        }
        return exitCode ?? 0
    }

    private func timeout() -> Duration? {
        if link.connection?.hasMore == true { return .zero }
        let deadlines = [
            engine.nextDeadline, link.connection?.deadline, console.nextDrawing, service?.nextDeadline,
            isEnding ? nil : end,
        ]
        guard let deadline = deadlines.compactMap({ $0 }).min() else { return nil }
        return max(.zero, deadline - SystemClock.now().monotonic)
    }

    private func receiveSignals() {
        for signal in wakePipe.drain() {
            if Int32(signal) == SIGHUP {
                service?.reloading(at: SystemClock.now().monotonic)
                handle(change(.reload, for: nil))
                continue
            }
            // Whoever asks twice does not want to wait for a broker.
            if isEnding {
                exitCode = exitCode ?? 0
                link.close()
            }
            shutDown()
        }
    }

    /// A broker of our own that has ended comes back no more, and what it kept is gone: waiting for it would be no outage,
    /// but a lie.
    private func leaveEndedBroker() {
        guard let embeddedBroker, exitCode == nil, !isEnding, !embeddedBroker.isRunning else { return }
        console.log(LogEntry(.error, "the embedded broker has ended"), at: SystemClock.now().wall)
        exitCode = 1
        link.close()
    }

    /// Tells systemd that the loop turns, and what for.
    private func tellService(at now: Duration) {
        guard let service else { return }
        service.signLife(at: now)
        guard !isEnding else { return }
        if engine.isLive { service.ready() }
        guard service.isStatusDue(at: now) else { return }
        let snapshot = engine.snapshot
        service.tell(
            status: snapshot.isConnected
                ? "connected to \(broker): \(snapshot.locations) locations, \(snapshot.messages) messages"
                : "not connected to \(broker): \(trouble)", at: now)
    }

    private func shutDown() {
        guard !isEnding else { return }
        isEnding = true
        service?.stopping()
        handle(.shutdown)
    }

    private func handle(_ event: Event) {
        pending.append(event)
        while !pending.isEmpty {
            let (event, now) = (pending.removeFirst(), SystemClock.now())
            if case .disconnected(let reason) = event {
                trouble = reason
                service?.refreshStatus()
            }
            for effect in engine.handle(event, at: now) { carryOut(effect, at: now) }
        }
    }

    private func carryOut(_ effect: Effect, at now: Instant) {
        switch effect {
        case .connect(let message): add(link.connect(message, now: now.monotonic))
        case .disconnect: link.disconnect(now: now.monotonic)
        case .subscribe(let subscription, let token): add(link.subscribe(subscription, token))
        case .unsubscribe(let topicFilter): link.unsubscribe(topicFilter)
        case .publish(let message, let token): add(link.publish(message, token))
        case .reconfigure(let edit, let token): add(change(edit, for: token))
        case .log(let entry): console.log(entry, at: now.wall)
        case .exit(let code): exitCode = exitCode ?? code
        }
    }

    private func change(_ edit: ConfigurationEdit, for token: RequestToken?) -> Event {
        configuration.apply(edit, for: token) { warning in
            console.log(LogEntry(.warning, "\(warning)"), at: SystemClock.now().wall)
        }
    }

    private func add(_ event: Event?) {
        if let event { pending.append(event) }
    }
}
