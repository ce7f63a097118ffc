import MQTTClient
import MQTTModel
import MotionModels
import Randomness
import Timestamps

/// One device and its own connection: connects, publishes, comes back, says goodbye. Waits for nothing.
final class DeviceLink {
    enum State: Equatable {
        /// Not connected; the next attempt is at this time.
        case waiting(until: Duration)
        case connecting
        case online
        /// `offline` is to be published, or waits for its acknowledgement.
        case leaving
        /// DISCONNECT is on its way.
        case disconnecting
        case done
    }

    private(set) var state = State.waiting(until: .zero)
    private(set) var counters = Counters()
    /// Why the device is not connected, or what was refused; taken by the reader.
    private var trouble: String?
    /// Whether it left in good order: what it had to say arrived.
    private(set) var saidGoodbye = false

    struct Counters: Equatable {
        /// Telemetry given to the connection.
        var sent = 0
        /// Of it, what the broker has to acknowledge, and did.
        var expected = 0
        var acknowledged = 0
        /// Telemetry that could not be sent: not connected, or too much unacknowledged.
        var skipped = 0
    }

    private struct Outgoing {
        var message: Message
        var isTelemetry = false
    }

    private var device: any SimulatedDevice
    private var format: any DeviceFormat
    private let formatName: String
    private let broker: BrokerAccess
    /// The wait after connecting for the first reading; it spreads the devices over the interval.
    private let phase: Duration
    private let interval: Duration

    private var connection: MQTTConnection?
    private var backoff: Backoff
    private var connectedAt = Duration.zero
    /// Starts with the first connection, and goes on through every loss: a device goes on living while it is cut off.
    private var pulse: Pulse?
    private var sequence = 0
    /// What waits for room on the connection, oldest first.
    private var outbox: [Outgoing] = []
    private var telemetryInFlight: Set<PacketIdentifier> = []
    /// What is not acknowledged of the last words; `nil` before them.
    private var lastWords: Set<PacketIdentifier>?
    private var isUnderstood = true
    /// In one go: a fast replay is always late, and signals and other devices have their turn, too.
    private static let mostReadings = 2_000
    /// Shorter ones are no success: the back-off goes on.
    private static let lastingConnection = Duration.seconds(10)

    init(
        _ device: any SimulatedDevice, format: any DeviceFormat, named formatName: String, broker: BrokerAccess,
        interval: Duration, phase: Duration, random: SeededRandom
    ) {
        self.device = device
        self.format = format
        self.formatName = formatName
        self.broker = broker
        self.interval = interval
        self.phase = phase
        backoff = Backoff(random: random)
    }

    // MARK: For the loop

    /// The socket to poll, if there is one, and whether for writing too.
    var descriptor: Int32? { connection?.descriptor }
    var wantsWrite: Bool { connection?.wantsWrite ?? false }

    /// When ``work(readable:now:wall:mayConnect:)`` is due even if the socket stays silent.
    var deadline: Duration? {
        let own: Duration? = if case .waiting(let time) = state { time } else { nil }
        let reading = state == .done || isHeldBack || device.pace == .over ? nil : pulse?.due
        return [own, connection?.deadline, reading].compactMap(\.self).min()
    }

    /// Takes the latest trouble, so that each is told once.
    func takeTrouble() -> String? {
        defer { trouble = nil }
        return trouble
    }

    /// Does whatever is due.
    ///
    /// - Parameter mayConnect: `false` puts off a new attempt, so that a big fleet does not overrun the broker's backlog.
    func work(readable: Bool, now: Duration, wall: Timestamp, mayConnect: Bool) {
        if case .waiting(let time) = state, now >= time, mayConnect { connect(now: now, wall: wall) }
        if let connection, readable || connection.wantsWrite || connection.deadline.map({ now >= $0 }) ?? false {
            service(connection, readable: readable, now: now, wall: wall)
        }
        flush()
        takeReadings(now: now, wall: wall)
        if state == .online, device.pace == .over, outbox.isEmpty, telemetryInFlight.isEmpty { leave() }
        if state == .leaving { sayGoodbye(now: now, wall: wall) }
        // What was just given goes out now, not when the poll has found the socket writable.
        if let connection, connection.wantsWrite {
            service(connection, readable: false, now: now, wall: wall)
        }
    }

    /// Starts to leave: an online device says its last words first, if its format has any.
    func leave() {
        switch state {
        case .online: state = .leaving
        case .waiting, .connecting: finish()
        case .leaving, .disconnecting, .done: break
        }
    }

    /// Cuts what is left, without DISCONNECT, so that the broker publishes the will.
    func finish() {
        connection?.close()
        connection = nil
        state = .done
    }

    // MARK: Connection

    private func connect(now: Duration, wall: Timestamp) {
        var options = broker.options(for: device.identity, format: formatName)
        options.willMessage = format.will(at: wall)
        do {
            let connection = try MQTTConnection(options)
            try connection.connect(now: now)
            self.connection = connection
            state = .connecting
        } catch {
            lost("\(error)", now: now)
        }
    }

    private func service(_ connection: MQTTConnection, readable: Bool, now: Duration, wall: Timestamp) {
        for event in connection.service(readable: readable, now: now) { handle(event, now: now, wall: wall) }
    }

    private func handle(_ event: MQTTEvent, now: Duration, wall: Timestamp) {
        switch event {
        case .connected:
            connectedAt = now
            if pulse == nil { pulse = Pulse(interval: interval, first: now + firstWait) }
            state = .online
            outbox = format.greeting(at: wall).map { Outgoing(message: $0) }
        case .published(let identifier, let reasonCode):
            if telemetryInFlight.remove(identifier) != nil {
                if !reasonCode.isFailure { counters.acknowledged += 1 }
            } else if lastWords?.remove(identifier) != nil, reasonCode.isFailure {
                isUnderstood = false
            }
            if reasonCode.isFailure { trouble = "refused by the broker: \(reasonCode)" }
        case .refused(let reasonCode, let text):
            lost("refused by the broker: \(reasonCode)" + (text.map { ": \($0)" } ?? ""), now: now)
        case .disconnected(let reason):
            lost("\(reason)", now: now)
        case .message, .subscribed, .unsubscribed:
            break
        }
    }

    private func lost(_ reason: String, now: Duration) {
        connection = nil
        telemetryInFlight = []
        outbox = []
        if state == .leaving || state == .disconnecting {
            state = .done
            return
        }
        trouble = reason
        if state == .online, now - connectedAt >= Self.lastingConnection { backoff.reset() }
        state = .waiting(until: now + backoff.delay())
    }

    // MARK: Messages

    private func takeReadings(now: Duration, wall: Timestamp) {
        guard state == .online || isCutOff else { return }
        var taken = 0
        while taken < Self.mostReadings, !isHeldBack, isDue(now: now) {
            taken += 1
            let reading = device.advance(by: interval)
            sequence += 1
            if case .own(let wait) = device.pace { pulse?.goOn(now: now, after: wait) }
            // A format that was not asked has not told it either.
            guard state == .online, outbox.isEmpty else {
                counters.skipped += 1
                continue
            }
            outbox = format.telemetry(reading, sequence: sequence, at: wall).map {
                Outgoing(message: $0, isTelemetry: true)
            }
            flush()
        }
    }

    /// Takes the time of a device at the fleet's interval; one of a pace of its own says afterwards when the next is due.
    private func isDue(now: Duration) -> Bool {
        switch device.pace {
        case .interval: pulse?.take(now: now) ?? false
        case .own: pulse.map { now >= $0.due } ?? false
        case .over: false
        }
    }

    private var firstWait: Duration {
        if case .own(let wait) = device.pace { wait } else { phase }
    }

    /// A replay leaves no point out because the broker is slow.
    private var isHeldBack: Bool {
        if case .own = device.pace { state == .online && !outbox.isEmpty } else { false }
    }

    private var isCutOff: Bool {
        switch state {
        case .waiting, .connecting: true
        case .online, .leaving, .disconnecting, .done: false
        }
    }

    /// Sends what there is room for.
    private func flush() {
        while let next = outbox.first, let connection {
            do {
                note(next, try connection.publish(next.message))
            } catch {
                if error.reason == .inFlightLimit || error.reason == .sendQueueFull { return }
                if error.reason == .notConnected { return outbox.removeAll() }
                trouble = "\(error)"
            }
            outbox.removeFirst()
        }
    }

    /// - Parameter identifier: What the acknowledgement will bring; `nil` where there is none.
    private func note(_ sent: Outgoing, _ identifier: PacketIdentifier?) {
        if sent.isTelemetry { counters.sent += 1 }
        guard let identifier else { return }
        if sent.isTelemetry {
            counters.expected += 1
            telemetryInFlight.insert(identifier)
        } else {
            lastWords?.insert(identifier)
        }
    }

    /// Disconnects when the last words have arrived.
    private func sayGoodbye(now: Duration, wall: Timestamp) {
        if lastWords == nil {
            lastWords = []
            outbox = format.farewell(at: wall).map { Outgoing(message: $0) }
        }
        flush()
        guard outbox.isEmpty, lastWords?.isEmpty ?? true else { return }
        saidGoodbye = isUnderstood
        state = .disconnecting
        connection?.disconnect(now: now)
    }
}
