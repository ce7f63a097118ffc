import Testing

@testable import fleet_sim

@Suite("The rate of a fleet")
struct RateMeterTests {
    /// Samples at each half second of a fleet that takes a reading each `interval`, all of it there until `leaves`.
    private func summary(interval: Double, seconds: Double, leaves: Double = .infinity, planned: Double? = nil)
        -> String?
    {
        var meter = RateMeter(planned: planned)
        for time in stride(from: 0.0, through: seconds, by: 0.5) {
            let count = 1 + Int(min(time, leaves) / interval)
            meter.sample(
                readings: count, sent: count, isComplete: time < leaves, isEnding: time >= leaves, now: .seconds(time))
        }
        return meter.summary(missed: 0)
    }

    @Test("It is told where it says something: for a second at least, and ten readings")
    func few() {
        #expect(summary(interval: 0.1, seconds: 0.5) == nil)
        #expect(summary(interval: 3, seconds: 3.5, planned: 0.33) == nil)
        #expect(summary(interval: 0.7, seconds: 1.5) == nil)
        let line = "10.0 of 10.0 readings/s, 10.0 messages/s sent; at most 0 ms behind schedule"
        #expect(summary(interval: 0.1, seconds: 4, planned: 10) == line)
    }

    @Test("Who has left at the end of his track does not make the rate lower")
    func over() {
        let line = "10.0 readings/s, 10.0 messages/s sent; at most 0 ms behind schedule"
        #expect(summary(interval: 0.1, seconds: 2, leaves: 2) == summary(interval: 0.1, seconds: 60, leaves: 2))
        #expect(summary(interval: 0.1, seconds: 60, leaves: 2) == line)
    }
}
