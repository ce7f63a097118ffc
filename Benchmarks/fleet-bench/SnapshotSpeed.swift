/// What a round of GeoJSON snapshots costs.
enum SnapshotSpeed {
    private static let locations = 10_000
    private static let rounds = 15
    private static let interval = Duration.seconds(5)

    /// - Parameter changed: How many of the locations have another state than in the round before, neighbours among them.
    /// - Returns: Milliseconds from the engine's tick to the last chunk's bytes; the median of the rounds.
    static func milliseconds(changed: Int) throws -> Double {
        let pipeline = try Pipeline(snapshots: interval)
        let clock = ContinuousClock()
        var times: [Double] = []
        for round in 0...rounds {
            let telemetry = NativeTelemetry(
                count: round == 0 ? locations : changed, from: round * locations, devices: locations)
            pipeline.run(telemetry.messages, at: (interval + .milliseconds(1)) * round)
            let before = pipeline.publishes
            let (_, fraction) = clock.measure { pipeline.wait(interval) }.components
            let chunks = pipeline.publishes - before
            precondition(chunks >= (changed + 99) / 100, "\(chunks) chunks")
            if round > 0 { times.append(Double(fraction) * 1e-15) }
        }
        return median(times)
    }
}
