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
    /// Whether the last `offline` arrived.
    private(set) var saidGoodbye = false

    struct Counters: Equatable {
        /// Telemetry given to the connection.
        var sent = 0
        /// Telemetry that the broker acknowledged.
        var acknowledged = 0
        /// Telemetry that could not be sent: not connected, or too much unacknowledged.
        var skipped = 0
    }

    private var device: any SimulatedDevice
    private let format: any DeviceFormat
    private let broker: BrokerAddress
    /// The wait after connecting for the first reading; it spreads the devices over the interval.
    private let phase: Duration
    private let interval: Duration

    private var connection: MQTTConnection?
    private var backoff: Backoff
    private var connectedAt = Duration.zero
    /// Starts with the first connection, and goes on through every loss: a device goes on living while it is cut off.
    private var pulse: Pulse?
    private var sequence = 0
    private var telemetryInFlight: Set<PacketIdentifier> = []
    private var goodbye: PacketIdentifier?
    /// Shorter ones are no success: the back-off goes on.
    private static let lastingConnection = Duration.seconds(10)

    init(
        _ device: any SimulatedDevice, format: any DeviceFormat, broker: BrokerAddress, interval: Duration,
        phase: Duration, random: SeededRandom
    ) {
        self.device = device
        self.format = format
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
        return [own, connection?.deadline, state == .done ? nil : pulse?.due].compactMap(\.self).min()
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
        if case .waiting(let time) = state, now >= time, mayConnect { connect(now: now) }
        if let connection, readable || connection.wantsWrite || connection.deadline.map({ now >= $0 }) ?? false {
            for event in connection.service(readable: readable, now: now) { handle(event, now: now) }
        }
        publishTelemetry(now: now, wall: wall)
        if state == .leaving { sayGoodbye(now: now) }
        // What was just given goes out now, not when the poll has found the socket writable.
        if let connection, connection.wantsWrite {
            for event in connection.service(readable: false, now: now) { handle(event, now: now) }
        }
    }

    /// Starts to leave: an online device says `offline` first.
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

    private func connect(now: Duration) {
        let will = format.connection(isOnline: false, of: device.identity)
        var options = ConnectOptions(
            host: broker.host, port: broker.port,
            clientIdentifier: "fleet-sim-\(device.identity.source)-\(device.identity.id)")
        options.willMessage = will
        do {
            let connection = try MQTTConnection(options)
            try connection.connect(now: now)
            self.connection = connection
            state = .connecting
        } catch {
            lost("\(error)", now: now)
        }
    }

    private func handle(_ event: MQTTEvent, now: Duration) {
        switch event {
        case .connected:
            connectedAt = now
            if pulse == nil { pulse = Pulse(interval: interval, first: now + phase) }
            state = .online
            publish(format.connection(isOnline: true, of: device.identity))
        case .published(let identifier, let reasonCode):
            if telemetryInFlight.remove(identifier) != nil {
                if !reasonCode.isFailure { counters.acknowledged += 1 }
            } else if identifier == goodbye {
                saidGoodbye = !reasonCode.isFailure
                state = .disconnecting
                connection?.disconnect(now: now)
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
        if state == .leaving || state == .disconnecting {
            state = .done
            return
        }
        trouble = reason
        if state == .online, now - connectedAt >= Self.lastingConnection { backoff.reset() }
        state = .waiting(until: now + backoff.delay())
    }

    // MARK: Messages

    private func publishTelemetry(now: Duration, wall: Timestamp) {
        guard state == .online || isCutOff else { return }
        while pulse?.take(now: now) == true {
            let reading = device.advance(by: interval)
            sequence += 1
            let message = format.telemetry(reading, of: device.identity, sequence: sequence, at: wall)
            if state == .online, let identifier = publish(message) {
                telemetryInFlight.insert(identifier)
                counters.sent += 1
            } else {
                counters.skipped += 1
            }
        }
    }

    private var isCutOff: Bool {
        switch state {
        case .waiting, .connecting: true
        case .online, .leaving, .disconnecting, .done: false
        }
    }

    /// - Returns: `nil` where it could not be sent: then the window is full, or the end of the connection follows.
    @discardableResult
    private func publish(_ message: Message) -> PacketIdentifier? {
        do {
            return try connection?.publish(message)
        } catch {
            if error.reason != .inFlightLimit, error.reason != .notConnected { trouble = "\(error)" }
            return nil
        }
    }

    /// Again until there is room for it.
    private func sayGoodbye(now: Duration) {
        guard goodbye == nil else { return }
        goodbye = publish(format.connection(isOnline: false, of: device.identity))
    }
}
