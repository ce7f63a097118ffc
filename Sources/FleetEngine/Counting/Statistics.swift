internal import JSON
internal import Locations
internal import Timestamps

/// The counters, and the document that is published of them.
struct Statistics {
    static let interval = Duration.seconds(10)

    var messages = Tally()
    var reports = Tally()
    var reasons = SlugCounts()
    var fields = SlugCounts()
    /// By rule and property: `main/iconColor`.
    var ruleErrors = SlugCounts()
    private(set) var nextDeadline: Duration?
    /// Whether something has happened since the last document, as far as ``noteWork(at:)`` was told.
    private(set) var hasNews = true

    private let started: Duration
    private var intervalStart: Duration
    private var receivedAtStart = 0

    init(started: Instant) {
        self.started = started.monotonic
        intervalStart = started.monotonic
    }

    /// After a connect the first document comes one interval later.
    mutating func restartInterval(at now: Instant) { nextDeadline = now.monotonic + Self.interval }

    /// Something happens. Documents that would have told nothing new are passed over, and the next one comes at the time at
    /// which it would have come after them.
    mutating func noteWork(at now: Duration) {
        guard !hasNews else { return }
        hasNews = true
        guard let due = nextDeadline, due <= now else { return }
        let next = due + Self.interval * Int((now - due) / Self.interval + 1)
        (nextDeadline, intervalStart) = (next, next - Self.interval)
    }

    mutating func payload(_ publishing: PublishTally, _ queue: QueueTally, counts: [StatusCounts], at now: Instant)
        -> [UInt8]
    {
        let elapsed = (now.monotonic - intervalStart).inSeconds
        let rate = elapsed > 0 ? Double(messages.received - receivedAtStart) / elapsed : 0
        (intervalStart, receivedAtStart) = (now.monotonic, messages.received)
        nextDeadline = now.monotonic + Self.interval
        hasNews = false

        var writer = JSONWriter()
        writer.beginObject()
        writer.key("time")
        writer.string(now.wall.iso8601)
        writer.key("uptime")
        writer.integer(Int((now.monotonic - started).inSeconds))
        writer.key("received")
        writer.integer(messages.received)
        messages.write(to: &writer)
        writer.key("reasons")
        reasons.write(to: &writer)
        writer.key("fields")
        fields.write(to: &writer)
        writer.key("ruleErrors")
        ruleErrors.write(to: &writer)
        writer.key("reports")
        writer.beginObject()
        writer.key("received")
        writer.integer(reports.received)
        reports.write(to: &writer)
        for (key, count) in [
            ("published", publishing.published), ("coalesced", publishing.coalesced),
            ("unchanged", publishing.unchanged), ("pending", publishing.pending),
        ] {
            writer.key(key)
            writer.integer(count)
        }
        writer.endObject()
        writer.key("publishedByTime")
        writer.integer(publishing.publishedByTime)
        writer.key("locations")
        writer.beginObject()
        for status in LocationStatus.allCases {
            writer.key(status.rawValue)
            writer.integer(counts.reduce(0) { $0 + $1[status] })
        }
        writer.endObject()
        writer.key("queue")
        queue.write(to: &writer)
        writer.key("messagesPerSecond")
        writer.number((rate * 10).rounded() / 10)
        writer.endObject()
        return writer.bytes
    }
}
