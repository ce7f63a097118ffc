import Foundation
import Randomness
import Testing

/// Seeded runs with faults, compared with what must be shown in the end. `SEEDS=N` runs seeds 1…N, `SEED=n` one.
struct Simulation {
    private static let steps = 2_000
    /// How often the faults end within a run, so that all can be compared.
    private static let rounds = 4

    private static func seeds(_ count: Int) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SEED"].flatMap({ UInt64($0) }) { return [seed] }
        return Array(1...max(1, environment["SEEDS"].flatMap { UInt64($0) } ?? UInt64(count)))
    }

    @Test(
        "Whatever is lost, repeated, late, garbled, refused or restarted: what stands in the end follows from the reports",
        arguments: seeds(200))
    func faults(seed: UInt64) {
        let world = SimulatedWorld(seed: seed)
        for round in 1...Self.rounds {
            for _ in 0..<Self.steps / Self.rounds { world.step() }
            let differences = world.settle()
            guard !differences.isEmpty else { continue }
            let some = differences.prefix(8).joined(separator: "\n")
            Issue.record(
                "seed \(seed), round \(round), \(differences.count) differences:\n\(some)\nagain: make simulate SEED=\(seed)"
            )
            return
        }
    }

    @Test("The same run twice publishes the same bytes", arguments: seeds(5))
    func repeatable(seed: UInt64) {
        func run() -> Int? {
            let world = SimulatedWorld(seed: seed, isTraced: true)
            for _ in 0..<400 { world.step() }
            return world.trace?.finalize()
        }
        #expect(run() == run(), "again: make simulate SEED=\(seed)")
    }
}
