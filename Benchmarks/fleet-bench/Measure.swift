import JSON

/// Times work in turns, so that a machine whose speed drifts does not favour one of them.
struct Comparison {
    /// Seconds a message: the median of the rounds.
    var first: Double
    var second: Double
    /// The median of the rounds' own ratios second : first in speed.
    var speedRatio: Double

    /// - Parameters:
    ///   - rounds: How often both are timed; one more before is not counted.
    ///   - count: Messages in one timing.
    ///   - prepare: Makes a round's input; not timed.
    init<Input>(
        rounds: Int, count: Int, _ prepare: (_ round: Int) -> Input, first: (Input) -> Void, second: (Input) -> Void
    ) {
        let clock = ContinuousClock()
        func seconds(_ work: () -> Void) -> Double {
            let (whole, fraction) = clock.measure(work).components
            return (Double(whole) + Double(fraction) * 1e-18) / Double(count)
        }
        var pairs: [(Double, Double)] = []
        for round in 0...rounds {
            let input = prepare(round)
            let pair = (seconds { first(input) }, seconds { second(input) })
            if round > 0 { pairs.append(pair) }
        }
        self.first = median(pairs.map(\.0))
        self.second = median(pairs.map(\.1))
        speedRatio = median(pairs.map { $0.0 / $0.1 })
    }
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.count % 2 == 1
        ? sorted[sorted.count / 2] : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
}

func rounded(_ value: Double, _ decimals: Int = 0) -> JSONValue {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    return .number((value * scale).rounded() / scale)
}
