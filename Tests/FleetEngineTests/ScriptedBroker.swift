import DisplayRules
import FleetEngine
import FleetTestSupport
import JSON
import Locations
import MQTTModel
import TelemetryFormats
import Testing
import Timestamps

/// An engine with a broker in memory and time that passes only when told.
final class ScriptedBroker {
    private(set) var now: Instant
    var maximumPacketSize: Int?
    private var configuration: EngineConfiguration
    private(set) var engine: Engine
    /// Everything published, in order.
    private(set) var published: [Publication] = []
    var retained: [String: [UInt8]] = [:]
    private(set) var log: [LogEntry] = []
    private(set) var will: Message?
    private(set) var exitCode: Int32?
    private(set) var unsubscribed: [String] = []
    /// What requests wanted of the configuration, and who reads it.
    private(set) var edits: [ConfigurationEdit] = []
    var reconfigures: (ConfigurationEdit, EngineConfiguration) -> Result<EngineConfiguration, ConfigurationFault> = {
        .success($1)
    }

    struct ConfigurationFault: Error { var errors: [String] }

    /// What waits for the bridge in a persistent session: comes right after it connects.
    var queued: [Message] = []
    /// Told of every message before the engine is, and of every connect that succeeds, before anything comes by it.
    var onMessage: (Message) -> Void = { _ in }
    var onConnect: () -> Void = {}
    /// Told of the engine of another process before it does anything.
    var onStart: (Engine) -> Void = { _ in }
    private(set) var connectsAt: [Duration] = []
    private(set) var subscriptions: [Subscription] = []

    /// Whether connects succeed, publishes are acknowledged, and which filters are granted.
    var isUp = true
    var acknowledges = true
    var deniedFilters: Set<String> = []
    var returnsProbes = true
    /// Whether subscriptions are answered at all, and which do not even leave.
    var answersSubscriptions = true
    var failingFilters: Set<String> = []
    /// What is answered to publishes on topics that end so, with nothing stored.
    var refusal: (suffix: String, code: ReasonCode)?
    /// Publishes on topics that end so do not even leave.
    var failure: (suffix: String, mayRetry: Bool)?
    private(set) var isConnected = false
    private var held: [RequestToken] = []
    private var pending: [Event] = []
    private var publishesAsDescribed = true
    /// Of so many publishes, one is held against its schema: in long runs, all would take most of the time.
    var describedOneIn = 1
    private var undescribed = 0

    struct Publication: Equatable {
        var topicName: String
        var payload: [UInt8]
        var at: Duration
        var qos: QoS
        var retain: Bool
        var correlation: Correlation?

        var json: JSONValue? { try? JSONParser().parse(payload) }
    }

    static let start = Instant(wall: Timestamp(iso8601: "2026-11-29T12:00:00Z")!, monotonic: .seconds(1_000))

    init(
        _ sources: [SourceConfiguration] = [.robots()], rules: DisplayRuleSet = .none, connect: Bool = true,
        maximumPacketSize: Int? = nil, retained: [String: String] = [:], keepsSession: Bool = false,
        snapshots: Duration? = nil, roundTrips: Duration? = nil, homeAssistant: HomeAssistantSettings? = nil,
        derived: [DerivedSourceConfiguration] = []
    ) {
        now = Self.start
        self.maximumPacketSize = maximumPacketSize
        self.retained = retained.mapValues { Array($0.utf8) }
        configuration = EngineConfiguration(sources: sources, displayRules: rules)
        configuration.derived = derived
        configuration.keepsSession = keepsSession
        configuration.snapshotInterval = snapshots
        configuration.probeInterval = roundTrips
        configuration.homeAssistant = homeAssistant
        engine = Engine(configuration, version: "test", seed: 1, at: now)
        isUp = connect
        run(.tick)
    }

    /// The bridge's process ends, after the good end or like a killed one, and another one is started.
    func restart(
        _ sources: [SourceConfiguration]? = nil, rules: DisplayRuleSet? = nil, after pause: Duration = .zero,
        cleanly: Bool = false
    ) {
        if cleanly {
            run(.shutdown)
        } else if isConnected, let will {
            retained[will.topicName] = will.payload
        }
        (isConnected, exitCode) = (false, nil)
        held.removeAll()
        pending.removeAll()
        if let sources { configuration.sources = sources }
        if let rules { configuration.displayRules = rules }
        now = now.advanced(by: pause)
        // Another process, whose monotonic clock means something else only after the machine was started, too.
        engine = Engine(configuration, version: "test", seed: 1, at: now)
        onStart(engine)
        run(.tick)
    }

    /// Changes the file that the next process reads.
    func configure(_ change: (inout EngineConfiguration) -> Void) { change(&configuration) }

    /// The operator has changed the file.
    func reload(
        _ sources: [SourceConfiguration]? = nil, rules: DisplayRuleSet? = nil,
        _ change: (inout EngineConfiguration) -> Void = { _ in }
    ) {
        if let sources { configuration.sources = sources }
        if let rules { configuration.displayRules = rules }
        change(&configuration)
        run(.configuration(configuration, for: nil, needsRestart: []))
    }

    /// Asks for something, and takes the answer out of what was published.
    func ask(_ name: String, _ payload: JSONValue = [:]) -> JSONObject? {
        let topicName = "fleet-bridge/response/\(name)"
        published.removeAll { $0.topicName == topicName }
        send("fleet-bridge/request/\(name)", payload.text)
        return published.last { $0.topicName == topicName }?.json?.object
    }

    /// A device's message that the broker stores; whoever is subscribed gets it, too.
    func store(_ topicName: String, _ payload: String) {
        retained[topicName] = payload.isEmpty ? nil : Array(payload.utf8)
        if isConnected { send(topicName, payload) }
    }

    // MARK: Doing

    func run(_ event: Event) {
        pending.append(event)
        while !pending.isEmpty {
            let event = pending.removeFirst()
            if case .message(let message) = event { onMessage(message) }
            for effect in engine.handle(event, at: now) { carryOut(effect) }
        }
    }

    func send(_ topicName: String, _ payload: String, retain: Bool = false, identifiers: [UInt32] = []) {
        send(topicName, Array(payload.utf8), retain: retain, identifiers: identifiers)
    }

    func send(_ topicName: String, _ payload: [UInt8], retain: Bool = false, identifiers: [UInt32] = []) {
        send(
            Message(
                topicName: topicName, payload: payload, qos: .atLeastOnce, retain: retain,
                subscriptionIdentifiers: identifiers))
    }

    func send(_ message: Message) { run(.message(message)) }

    /// Telemetry of a robot.
    func report(_ payload: String, retain: Bool = false) { report("r1", payload, retain: retain) }

    func report(_ device: String, _ payload: String, retain: Bool = false) {
        send("fleet/robots/\(device)/telemetry", payload, retain: retain)
    }

    /// Lets time pass, with every deadline served when it comes.
    func wait(_ duration: Duration) {
        let end = now.monotonic + duration
        while let deadline = engine.nextDeadline, deadline <= end {
            now = now.advanced(by: max(.zero, deadline - now.monotonic))
            run(.tick)
        }
        now = now.advanced(by: end - now.monotonic)
        run(.tick)
    }

    /// The wall clock is set.
    func stepWallClock(by duration: Duration) { now.wall = now.wall.advanced(by: duration) }

    func loseConnection(forgettingRetained: Bool = false) {
        isConnected = false
        held.removeAll()
        if forgettingRetained { retained.removeAll() }
        run(.disconnected(reason: "cut"))
    }

    var hasHeld: Bool { !held.isEmpty }

    func acknowledgeHeld() {
        let tokens = held
        held.removeAll()
        for token in tokens { run(.published(token, .success)) }
    }

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .connect(let message):
            will = message
            if let message { check(message) }
            connectsAt.append(now.monotonic)
            isConnected = isUp
            (subscriptions, unsubscribed) = ([], [])
            pending.append(
                isUp
                    ? .connected(maximumPacketSize: maximumPacketSize, receiveMaximum: nil)
                    : .disconnected(reason: "refused"))
            if isUp {
                onConnect()
                pending += queued.map { .message($0) }
                queued.removeAll()
            }
        case .subscribe(let subscription, let token):
            subscriptions.append(subscription)
            guard answersSubscriptions else { return }
            if failingFilters.contains(subscription.topicFilter) {
                pending.append(.subscribeFailed(token, reason: "no way"))
                return
            }
            let denied = deniedFilters.contains(subscription.topicFilter)
            pending.append(
                .subscribed(token, denied ? .notAuthorized : ReasonCode(rawValue: subscription.qos.rawValue)))
            if !denied, subscription.retainHandling == .always { sendStored(subscription) }
        case .unsubscribe(let topicFilter): unsubscribed.append(topicFilter)
        case .publish(let message, let token): publish(message, token)
        case .reconfigure(let edit, let token):
            edits.append(edit)
            switch reconfigures(edit, configuration) {
            case .success(let new):
                configuration = new
                pending.append(.configuration(new, for: token, needsRestart: []))
            case .failure(let fault): pending.append(.configurationRefused(fault.errors, for: token))
            }
        case .log(let entry): log.append(entry)
        case .source: Issue.record("there is one broker")
        case .disconnect:
            isConnected = false
            // Nothing comes any more by a connection that was given up.
            pending.removeAll { if case .configuration = $0 { false } else { true } }
        case .exit(let code): exitCode = exitCode ?? code
        }
    }

    private func sendStored(_ subscription: Subscription) {
        guard let filter = try? TopicTemplate(subscription.topicFilter) else { return }
        for (topicName, payload) in retained.sorted(by: { $0.key < $1.key })
        where filter.match(TopicLevels(topicName)) != nil {
            pending.append(
                .message(
                    Message(
                        topicName: topicName, payload: payload, retain: true,
                        subscriptionIdentifiers: subscription.identifier.map { [$0] } ?? [])))
        }
    }

    /// Whatever any test makes the engine publish is what the schema for its topic says. What is wrong with one message
    /// mostly is with all of them: the first one tells it.
    private func check(_ message: Message) {
        undescribed += 1
        guard publishesAsDescribed, undescribed >= describedOneIn else { return }
        undescribed = 0
        publishesAsDescribed = message.expectAsDescribed(prefix: configuration.prefix)
    }

    private func publish(_ message: Message, _ token: RequestToken) {
        check(message)
        if message.topicName.contains("/probe/") {
            if returnsProbes { pending.append(.message(message)) }
            pending.append(.published(token, .success))
            return
        }
        published.append(
            Publication(
                topicName: message.topicName, payload: message.payload, at: now.monotonic, qos: message.qos,
                retain: message.retain, correlation: message.correlation))
        if let failure, message.topicName.hasSuffix(failure.suffix) {
            pending.append(.publishFailed(token, reason: "test", mayRetry: failure.mayRetry))
            return
        }
        if let refusal, message.topicName.hasSuffix(refusal.suffix) {
            pending.append(.published(token, refusal.code))
            return
        }
        if message.retain { retained[message.topicName] = message.payload.isEmpty ? nil : message.payload }
        guard message.qos > .atMostOnce else { return }
        if acknowledges { pending.append(.published(token, .success)) } else { held.append(token) }
    }

    // MARK: Seeing

    func json(_ topicName: String) -> JSONObject? {
        retained[topicName].flatMap { try? JSONParser().parse($0) }?.object
    }

    func state(_ device: String = "r1", source: String = "robots") -> JSONObject? {
        json("fleet-bridge/\(source)/\(device)/state")
    }

    func states(_ device: String = "r1", source: String = "robots") -> [Publication] {
        published.filter { $0.topicName == "fleet-bridge/\(source)/\(device)/state" }
    }

    var sourceStatus: JSONObject? { json("fleet-bridge/robots/status") }

    /// The counters, after waiting for them.
    func stats() -> JSONObject {
        wait(.seconds(10))
        return json("fleet-bridge/stats") ?? JSONObject()
    }

    func forget() { published.removeAll() }
}

extension Message {
    /// - Returns: Whether it is what the schema for its topic says.
    @discardableResult
    func expectAsDescribed(prefix: String = "fleet-bridge") -> Bool {
        let faults = PublishedSchemas.faults(of: payload, on: topicName, prefix: prefix)
        for fault in faults { Issue.record("\(fault)") }
        return faults.isEmpty
    }
}

extension SourceConfiguration {
    static func robots(
        id: String = "robots", format: FormatDescription = FormatTable.native, topics: [String]? = nil,
        _ adjust: (inout SourceSettings) -> Void = { _ in }
    ) -> SourceConfiguration {
        var settings = SourceSettings(staleAfter: format.staleAfter)
        settings.maxRate = nil
        adjust(&settings)
        let templates =
            topics ?? [
                "fleet/\(id)/{device}/telemetry", "fleet/\(id)/{device}/connection", "fleet/\(id)/status",
            ]
        return SourceConfiguration(
            id: Identifier(id), format: format, topics: templates.map { try! TopicTemplate($0) }, settings: settings)
    }
}

extension JSONObject {
    func object(_ key: String) -> JSONObject? { self[key]?.object }

    /// A number deep inside: `["reports", "applied"]`.
    func number(_ path: String...) -> Double? {
        var value: JSONValue? = .object(self)
        for key in path { value = value?.object?[key] }
        return value?.number
    }
}
