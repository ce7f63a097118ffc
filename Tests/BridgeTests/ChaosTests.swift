import FleetTestSupport
import Foundation
import LocalBroker
import Testing
import Timestamps

/// Brokers, bridges and devices that are killed, paused and cut at random while a fleet publishes. In the end each
/// retained state must be what its device last said. `SEEDS=N` runs seeds 1…N, `SEED=n` just one, `FOR=2m` lets each
/// disturb so long.
@Suite("Chaos", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(ChaosSettings.patience)))
struct ChaosTests {
    @Test(
        "Whatever dies, the retained states end as the devices said last, and the counters balance",
        arguments: ChaosSettings.seeds, [false, true])
    func chaos(seed: UInt64, keepsStore: Bool) throws {
        func run(_ broker: EmbeddedBroker) throws {
            do {
                var run = try ChaosRun(broker, seed: seed, lasting: ChaosSettings.duration)
                try run.disturb()
                try run.calm()
                try run.compare()
                print("seed \(seed), a broker that \(keepsStore ? "saves" : "forgets"): \(run.summary)")
            } catch {
                Issue.record(
                    """
                    \(error), the broker \(broker.isRunning ? "runs" : "has ended")
                    Once more: make chaos SEED=\(seed) FOR=\(ChaosSettings.duration.text)
                    """)
            }
        }
        if keepsStore {
            try Broker.withStoringBroker { broker, _ in try run(broker) }
        } else {
            try Broker.withBroker { try run($0) }
        }
    }
}

/// What the environment says.
private enum ChaosSettings {
    private static let environment = ProcessInfo.processInfo.environment

    static var seeds: [UInt64] {
        if let seed = environment["SEED"].flatMap({ UInt64($0) }) { return [seed] }
        return Array(1...max(1, environment["SEEDS"].flatMap { UInt64($0) } ?? 1))
    }

    static let duration = environment["FOR"].flatMap { try? Duration(text: $0) } ?? .seconds(4)
    /// Minutes.
    static var patience: Int64 { 5 + duration.components.seconds / 60 }
}
