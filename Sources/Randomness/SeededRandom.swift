/// A random generator that gives the same numbers for the same seed, on every machine: SplitMix64 (G. L. Steele,
/// D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    /// The generator of one device of a run. Neighbouring numbers give unrelated sequences.
    public init(seed: UInt64, stream: Int) {
        var seeder = SeededRandom(seed: seed)
        var streamer = SeededRandom(seed: seeder.next() ^ UInt64(truncatingIfNeeded: stream))
        state = streamer.next()
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// A number from `range`, evenly spread. Not `Double.random`, whose algorithm may change with the toolchain.
    public mutating func uniform(in range: ClosedRange<Double>) -> Double {
        let unit = Double(next() >> 11) * 0x1p-53  // 0 ≤ unit < 1
        return range.lowerBound + (range.upperBound - range.lowerBound) * unit
    }
}
