/// How many readings a second the fleet takes, and how far it is behind what it should.
struct RateMeter {
    /// Readings a second; `nil` where devices have a pace of their own.
    let planned: Double?

    private struct Sample {
        var time: Duration
        var readings: Int
        var sent: Int
    }

    /// The rate that is shown is taken over so many periods.
    private static let window = 4
    private static let fewestReadings = 10

    private var samples: [Sample] = []
    /// Since all devices were there.
    private var steady: (first: Sample, last: Sample)?
    /// The worst since the last sample, and since all devices were there.
    private var lag = Duration.zero, shownLag = Duration.zero, worstLag = Duration.zero

    init(planned: Double?) { self.planned = planned }

    mutating func note(lag: Duration) { self.lag = max(self.lag, lag) }

    /// - Parameters:
    ///   - readings: That were taken so far.
    ///   - isComplete: Whether all devices are there.
    ///   - isEnding: Whether some have left for good: a rate over a fleet that has nothing to say any more is none.
    mutating func sample(readings: Int, sent: Int, isComplete: Bool, isEnding: Bool, now: Duration) {
        let sample = Sample(time: now, readings: readings, sent: sent)
        samples.append(sample)
        if samples.count > Self.window + 1 { samples.removeFirst() }
        if isEnding {
            // As it was before.
        } else if let first = steady?.first {
            steady = (first, sample)
            worstLag = max(worstLag, lag)
        } else if isComplete {
            steady = (sample, sample)
        }
        (shownLag, lag) = (lag, .zero)
    }

    /// For the terminal.
    var status: String {
        var rate = 0.0
        if let first = samples.first, let last = samples.last, last.time > first.time {
            rate = Double(last.sent - first.sent) / ((last.time - first.time) / .seconds(1))
        }
        return "\(decimal(rate)) messages/s   \(samples.last?.sent ?? 0) sent   \(Self.milliseconds(shownLag)) behind"
    }

    /// `nil` where the devices were never all there for a second, or took so few readings then that it matters where between
    /// two of them the time begins and ends.
    func summary(missed: Int) -> String? {
        guard let steady else { return nil }
        let time = (steady.last.time - steady.first.time) / .seconds(1)
        let count = steady.last.readings - steady.first.readings
        guard time >= 1, count >= Self.fewestReadings else { return nil }
        let readings = Double(count) / time
        let messages = Double(steady.last.sent - steady.first.sent) / time
        let plan = planned.map { " of \(decimal($0))" } ?? ""
        return "\(decimal(readings))\(plan) readings/s, \(decimal(messages)) messages/s sent; at most "
            + "\(Self.milliseconds(worstLag)) behind schedule" + (missed > 0 ? ", \(missed) readings left out" : "")
    }

    private static func milliseconds(_ duration: Duration) -> String {
        "\(Int((duration / .milliseconds(1)).rounded())) ms"
    }
}
