import FleetTestSupport
import Glibc
import JSON
import LocalBroker
import Randomness
import Testing

/// One fleet, broker and bridge, and what happens to them.
struct ChaosRun {
    private enum Disturbance: String, CaseIterable {
        case cutDevices, withdrawDevices, pauseBroker, pauseBridge, killBroker, killBridge, killFleet, killAll
    }

    /// Each death of the broker makes the bridge wait twice as long before it comes again; a new one begins anew.
    private static let brokerKillsOfOneBridge = 2
    private static let patience = Duration.seconds(60)
    private static let configuration =
        "snapshots: {every: 1s}\nbroker: {keepAlive: 5s}\n"
        + Settings.robots(source: ["hold: 100ms"], bridge: ["republishRate: 5000"])
        + ["sims-killed", "sims-paused"].map { source in
            "  \(source): {maxRate: unlimited, hold: 100ms, topics: ["
                + ["telemetry", "connection"].map { "\"fleet/\(source)/{device}/\($0)\"" }.joined(separator: ", ")
                + "]}\n"
        }.joined()

    let broker: EmbeddedBroker
    private let seed: UInt64, lasting: Duration
    private var random: SeededRandom
    private(set) var bridge: Bridge
    let devices: [ChaosDevice]
    let killedFleet: SimulatedFleet, pausedFleet: SimulatedFleet
    /// Sees what one bridge publishes on one life of the broker.
    private(set) var watcher: Watcher
    private var brokerKills = 0
    /// How often this bridge was ready before this broker was there.
    private var timesReadyBefore = 0
    private var done: [Disturbance: Int] = [:]

    init(_ broker: EmbeddedBroker, seed: UInt64, lasting: Duration) throws {
        (self.broker, self.seed, self.lasting) = (broker, seed, lasting)
        random = SeededRandom(seed: seed)
        watcher = try Watcher(broker, patience: Self.patience)
        bridge = try Bridge(broker, Self.configuration, lasting: lasting + .seconds(300))
        devices = (0..<12).map { ChaosDevice(id: "r\($0)", port: broker.port) }
        killedFleet = try SimulatedFleet("sims-killed", broker, lasting: lasting + .seconds(300))
        pausedFleet = try SimulatedFleet("sims-paused", broker, lasting: lasting + .seconds(300))
    }

    var summary: String {
        Disturbance.allCases.map { "\($0.rawValue) \(done[$0] ?? 0)" }.joined(separator: ", ")
    }

    var comment: Comment { "once more: make chaos SEED=\(seed) FOR=\(lasting.components.seconds)s" }

    /// Lets the fleet publish while things break.
    mutating func disturb() throws {
        let end = monotonicNow() + lasting
        var next: [Disturbance] = []
        while monotonicNow() < end {
            for _ in 0..<Int.random(in: 5...40, using: &random) {
                devices.randomElement(using: &random)?.report(retain: Bool.random(using: &random))
            }
            // Each kind in turn, in another order each time, so that a short run has them all.
            if next.isEmpty { next = Disturbance.allCases.shuffled(using: &random) }
            var kind = next.removeLast()
            if kind == .killBroker, brokerKills >= Self.brokerKillsOfOneBridge { kind = .killBridge }
            done[kind, default: 0] += 1
            try disturb(by: kind)
            // Mostly no rest.
            if Int.random(in: 0..<4, using: &random) == 0 { usleep(UInt32.random(in: 0..<900_000, using: &random)) }
        }
        try watcher.settle()
        expectNothingWentBack()
    }

    private mutating func disturb(by kind: Disturbance) throws {
        switch kind {
        case .cutDevices: for device in devices where Bool.random(using: &random) { device.cut() }
        case .withdrawDevices: for device in devices where Bool.random(using: &random) { device.withdraw() }
        case .pauseBroker:
            broker.pause()
            reportWithoutWaiting()
            pause()
            broker.resume()
        case .killBroker: try killBroker()
        case .killBridge: try killBridge()
        case .killFleet:
            let fleet = Bool.random(using: &random) ? killedFleet : pausedFleet
            try fleet.kill()
            pause()
            try fleet.start()
        case .killAll: try killAll()
        case .pauseBridge:
            bridge.process.send(SIGSTOP)
            reportWithoutWaiting()
            pause()
            bridge.process.send(SIGCONT)
        }
    }

    private mutating func killBroker() throws {
        brokerKills += 1
        reportWithoutWaiting()
        try watcher.settle()
        broker.kill()
        expectNothingWentBack()
        pause()
        timesReadyBefore = timesReady
        try broker.start()
        watcher = try Watcher(broker, patience: Self.patience)
    }

    private mutating func killBridge() throws {
        reportWithoutWaiting()
        bridge.process.send(SIGKILL)
        // Its will comes after all that it had published. Without a connection there is none, and a broker may have stored that
        // an earlier one was online.
        if timesReady > timesReadyBefore {
            try watcher.wait("the will") { $0.json("fleet-bridge/status")?["state"] != "online" }
        }
        expectNothingWentBack()
        try startBridge()
    }

    /// As where the machine loses its power.
    private mutating func killAll() throws {
        reportWithoutWaiting()
        bridge.process.send(SIGKILL)
        broker.kill()
        for fleet in [killedFleet, pausedFleet] { try fleet.kill() }
        for device in devices { device.cut() }
        pause()
        try broker.start()
        for fleet in [killedFleet, pausedFleet] { try fleet.start() }
        try startBridge()
    }

    private var timesReady: Int {
        bridge.process.errors.split(separator: " ready ", omittingEmptySubsequences: false).count - 1
    }

    private mutating func startBridge() throws {
        bridge = try Bridge(broker, Self.configuration, lasting: lasting + .seconds(300))
        (brokerKills, timesReadyBefore) = (0, 0)
        // It knows only what is stored, which may be older.
        watcher = try Watcher(broker, patience: Self.patience)
        try watcher.settle()
        watcher.forgetHistory()
    }

    private mutating func pause() { usleep(UInt32.random(in: 0..<300_000, using: &random)) }

    private func reportWithoutWaiting() { for device in devices { device.report(waits: false) } }

    func expectNothingWentBack() {
        for device in devices {
            let numbers = watcher.numbers(of: device.id)
            #expect(numbers == numbers.sorted(), "\(device.id) went back; \(comment)")
        }
    }

    /// Nothing breaks any more: each device says its last word, and some leave in one way or the other.
    mutating func calm() throws {
        // A report that comes through tells that the bridge is back.
        let probe = ChaosDevice(id: "probe", port: broker.port)
        do {
            try watcher.wait("a report to come through") {
                if $0.state("probe") == nil { probe.report() }
                return $0.state("probe") != nil
            }
        } catch {
            throw TestClient.Failure(description: "\(error); the bridge wrote \(bridge.process.errors)")
        }
        for (index, device) in devices.enumerated() {
            try device.lastReport(retain: index % 2 == 0)
            switch index % 4 {
            case 0: device.cut()
            case 1: try device.leave()
            default: break
            }
        }
    }
}
