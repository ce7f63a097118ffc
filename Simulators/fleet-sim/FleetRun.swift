import CommandLineTool
import MQTTClient
import MQTTModel
import MotionModels
import Randomness
import Timestamps

/// Runs devices until a signal or the end of the time: one thread, one poll over all sockets.
struct FleetRun {
    struct Settings {
        var broker: BrokerAccess
        var interval: Duration
        /// `nil` runs until a signal comes.
        var end: Duration?
        var seed: UInt64
        var format: SimulatedFormat
        var plan: LocalPlan
    }

    /// How long devices may take to say goodbye.
    private static let longestGoodbye = Duration.seconds(5)
    /// Attempts to connect that are under way at once.
    private static let connectingAtOnce = 50

    /// From one look at all devices to the next.
    private static let breath = Duration.milliseconds(5)

    private let settings: Settings
    private let links: [DeviceLink]
    private let source: String

    init(_ settings: Settings, devices: [any SimulatedDevice]) {
        self.settings = settings
        source = devices.first?.identity.source ?? ""
        links = devices.enumerated().map { number, device in
            DeviceLink(
                device, format: settings.format.make(device.identity, settings.plan), named: settings.format.name,
                broker: settings.broker, interval: settings.interval,
                phase: settings.interval * number / devices.count,
                // Apart from the device's own numbers, which must not depend on the network.
                random: SeededRandom(seed: ~settings.seed, stream: number))
        }
    }

    /// - Returns: A failure only when the time is over and no device ever connected.
    func run() throws -> ExitCode {
        let signals = try WakePipe()
        Signals.deliver(to: signals.writeDescriptor)
        let clock = MonotonicClock()
        var report = FleetReport(
            title:
                "\(links.count) \(settings.format.name) devices of \(source) at \(settings.broker.address), seed \(settings.seed)",
            devices: links.count, sayOffline: settings.format.saysOffline)
        report.begin()
        defer { report.finish() }

        var poll = PollSet()
        var lastPass = Duration.zero
        var stopBy: Duration?
        while !links.allSatisfy({ $0.state == .done }) {
            try breathe(&poll, clock: clock, signals: signals, after: lastPass)
            let ready = try wait(&poll, clock: clock, signals: signals, until: [stopBy ?? settings.end, report.due])
            let now = clock.now
            lastPass = now
            let wall = MonotonicClock.wall
            var mayStart = Self.connectingAtOnce - links.count { $0.state == .connecting }
            for (link, isReady) in zip(links, ready) {
                let before = link.state
                link.work(readable: isReady, now: now, wall: wall, mayConnect: mayStart > 0)
                if link.state == .connecting, before != .connecting { mayStart -= 1 }
                // Looking up the broker's name may wait for long; signals are looked for in between.
                if case .waiting = before, clock.now - now > .milliseconds(200) { mayStart = 0 }
            }
            report.update(links, now: now)

            if stopBy == nil, !signals.drain().isEmpty || settings.end.map({ now >= $0 }) ?? false {
                stopBy = now + Self.longestGoodbye
                report.leaving(links)
                for link in links { link.leave() }
            } else if let stopBy, now >= stopBy {
                for link in links { link.finish() }
            }
        }
        report.end(links, after: clock.now)
        return settings.end != nil && !report.everConnected ? .failure : .success
    }

    /// Lets some work gather: each pass looks at every device, and in a big fleet something is due at any moment.
    private func breathe(
        _ poll: inout PollSet, clock: MonotonicClock, signals: WakePipe, after lastPass: Duration
    ) throws {
        poll.removeAll()
        poll.add(signals.descriptor)
        try poll.wait(atMost: lastPass + Self.breath - clock.now)
    }

    /// Waits for a socket, a signal or a time.
    ///
    /// - Returns: Whether each link's socket is readable.
    private func wait(
        _ poll: inout PollSet, clock: MonotonicClock, signals: WakePipe, until times: [Duration?]
    ) throws -> [Bool] {
        poll.removeAll()
        poll.add(signals.descriptor)
        let slots = links.map { link in link.descriptor.map { poll.add($0, write: link.wantsWrite) } }
        let deadline = (times + links.map(\.deadline)).compactMap(\.self).min()
        try poll.wait(atMost: deadline.map { $0 - clock.now })
        return slots.map { slot in slot.map { poll[$0].readable } ?? false }
    }
}
