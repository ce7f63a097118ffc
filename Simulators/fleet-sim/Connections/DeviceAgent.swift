import MQTTModel
import Timestamps

/// One device with its words, its orders and its faults, whatever connection it speaks over. Waits for nothing.
final class DeviceAgent {
    struct Counters: Equatable {
        /// Readings taken.
        var readings = 0
        /// Of them, not sent: not connected.
        var cutOff = 0
        /// Of them, not sent: what was said before still waited for the broker.
        var crowdedOut = 0
        /// Readings that were never taken, since the process was stopped or overloaded.
        var missed = 0
    }

    private(set) var counters = Counters()
    private(set) var control: DeviceControl
    private(set) var faults: FaultInjector
    private(set) var oracle: NativeOracle?
    /// How late the last reading was taken.
    private(set) var lag = Duration.zero
    /// How often the connection is still to be cut, because of a storm.
    private(set) var cutsDue = 0

    private var device: any SimulatedDevice
    private var format: any DeviceFormat
    /// Spreads the devices over the interval.
    private let phase: Duration
    /// Starts with the first connection, and goes on through every loss: a device goes on living while it is cut off.
    private var pulse: Pulse?
    private var last: Reading?
    private var isHome = false
    /// Whether a reading waits for room: a replay leaves no point out because the broker is slow.
    private(set) var isHeldBack = false
    /// On a shared connection: whether it has said that it is away.
    private var saidAway = false

    init(
        _ device: any SimulatedDevice, format: any DeviceFormat, interval: Duration, phase: Duration,
        faults: FaultInjector, oracle: NativeOracle? = nil
    ) {
        self.device = device
        self.format = format
        self.phase = phase
        self.faults = faults
        self.oracle = oracle
        control = DeviceControl(interval: interval)
    }

    var identity: DeviceIdentity { device.identity }
    var isAway: Bool { control.isIn(.away) }
    /// Whether it says nothing more on a connection of its own until that is cut.
    var wantsCut: Bool { cutsDue > 0 }

    /// When it has something to do.
    var due: Duration? {
        let reading = isHeldBack || isOver ? nil : pulse?.due
        return [reading, control.deadline, faults.due].compactMap(\.self).min()
    }

    /// Whether it has nothing more to tell, ever.
    var isOver: Bool { device.pace == .over }

    // MARK: Orders

    /// - Returns: What is wrong with the command for this device; then nothing was done.
    func obey(_ command: DeviceCommand, at now: Duration) -> String? {
        if command.action == .dock, !device.canGoHome { return "it has no dock" }
        control.apply(command, at: now)
        followOrders()
        return nil
    }

    private func followOrders() {
        if control.isIn(.docked) != isHome {
            isHome.toggle()
            if isHome { device.goHome() } else { device.resume() }
        }
        if control.interval != pulse?.interval { pulse?.interval = control.interval }
    }

    // MARK: Connection

    func will(at wall: Timestamp) -> Message? { format.will(at: wall) }

    /// What it says after a connect.
    func greeting(now: Duration, wall: Timestamp) -> [Message] {
        if pulse == nil { pulse = Pulse(interval: control.interval, first: now + firstWait) }
        return format.greeting(at: wall)
    }

    /// Its last words in good order, after what faults hold back.
    func farewell(at wall: Timestamp) -> (late: [Message], words: [Message]) {
        (faults.drain(), format.farewell(at: wall))
    }

    func noteCut() { cutsDue -= 1 }
    func noteSent(_ message: Message, at wall: Timestamp) { oracle?.hear(message, at: wall) }
    func noteDoubt() { oracle?.doubt() }

    // MARK: Readings

    /// Does what is due, of several readings the first one.
    ///
    /// - Parameters:
    ///   - isOnline: Whether it is connected.
    ///   - hasRoom: Whether what it said before is on its way.
    ///   - isShared: Whether others speak over the connection: what would happen to it is then only told.
    /// - Returns: What is to be sent, in order; the telemetry is marked.
    func work(now: Duration, wall: Timestamp, isOnline: Bool, hasRoom: Bool, isShared: Bool) -> [Outgoing] {
        lag = .zero
        control.expire(at: now)
        followOrders()
        var messages = isShared ? presence(wall: wall) : []
        let isListenedTo = isOnline && !isAway && !wantsCut
        let released = faults.release(at: now)
        if isListenedTo { messages += telemetry(released) }
        isHeldBack = false
        guard let pulse, now >= pulse.due, !isOver, !wantsCut else { return messages }
        if isListenedTo, !hasRoom, waitsForRoom {
            isHeldBack = true
            return messages
        }
        lag = now - pulse.due
        if !isListenedTo { counters.cutOff += 1 } else if !hasRoom { counters.crowdedOut += 1 }
        takeReading(now: now, wall: wall, canSend: isListenedTo && hasRoom, &messages)
        if isShared { messages += storm(wall: wall) + presence(wall: wall) }
        return messages
    }

    /// A replay leaves no point out, and no device its first reading: its greeting may be long.
    private var waitsForRoom: Bool { if case .own = device.pace { true } else { counters.readings == 0 } }

    private func takeReading(now: Duration, wall: Timestamp, canSend: Bool, _ messages: inout [Outgoing]) {
        let hasOwnPace = if case .own = device.pace { true } else { false }
        if !hasOwnPace { counters.missed += pulse?.take(now: now) ?? 0 }
        counters.readings += 1
        var reading = currentReading()
        if hasOwnPace { pulse?.goOn(now: now, after: waitAtOwnPace) }
        // A format that was not asked has not told it either.
        guard canSend, !control.isIn(.stopped) else { return }
        var time = wall
        faults.distort(&reading, &time)
        var told = format.telemetry(reading, sequence: counters.readings, at: time)
        faults.tamper(&told)
        messages += telemetry(faults.pass(told, at: now))
        cutsDue += faults.storm()
    }

    private var firstWait: Duration {
        if case .own(let wait) = device.pace { wait } else { phase }
    }

    /// Standing still it repeats itself at the interval: the time of its track stands, too.
    private var waitAtOwnPace: Duration {
        guard case .own(let wait) = device.pace, !control.isIn(.stationary) else { return control.interval }
        return wait / control.speed
    }

    private func currentReading() -> Reading {
        var reading: Reading
        if control.isIn(.stationary) {
            reading = last ?? device.advance(by: .zero)
            reading.motion.speed = 0
        } else {
            reading = device.advance(by: control.interval * control.speed)
            reading.motion.speed *= control.speed
        }
        last = reading
        if control.isIn(.positionLost) {
            (reading.motion.position, reading.motion.accuracy, reading.motion.speed) = (nil, nil, 0)
        }
        return reading
    }

    private func telemetry(_ messages: [Message]) -> [Outgoing] {
        messages.map { Outgoing(message: $0, isTelemetry: true) }
    }

    // MARK: On a shared connection

    private func presence(wall: Timestamp) -> [Outgoing] {
        let isGone = isAway || isOver
        guard isGone != saidAway else { return [] }
        saidAway = isGone
        guard isGone else { return format.greeting(at: wall).map { Outgoing(message: $0) } }
        guard !isAway || control.leavesGracefully else { return (will(at: wall).map { [Outgoing(message: $0)] } ?? []) }
        let (late, words) = farewell(at: wall)
        return telemetry(late) + words.map { Outgoing(message: $0) }
    }

    private func storm(wall: Timestamp) -> [Outgoing] {
        defer { cutsDue = 0 }
        return (0..<cutsDue).flatMap { _ in
            ((will(at: wall).map { [$0] } ?? []) + format.greeting(at: wall)).map { Outgoing(message: $0) }
        }
    }
}
