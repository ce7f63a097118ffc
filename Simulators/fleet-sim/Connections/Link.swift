import MQTTClient
import MQTTModel
import Randomness
import Timestamps

/// One connection and the devices that speak over it, mostly one: connects, publishes, comes back, says goodbye. Waits for
/// nothing.
final class Link {
    enum State: Equatable {
        /// Not connected; the next attempt is at this time.
        case waiting(until: Duration)
        case connecting
        case online
        /// Last words are to be published, or wait for their acknowledgement.
        case leaving
        /// DISCONNECT is on its way.
        case disconnecting
        /// The device was told to leave, and comes back when it is told to.
        case away
        case done
    }

    struct Counters: Equatable {
        /// Telemetry given to the connection.
        var sent = 0
        /// Of it, what the broker has to acknowledge, and did.
        var expected = 0
        var acknowledged = 0
    }

    var state = State.waiting(until: .zero)
    var counters = Counters()
    /// Whether it was ever connected.
    private(set) var everConnected = false
    /// Whether it left in good order: what it had to say arrived.
    var saidGoodbye = false
    /// How late the latest readings were taken.
    var lag = Duration.zero
    /// Why it is not connected; `nil` once it is.
    private(set) var lastFailure: String?

    /// Commands that came over this connection; taken by the reader.
    private var commands: [Message] = []
    /// Whether the device hears its commands itself, as the user that it is.
    private let hearsCommands: Bool

    let agents: [DeviceAgent]
    /// Whether more than one device may speak over it.
    let isShared: Bool
    /// What it says for all its devices.
    let announcement: Announcement?

    /// Why the connection is down, or what was refused; taken by the reader.
    var trouble: String?
    private let makeOptions: () -> ConnectOptions
    var connection: MQTTConnection?
    private var backoff: Backoff
    private var connectedAt = Duration.zero
    var heap: TimeHeap
    var outbox = Outbox()
    /// How much of it is whose: a device leaves a reading out rather than let it wait behind its last one.
    var waiting: [Int]
    /// What waits for its acknowledgement, and whether it is telemetry.
    var inFlight: [PacketIdentifier: Bool] = [:]
    /// Whether it says its last words, and leaves for good or only for a while.
    var hasSaidLastWords = false
    var leavesForGood = false
    var isUnderstood = true
    /// In one go: a fast replay is always late, and signals and other connections have their turn, too.
    static let mostReadings = 2_000
    /// Shorter ones are no success: the back-off goes on.
    private static let lastingConnection = Duration.seconds(10)

    /// - Parameter options: How to connect, without the will.
    init(
        _ agents: [DeviceAgent], isShared: Bool = false, announcement: Announcement? = nil, hearsCommands: Bool = false,
        random: SeededRandom,
        options: @escaping () -> ConnectOptions
    ) {
        self.agents = agents
        self.isShared = isShared
        self.announcement = announcement
        self.hearsCommands = hearsCommands
        makeOptions = options
        backoff = Backoff(random: random)
        heap = TimeHeap(count: agents.count)
        waiting = Array(repeating: 0, count: agents.count)
    }

    // MARK: For the loop

    /// The socket to poll, if there is one, and whether for writing too.
    var descriptor: Int32? { connection?.descriptor }
    var wantsWrite: Bool { connection?.wantsWrite ?? false }

    /// When ``work(readable:now:wall:mayConnect:)`` is due even if the socket stays silent.
    var deadline: Duration? {
        let own: Duration? = if case .waiting(let time) = state { time } else { nil }
        return [own, connection?.deadline, state == .done ? nil : heap.earliest].compactMap(\.self).min()
    }

    /// Takes the latest trouble, so that each is told once.
    func takeTrouble() -> String? {
        defer { trouble = nil }
        return trouble
    }

    func takeCommands() -> [Message] {
        defer { commands = [] }
        return commands
    }

    /// Does whatever is due.
    ///
    /// - Parameter mayConnect: `false` puts off a new attempt, so that a big fleet does not overrun the broker's backlog.
    func work(readable: Bool, now: Duration, wall: Timestamp, mayConnect: Bool) {
        if case .waiting(let time) = state, now >= time, mayConnect { connect(now: now, wall: wall) }
        if let connection, readable || connection.wantsWrite || connection.deadline.map({ now >= $0 }) ?? false {
            service(connection, readable: readable, now: now, wall: wall)
        }
        flush(now: now, wall: wall)
        hearAgents(now: now, wall: wall)
        followAgent(now: now, wall: wall)
        if state == .leaving { sayGoodbye(now: now, wall: wall) }
        // What was just given goes out now, not when the poll has found the socket writable.
        if let connection, connection.wantsWrite { service(connection, readable: false, now: now, wall: wall) }
    }

    /// A device was told something: it may have something to do now.
    func wake(_ agent: Int, at now: Duration) { heap.set(agent, now) }

    /// Starts to leave: who is online says last words first, if the format has any.
    func leave(wall: Timestamp) {
        leavesForGood = true
        switch state {
        case .online: state = .leaving
        case .waiting, .connecting: finish(wall: wall)
        case .away:
            // It left in good order before, or was to be cut.
            saidGoodbye = agents.allSatisfy { $0.control.leavesGracefully }
            finish(wall: wall)
        case .leaving, .disconnecting, .done: break
        }
    }

    /// Cuts what is left, without DISCONNECT, so that the broker publishes the will.
    func finish(wall: Timestamp) {
        if state == .online || state == .leaving { noteLoss(wall: wall, byUs: false) }
        connection?.close()
        connection = nil
        state = .done
    }

    // MARK: Connection

    private func connect(now: Duration, wall: Timestamp) {
        var options = makeOptions()
        options.willMessage = isShared ? announcement?.will : agents.first?.will(at: wall)
        do {
            let connection = try MQTTConnection(options)
            try connection.connect(now: now)
            self.connection = connection
            state = .connecting
        } catch {
            lost("\(error)", now: now, wall: wall)
        }
    }

    private func service(_ connection: MQTTConnection, readable: Bool, now: Duration, wall: Timestamp) {
        for event in connection.service(readable: readable, now: now) { handle(event, now: now, wall: wall) }
    }

    private func handle(_ event: MQTTEvent, now: Duration, wall: Timestamp) {
        switch event {
        case .connected:
            connectedAt = now
            (state, everConnected, lastFailure) = (.online, true, nil)
            greet(now: now, wall: wall)
            listen()
        case .published(let identifier, let reasonCode):
            let isTelemetry = inFlight.removeValue(forKey: identifier) ?? false
            if isTelemetry, !reasonCode.isFailure { counters.acknowledged += 1 }
            guard reasonCode.isFailure else { return }
            if !isTelemetry, hasSaidLastWords { isUnderstood = false }
            trouble = "refused by the broker: \(reasonCode)"
        case .refused(let reasonCode, let text):
            lost(
                "refused by the broker: \(reasonCode)" + (text.map { ": \($0)" } ?? ""), now: now, wall: wall)
        case .disconnected(let reason):
            lost("\(reason)", now: now, wall: wall)
        case .message(let message): commands.append(message)
        case .subscribed(_, let reasonCode):
            if reasonCode.isFailure { trouble = "the broker refuses the subscription for commands: \(reasonCode)" }
        case .unsubscribed: break
        }
    }

    private func listen() {
        guard hearsCommands, let identity = agents.first?.identity else { return }
        let filter = "fleet/\(identity.source)/\(identity.id)/command"
        do {
            try connection?.subscribe(Subscription(topicFilter: filter, qos: .atLeastOnce))
        } catch {
            trouble = "\(error)"
        }
    }

    private func greet(now: Duration, wall: Timestamp) {
        clearOutbox()
        append(announcement.map { [Outgoing(message: $0.greeting)] } ?? [])
        for (number, agent) in agents.enumerated() {
            let words = agent.greeting(now: now, wall: wall)
            heap.set(number, agent.due)
            if isShared, agent.isAway { continue }
            append(words.map { Outgoing(message: $0, agent: number) })
        }
    }

    private func lost(_ reason: String, now: Duration, wall: Timestamp) {
        let wasLeaving = state == .leaving || state == .disconnecting
        if state == .online || wasLeaving { noteLoss(wall: wall, byUs: state == .disconnecting) }
        connection = nil
        clearOutbox()
        if wasLeaving {
            hasSaidLastWords = false
            state = leavesForGood ? .done : .away
            return
        }
        (trouble, lastFailure) = (reason, reason)
        if state == .online, now - connectedAt >= Self.lastingConnection { backoff.reset() }
        state = .waiting(until: now + backoff.delay())
    }

    /// Tells the devices what the loss means: a will, and doubts about what was under way.
    func noteLoss(wall: Timestamp, byUs isRequested: Bool) {
        if !inFlight.isEmpty { for agent in agents { agent.noteDoubt() } }
        inFlight = [:]
        guard !isRequested, !isShared, let agent = agents.first, let will = agent.will(at: wall) else { return }
        agent.noteSent(will, at: wall)
    }
}
