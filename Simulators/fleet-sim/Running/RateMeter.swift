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

    private var samples: [Sample] = []
    /// Since all devices were there.
    private var steady: (first: Sample, last: Sample)?
    /// The worst since the last sample, and since all devices were there.
    private var lag = Duration.zero, shownLag = Duration.zero, worstLag = Duration.zero

    init(planned: Double?) { self.planned = planned }

    mutating func note(lag: Duration) { self.lag = max(self.lag, lag) }

    mutating func sample(_ links: [Link], isComplete: Bool, now: Duration) {
        let sample = Sample(
            time: now, readings: links.reduce(0) { $0 + $1.agents.reduce(0) { $0 + $1.counters.readings } },
            sent: links.reduce(0) { $0 + $1.counters.sent })
        samples.append(sample)
        if samples.count > Self.window + 1 { samples.removeFirst() }
        if let first = steady?.first {
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

    /// `nil` where the devices were never all there for a second.
    func summary(_ links: [Link]) -> String? {
        guard let steady else { return nil }
        let time = (steady.last.time - steady.first.time) / .seconds(1)
        guard time >= 1 else { return nil }
        let readings = Double(steady.last.readings - steady.first.readings) / time
        let messages = Double(steady.last.sent - steady.first.sent) / time
        let missed = links.reduce(0) { $0 + $1.agents.reduce(0) { $0 + $1.counters.missed } }
        let plan = planned.map { " of \(decimal($0))" } ?? ""
        return "\(decimal(readings))\(plan) readings/s, \(decimal(messages)) messages/s sent; at most "
            + "\(Self.milliseconds(worstLag)) behind schedule" + (missed > 0 ? ", \(missed) readings left out" : "")
    }

    private static func milliseconds(_ duration: Duration) -> String {
        "\(Int((duration / .milliseconds(1)).rounded())) ms"
    }
}
