import FleetEngine
import Foundation
import JSON
import Randomness
import Testing
import Timestamps

/// Seeded runs with faults, compared with what a right consumer must end with. `SEEDS=N` runs seeds 1…N, `SEED=n` one.
struct Simulation {
    static var seeds: [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SEED"].flatMap({ UInt64($0) }) { return [seed] }
        return Array(1...max(1, environment["SEEDS"].flatMap { UInt64($0) } ?? 5))
    }

    @Test(
        "Whatever is lost, repeated, delayed, garbled or refused, the newest report of each device is what stands in the end",
        arguments: seeds)
    func faults(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let broker = ScriptedBroker([.robots { $0.maxRate = Bool.random(using: &random) ? 2 : nil }])
        var fleet = SimulatedFleet(devices: 20)
        for _ in 0..<3_000 {
            fleet.step(broker, &random)
            if Int.random(in: 0..<80, using: &random) == 0 { disturb(broker, &random) }
            broker.wait(.milliseconds(Int.random(in: 0...200, using: &random)))
        }
        calm(broker, &fleet)
        compare(broker, fleet, seed)
    }

    @Test(
        "However often the bridge is restarted or reconfigured, what stands in the end is the newest report of each device",
        arguments: seeds)
    func restarts(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let broker = ScriptedBroker([.robots { $0.maxRate = Bool.random(using: &random) ? 2 : nil }])
        var fleet = SimulatedFleet(devices: 20)
        for _ in 0..<2_000 {
            // A device's message reaches a bridge that is connected, or nobody.
            if broker.isConnected { fleet.step(broker, &random) }
            switch Int.random(in: 0..<200, using: &random) {
            case 0:
                broker.restart(
                    after: .seconds(Double.random(in: 0...40, using: &random)), cleanly: Bool.random(using: &random))
                fleet.countAnew()
            case 1...3: disturb(broker, &random)
            case 4:
                let maxRate: Double? = Bool.random(using: &random) ? 2 : nil
                let more = Bool.random(using: &random) ? [SourceConfiguration.robots(id: "tags")] : []
                broker.reload([.robots { $0.maxRate = maxRate }] + more)
            default: break
            }
            broker.wait(.milliseconds(Int.random(in: 0...200, using: &random)))
        }
        calm(broker, &fleet)
        // What was not published before the bridge ended is gone; the devices say more.
        fleet.reportAll(broker, &random)
        broker.wait(.seconds(20))
        compare(broker, fleet, seed)
    }

    private func disturb(_ broker: ScriptedBroker, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: broker.loseConnection(forgettingRetained: Bool.random(using: &random))
        case 1: broker.acknowledges.toggle()
        case 2: broker.isUp.toggle()
        case 3: broker.stepWallClock(by: .seconds(Double.random(in: -2...2, using: &random)))
        default: broker.refusal = broker.refusal == nil ? ("/state", .notAuthorized) : nil
        }
    }

    private func calm(_ broker: ScriptedBroker, _ fleet: inout SimulatedFleet) {
        fleet.deliverDelayed(broker)
        broker.refusal = nil
        broker.isUp = true
        broker.acknowledges = true
        broker.acknowledgeHeld()
        if !broker.isConnected { broker.wait(.seconds(80)) }
        broker.wait(.seconds(20))
    }

    private func compare(_ broker: ScriptedBroker, _ fleet: SimulatedFleet, _ seed: UInt64) {
        for device in fleet.devices where device.isKnown {
            let state = broker.state(device.id)
            #expect(state?.number("position", "lat") == device.lat, "seed \(seed), \(device.id)")
            #expect(state?.number("charge") == device.charge, "seed \(seed), \(device.id)")
        }
        let announced = broker.retained.keys.filter { $0.hasSuffix("/state") }.count
        #expect(announced == fleet.devices.filter(\.isKnown).count, "seed \(seed)")
        let stats = broker.stats()
        #expect(AccountingTests.balances(stats), "seed \(seed)")
        #expect(stats.number("received") == Double(fleet.sent), "seed \(seed)")
        #expect(stats.number("reports", "pending") == 0, "seed \(seed)")
    }

    @Test("The same run twice publishes the same bytes", arguments: seeds)
    func repeatable(seed: UInt64) {
        func run() -> [ScriptedBroker.Publication] {
            var random = SeededRandom(seed: seed)
            let broker = ScriptedBroker()
            var fleet = SimulatedFleet(devices: 8)
            for _ in 0..<400 {
                fleet.step(broker, &random)
                if Int.random(in: 0..<100, using: &random) == 0 { broker.loseConnection() }
                broker.wait(.milliseconds(Int.random(in: 0...300, using: &random)))
            }
            return broker.published
        }
        #expect(run() == run())
    }
}

/// Devices that report, and a network that does what networks do.
private struct SimulatedFleet {
    struct Device {
        let id: String
        var sequence = 0
        /// Of the newest report that was delivered; nothing before the first or after a withdrawal.
        var deliveredSequence: Int?
        var lat: Double?
        var charge: Double?

        var isKnown: Bool { deliveredSequence != nil }
    }

    var devices: [Device]
    private(set) var sent = 0
    private var delayed: [(device: Int, sequence: Int, payload: String)] = []
    private var clock = ScriptedBroker.start.wall.advanced(by: .seconds(-2_000))

    init(devices: Int) { self.devices = (0..<devices).map { Device(id: "r\($0)") } }

    mutating func step(_ broker: ScriptedBroker, _ random: inout SeededRandom) {
        let index = Int.random(in: 0..<devices.count, using: &random)
        let report = nextReport(of: index, &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: break  // lost
        case 1:
            deliver(report, broker)
            deliver(report, broker)
        case 2: delayed.append(report)
        case 3:
            send(
                broker, devices[index].id,
                ["{", "null", "[]", #"{"lat":91,"lon":0}"#, "\u{FF}"].randomElement(using: &random) ?? "")
            deliver(report, broker)
        default: deliver(report, broker)
        }
        // At most two old ones at a time: five in a row would be a clock that was set back.
        if delayed.count > 2 { deliver(delayed.removeFirst(), broker) }
    }

    /// One more report of each device, which arrives.
    mutating func reportAll(_ broker: ScriptedBroker, _ random: inout SeededRandom) {
        for index in devices.indices { deliver(nextReport(of: index, &random), broker) }
    }

    /// The bridge's counters have begun anew.
    mutating func countAnew() { sent = 0 }

    mutating func deliverDelayed(_ broker: ScriptedBroker) {
        for report in delayed { deliver(report, broker) }
        delayed.removeAll()
    }

    private mutating func nextReport(of index: Int, _ random: inout SeededRandom) -> (
        device: Int, sequence: Int, payload: String
    ) {
        devices[index].sequence += 1
        clock = clock.advanced(by: .milliseconds(10))
        let sequence = devices[index].sequence
        // The values follow from the number, so that the oracle needs to know nothing else.
        return (
            index, sequence,
            #"{"lat":\#(Self.lat(sequence)),"lon":9,"charge":\#(sequence % 101),"ts":"\#(clock.iso8601)","seq":\#(sequence)}"#
        )
    }

    private static func lat(_ sequence: Int) -> Double { 50 + Double(sequence) / 1_000 }

    private mutating func deliver(_ report: (device: Int, sequence: Int, payload: String), _ broker: ScriptedBroker) {
        send(broker, devices[report.device].id, report.payload)
        guard report.sequence > devices[report.device].deliveredSequence ?? 0 else { return }
        devices[report.device].deliveredSequence = report.sequence
        devices[report.device].lat = Self.lat(report.sequence)
        devices[report.device].charge = Double(report.sequence % 101)
    }

    private mutating func send(_ broker: ScriptedBroker, _ device: String, _ payload: String) {
        sent += 1
        broker.report(device, payload)
    }
}
