import FleetEngine
import MQTTModel
import Randomness

/// The engine, a broker, devices and everything that goes wrong, from one seed; beside them the oracle, which hears what
/// the engine hears. Each seed has some kinds of faults and not others, since what always happens hides what else would.
final class SimulatedWorld {
    /// What goes wrong, beside what every network does.
    enum Fault: CaseIterable {
        case cut, brokerRestart, brokerForgets, noAcknowledgement, refusal, failure, clockStep, clockLeap, cleanRestart,
            kill, reload, request, silence, withdrawal, will, sourceStatus, deviceClock
    }

    private(set) var broker: ScriptedBroker
    private(set) var oracle = Oracle(sources: SimulatedFleet.sources)
    private var fleet: SimulatedFleet
    private var random: SeededRandom
    private var faults: [Fault]
    /// One fault in so many steps.
    private let rarity: Int
    private(set) var showsSnapshots: Bool
    /// Messages that are still on their way.
    private var delayed: [(device: Int, payload: String)] = []
    /// A new process does not know yet what the one before published.
    private var isUnread = false
    /// Stands for all that was published, where it is told.
    private(set) var trace: Hasher?

    init(seed: UInt64, isTraced: Bool = false) {
        trace = isTraced ? Hasher() : nil
        random = SeededRandom(seed: seed)
        fleet = SimulatedFleet(&random)
        faults = []
        for fault in Fault.allCases where Bool.random(using: &random) { faults.append(fault) }
        rarity = [10, 25, 60].randomElement(using: &random) ?? 25
        showsSnapshots = random.isOneOf(3)
        broker = ScriptedBroker(
            SimulatedFleet.sources.map { Self.source($0, maxRate: 2) }, snapshots: showsSnapshots ? .seconds(5) : nil)
        broker.describedOneIn = 37
        broker.onMessage = { [unowned self] in oracle.hear($0, at: broker.now) }
        broker.onConnect = { [unowned self] in
            guard isUnread else { return }
            oracle.forget()
            oracle.readBack(broker.retained, at: broker.now)
        }
    }

    private static func source(_ id: String, maxRate: Double?) -> SourceConfiguration {
        .robots(id: id) {
            ($0.staleAfter, $0.removeAfter, $0.hold) = (Oracle.staleAfter, Oracle.removeAfter, Oracle.hold)
            ($0.futureTolerance, $0.maxRate) = (Oracle.futureTolerance, maxRate)
        }
    }

    // MARK: What happens

    /// A device says something; and now and then, something goes wrong.
    func step() {
        let index = Int.random(in: 0..<fleet.devices.count, using: &random)
        let payload = fleet.report(of: index, at: broker.now, &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: break  // lost
        case 1:
            deliver(index, payload)
            deliver(index, payload)
        case 2, 3: delayed.insert((index, payload), at: Int.random(in: 0...delayed.count, using: &random))
        case 4: deliver(index, SimulatedFleet.garbage(&random))
        default: deliver(index, payload)
        }
        if delayed.count > 6 { deliverDelayed() }
        if random.isOneOf(rarity), let fault = faults.randomElement(using: &random) { happens(fault) }
        wait(.milliseconds(Int.random(in: 0...400, using: &random)))
    }

    private func deliver(_ index: Int, _ payload: String) {
        let device = fleet.devices[index]
        publish(device.topicName("telemetry"), payload, stored: device.isStored)
    }

    private func deliverDelayed() {
        let late = delayed.removeFirst()
        deliver(late.device, late.payload)
    }

    /// What reaches the broker reaches a bridge that is connected, or nobody.
    private func publish(_ topicName: String, _ payload: String, stored: Bool) {
        if stored {
            broker.store(topicName, payload)
        } else if broker.isConnected {
            broker.send(topicName, payload)
        }
    }

    private func wait(_ duration: Duration) {
        broker.wait(duration)
        if broker.engine.isLive { isUnread = false }
        for publication in broker.published {
            trace?.combine(publication.topicName)
            trace?.combine(publication.payload)
            trace?.combine(publication.at)
        }
        broker.forget()
    }

    private func happens(_ fault: Fault) {
        let index = Int.random(in: 0..<fleet.devices.count, using: &random)
        let device = fleet.devices[index]
        switch fault {
        case .cut: cut()
        case .brokerRestart:
            broker.isUp.toggle()
            if !broker.isUp { cut() }
        case .brokerForgets:
            cut()
            broker.retained.removeAll()
        case .noAcknowledgement: broker.acknowledges.toggle()
        case .refusal:
            let suffix = ["/state", "status", "/0"].randomElement(using: &random) ?? ""
            broker.refusal = broker.refusal == nil ? (suffix: suffix, code: .notAuthorized) : nil
        case .failure: broker.failure = broker.failure == nil ? (suffix: "/state", mayRetry: true) : nil
        case .clockStep: broker.stepWallClock(by: .milliseconds(Int.random(in: -2_000...2_000, using: &random)))
        case .clockLeap:
            broker.stepWallClock(by: .seconds([-86_400, -3_600, 3_600, 86_400].randomElement(using: &random) ?? 0))
        case .cleanRestart: restart(cleanly: true)
        case .kill: restart(cleanly: false)
        case .reload: reload()
        case .request: ask(device)
        case .silence: wait(.seconds([3, 40, 300, 1_000, 1_500].randomElement(using: &random) ?? 0))
        case .withdrawal: publish(device.topicName("telemetry"), "", stored: device.isStored)
        case .will:
            publish(device.topicName("connection"), random.isOneOf(3) ? "online" : "offline", stored: true)
        case .sourceStatus:
            publish("fleet/\(device.source)/status", random.isOneOf(3) ? "offline" : "online", stored: true)
        case .deviceClock: fleet.setClockBack(of: index, by: .seconds(600))
        }
    }

    private func cut() {
        // The broker says so with the bridge's will.
        if broker.isConnected, let will = broker.will { broker.retained[will.topicName] = will.payload }
        broker.loseConnection()
    }

    private func restart(cleanly: Bool) {
        let pause = Duration.seconds([0, 2, 60, 900].randomElement(using: &random) ?? 0)
        oracle.forget()
        isUnread = true
        broker.restart(after: pause, cleanly: cleanly)
    }

    private func reload() {
        let maxRate: Double? = Bool.random(using: &random) ? 2 : nil
        let sources = random.isOneOf(3) ? ["robots"] : SimulatedFleet.sources
        showsSnapshots = random.isOneOf(3)
        oracle.advance(to: broker.now)
        oracle.configure(Set(sources))
        broker.reload(sources.map { Self.source($0, maxRate: maxRate) }) {
            $0.snapshotInterval = showsSnapshots ? .seconds(5) : nil
        }
    }

    private func ask(_ device: SimulatedFleet.Device) {
        guard broker.engine.isLive, let source = oracle.sources[device.source] else { return }
        oracle.advance(to: broker.now)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            oracle.sources[device.source]?.isStopped = true
            _ = broker.ask("sources/stop", ["source": .string(device.source)])
        case 1, 2:
            oracle.sources[device.source]?.isStopped = false
            _ = broker.ask("sources/start", ["source": .string(device.source)])
        case 3:
            oracle.sources[device.source] = Oracle.Source(offline: source.offline, isStopped: source.isStopped)
            _ = broker.ask("sources/clear", ["source": .string(device.source)])
        default:
            if source.devices[device.id] != nil { oracle.sources[device.source]?.withdraw(device.id) }
            _ = broker.ask("locations/remove", ["source": .string(device.source), "id": .string(device.id)])
        }
    }

    // MARK: The end of the faults

    /// Nothing goes wrong any more; after a while everything stands as it must.
    ///
    /// - Returns: What does not, for people.
    func settle() -> [String] {
        (broker.refusal, broker.failure) = (nil, nil)
        (broker.isUp, broker.acknowledges) = (true, true)
        broker.acknowledgeHeld()
        while !delayed.isEmpty { deliverDelayed() }
        if !broker.engine.isLive { wait(.seconds(80)) }
        // Some speak on, others are silent until they are stale or forgotten.
        for index in fleet.devices.indices where Bool.random(using: &random) {
            deliver(index, fleet.report(of: index, at: broker.now, &random))
        }
        wait(.seconds([20, 20, 40, 1_500].randomElement(using: &random) ?? 20))
        // What has only just become old is in the states, but not yet in figures and snapshots.
        var before: [String: String]
        repeat {
            oracle.advance(to: broker.now)
            before = oracle.statuses(at: broker.now)
            wait(.seconds(6))
            oracle.advance(to: broker.now)
        } while oracle.statuses(at: broker.now) != before
        return oracle.differences(from: broker, showsSnapshots: showsSnapshots)
    }
}
