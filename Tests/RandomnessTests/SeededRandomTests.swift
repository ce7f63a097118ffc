import Randomness
import Testing

@Suite("Seeded randomness")
struct SeededRandomTests {
    @Test("The numbers are SplitMix64's")
    func reference() {
        // The first outputs for seed 1234567, as other implementations of the paper give them.
        var random = SeededRandom(seed: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
        #expect(random.next() == 3_203_168_211_198_807_973)
        #expect(random.next() == 9_817_491_932_198_370_423)
    }

    @Test("Devices of one run have different sequences, and so have runs of different seeds")
    func streams() {
        var firsts: Set<UInt64> = []
        for seed in 0..<20 as Range<UInt64> {
            for stream in 0..<50 {
                var random = SeededRandom(seed: seed, stream: stream)
                firsts.insert(random.next())
            }
        }
        #expect(firsts.count == 1_000)
    }

    @Test("A uniform number fills its range and never leaves it")
    func uniform() {
        var random = SeededRandom(seed: 1)
        let numbers = (0..<10_000).map { _ in random.uniform(in: -2...6) }
        #expect(numbers.allSatisfy { (-2...6).contains($0) })
        #expect(numbers.contains { $0 < -1.9 } && numbers.contains { $0 > 5.9 })
        #expect(abs(numbers.reduce(0, +) / 10_000 - 2) < 0.1)
    }
}
