import CommandLineTool
import MQTTClient
import MQTTModel
import Randomness
import Timestamps

/// Runs devices until a signal or the end of the time: one thread, one poll over all sockets.
struct FleetRun {
    struct Settings {
        var broker: BrokerAccess
        var plans: [FleetPlan]
        /// `nil` runs until a signal comes.
        var end: Duration?
        var seed: UInt64
        /// Where to write what a right consumer must end with; `nil`: nowhere.
        var oracle: String?
    }

    /// How long devices may take to say goodbye.
    private static let longestGoodbye = Duration.seconds(5)
    /// Attempts to connect that are under way at once.
    private static let connectingAtOnce = 50

    private let settings: Settings
    private let links: [Link]
    private let listener: CommandListener
    /// From one look at all connections to the next.
    private let breath: Duration

    init(_ settings: Settings) {
        self.settings = settings
        links = FleetAssembly(broker: settings.broker, seed: settings.seed, hasOracle: settings.oracle != nil)
            .links(settings.plans)
        // Many sockets cost more to look at than a message costs to wait.
        breath = links.count > 100 ? .milliseconds(5) : .milliseconds(1)
        let sources = settings.plans.filter { !(settings.broker.isOfEachDevice && $0.connections == .own) }
            .map(\.source)
        listener = CommandListener(
            sources: Array(Set(sources)).sorted(),
            options: settings.broker.controlOptions(source: sources.first ?? "", number: .random(in: 0...UInt64.max)),
            random: SeededRandom(seed: ~settings.seed, stream: -1))
    }

    /// - Returns: A failure when the time is over and not every device was ever connected.
    func run() throws -> ExitCode {
        if let path = settings.oracle { try OracleFile.prepare(path) }
        let signals = try WakePipe()
        Signals.deliver(to: signals.writeDescriptor)
        let clock = MonotonicClock()
        var desk = CommandDesk(
            links, schedules: settings.plans.map { ($0.source, CommandSchedule($0.schedule)) })
        var report = FleetReport(settings.plans, broker: "\(settings.broker.address)", seed: settings.seed)
        report.begin()
        defer { report.finish() }

        var poll = PollSet()
        var lastPass = Duration.zero
        var stopBy: Duration?
        while !links.allSatisfy({ $0.state == .done }) {
            try breathe(&poll, clock: clock, signals: signals, after: lastPass)
            let times = [stopBy ?? settings.end, report.due, desk.due, listener.deadline]
            let (ready, hasCommands) = try wait(&poll, clock: clock, signals: signals, until: times)
            let now = clock.now
            lastPass = now
            if stopBy == nil { command(&desk, &report, readable: hasCommands, now: now) }
            work(ready, clock: clock, now: now)
            report.update(links, now: now)

            if stopBy == nil, !signals.drain().isEmpty || settings.end.map({ now >= $0 }) ?? false {
                stopBy = now + Self.longestGoodbye
                report.leaving(links, now: now)
                listener.finish()
                for link in links { link.leave(wall: MonotonicClock.wall) }
            } else if let stopBy, now >= stopBy {
                for link in links { link.finish(wall: MonotonicClock.wall) }
            }
        }
        report.end(links, desk, after: clock.now)
        if let path = settings.oracle { try OracleFile.write(links, seed: settings.seed, to: path) }
        return settings.end != nil && !links.allSatisfy(\.everConnected) ? .failure : .success
    }

    /// Hears commands and follows the schedules.
    private func command(_ desk: inout CommandDesk, _ report: inout FleetReport, readable: Bool, now: Duration) {
        listener.work(readable: readable, now: now)
        for message in listener.takeReceived() + links.flatMap({ $0.takeCommands() }) {
            if let problem = desk.handle(message, at: now) { report.refused(problem, now: now) }
        }
        if let due = desk.due, now >= due {
            for problem in desk.followSchedules(at: now) { report.refused(problem, now: now) }
        }
        if let trouble = listener.takeTrouble() { report.commandsNotHeard(trouble, now: now) }
    }

    private func work(_ ready: [Bool], clock: MonotonicClock, now: Duration) {
        let wall = MonotonicClock.wall
        var mayStart = Self.connectingAtOnce - links.count { $0.state == .connecting }
        for (link, isReady) in zip(links, ready) {
            let before = link.state
            link.work(readable: isReady, now: now, wall: wall, mayConnect: mayStart > 0)
            if link.state == .connecting, before != .connecting { mayStart -= 1 }
            // Looking up the broker's name may wait for long; signals are looked for in between.
            if case .waiting = before, clock.now - now > .milliseconds(200) { mayStart = 0 }
        }
    }

    /// Lets some work gather: each pass looks at every connection, and in a big fleet something is due at any moment.
    private func breathe(
        _ poll: inout PollSet, clock: MonotonicClock, signals: WakePipe, after lastPass: Duration
    ) throws {
        poll.removeAll()
        poll.add(signals.descriptor)
        try poll.wait(atMost: lastPass + breath - clock.now)
    }

    /// Waits for a socket, a signal or a time.
    ///
    /// - Returns: Whether each link's socket is readable, and that for commands.
    private func wait(
        _ poll: inout PollSet, clock: MonotonicClock, signals: WakePipe, until times: [Duration?]
    ) throws -> (links: [Bool], commands: Bool) {
        poll.removeAll()
        poll.add(signals.descriptor)
        let commands = listener.descriptor.map { poll.add($0, write: listener.wantsWrite) }
        let slots = links.map { link in link.descriptor.map { poll.add($0, write: link.wantsWrite) } }
        let deadline = (times + links.map(\.deadline)).compactMap(\.self).min()
        try poll.wait(atMost: deadline.map { $0 - clock.now })
        return (
            slots.map { slot in slot.map { poll[$0].readable } ?? false },
            commands.map { poll[$0].readable } ?? false
        )
    }
}
