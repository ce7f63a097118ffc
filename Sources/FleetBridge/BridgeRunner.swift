internal import CommandLineTool
internal import Configuration
internal import FleetEngine
internal import Glibc
internal import LocalBroker
internal import Locations
internal import MQTTClient
internal import Timestamps

/// Runs the engine against its broker, or its two: one thread, one `poll` over their sockets and the pipe that signals
/// write to.
final class BridgeRunner {
    private let engine: Engine
    /// Where the bridge publishes, and reads unless there is a ``sourceLink``.
    private let link: BrokerLink
    private let sourceLink: BrokerLink?
    private let links: [BrokerLink]
    private let configuration: LiveConfiguration
    private let console: Console
    private let wakePipe: WakePipe
    private let embeddedBroker: EmbeddedBroker?
    private let trackLog: TrackLog?
    private let webServer: WebServer?
    private let service = ServiceNotifier()
    private let end: Duration?
    private var pending: [Event] = []
    private var exitCode: Int32?
    private var isEnding = false
    /// As the service's status told last.
    private var workingLinks = 0

    /// - Parameters:
    ///   - embeddedBroker: The broker that was started for this run, if one was.
    ///   - sources: Those that no message feeds.
    init(
        _ configuration: LiveConfiguration, console: Console, embeddedBroker: EmbeddedBroker? = nil,
        for duration: Duration?, registering sources: [any LocationSource]
    ) throws {
        let now = SystemClock.now()
        let engine = Engine(
            configuration.started.engine, version: Version.current, seed: UInt64.random(in: 0 ... .max), at: now)
        self.engine = engine
        for source in sources { try engine.add(source) }
        trackLog = configuration.started.gpxLog.map { TrackLog($0, of: engine) }
        let (broker, outputBroker) = (configuration.started.broker, configuration.started.outputBroker)
        link = BrokerLink(outputBroker ?? broker)
        sourceLink = outputBroker == nil ? nil : BrokerLink(broker)
        links = [link, sourceLink].compactMap(\.self)
        self.configuration = configuration
        self.console = console
        self.embeddedBroker = embeddedBroker
        end = duration.map { now.monotonic + $0 }
        let wakePipe = try WakePipe()
        self.wakePipe = wakePipe
        webServer = try configuration.started.http.map {
            try WebServer($0, of: engine, wakePipe: wakePipe, console, at: now)
        }
        Signals.deliver([SIGINT, SIGTERM, SIGHUP], to: wakePipe.writeDescriptor)
    }

    /// Runs until a signal, the end of the duration, or an error that waiting does not mend.
    ///
    /// - Returns: The process's exit code.
    func run() throws -> Int32 {
        defer {
            webServer?.stop()
            trackLog?.finish(console)
            console.finish()
        }
        var poll = PollSet()
        handle(.tick)
        while exitCode == nil || links.contains(where: { $0.connection != nil }) {
            poll.removeAll()
            let wake = poll.add(wakePipe.descriptor)
            let sockets = links.map { link in link.connection.map { poll.add($0) } }
            try poll.wait(atMost: timeout())
            if poll[wake].readable { receiveSignals() }
            for (link, socket) in zip(links, sockets) {
                let readable = socket.map { poll[$0].readable } ?? false
                for event in link.service(readable: readable, now: SystemClock.now().monotonic) {
                    handle(link === sourceLink ? .source(event) : event)
                }
            }
            if let end, SystemClock.now().monotonic >= end { shutDown() }
            handle(.tick)
            leaveEndedBroker()
            let now = SystemClock.now()
            for warning in links.flatMap({ $0.warnings(at: now) }) { console.log(warning, at: now.wall) }
            trackLog?.report(to: console, at: now)
            webServer?.advance(engine, at: now)
            console.show(engine, at: now.monotonic)
            tellService(at: now.monotonic)
        }
        return exitCode ?? 0
    }

    private func timeout() -> Duration? {
        if links.contains(where: { $0.connection?.hasMore == true }) { return .zero }
        let deadlines =
            links.map { $0.connection?.deadline } + [
                engine.nextDeadline, console.nextDrawing, service?.nextDeadline, isEnding ? nil : end,
                webServer?.nextDeadline,
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
                for link in links { link.close() }
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
        for link in links { link.close() }
    }

    /// Tells systemd that the loop turns, and what for.
    private func tellService(at now: Duration) {
        guard let service else { return }
        service.signLife(at: now)
        guard !isEnding else { return }
        if engine.isLive { service.ready() }
        let working = links.count { $0.trouble == nil }
        if working != workingLinks { service.refreshStatus() }
        workingLinks = working
        guard service.isStatusDue(at: now) else { return }
        let snapshot = engine.snapshot
        let broken = links.filter { $0.trouble != nil }.map { "not connected to \($0.address): \($0.trouble ?? "")" }
        // While stored messages come in, the figures say nothing yet.
        if broken.isEmpty, !engine.isLive { return }
        let counts = "\(snapshot.locations) locations, \(snapshot.messages) messages"
        let connected = "connected to \(links.map { "\($0.address)" }.joined(separator: " and "))"
        service.tell(
            status: broken.isEmpty ? "\(connected): \(counts)" : broken.joined(separator: "; "), at: now)
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
            for effect in engine.handle(event, at: now) { carryOut(effect, on: link, at: now) }
        }
    }

    private func carryOut(_ effect: Effect, on link: BrokerLink, at now: Instant) {
        switch effect {
        case .connect(let message): add(link.connect(message, now: now.monotonic), from: link)
        case .disconnect: link.disconnect(now: now.monotonic)
        case .subscribe(let subscription, let token): add(link.subscribe(subscription, token), from: link)
        case .unsubscribe(let topicFilter): link.unsubscribe(topicFilter)
        case .publish(let message, let token): add(link.publish(message, token), from: link)
        case .source(let effect): if let sourceLink { carryOut(effect, on: sourceLink, at: now) }
        case .reconfigure(let edit, let token): pending.append(change(edit, for: token))
        case .log(let entry): console.log(entry, at: now.wall)
        case .exit(let code):
            exitCode = exitCode ?? code
            sourceLink?.disconnect(now: now.monotonic)
        }
    }

    private func change(_ edit: ConfigurationEdit, for token: RequestToken?) -> Event {
        webServer?.configurationChanged(at: SystemClock.now())
        return configuration.apply(edit, for: token) { warning in
            console.log(LogEntry(.warning, "\(warning)"), at: SystemClock.now().wall)
        }
    }

    private func add(_ event: Event?, from link: BrokerLink) {
        if let event { pending.append(link === sourceLink ? .source(event) : event) }
    }
}
