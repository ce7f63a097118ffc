public import Locations
internal import Timestamps

/// The counters as they are now; docs/topics.md says what each of them counts.
public struct EngineFigures: Sendable {
    public typealias Counts = [(key: String, value: Int)]

    public var version = ""
    /// What people call the bridge.
    public var instance: String?
    /// Connections that a broker accepted.
    public var connects = 0
    public var received = 0
    /// By what messages came to: `applied`, `duplicate`, `late`, `ignored`, `rejected`.
    public var messages: Counts = []
    /// Why messages were not applied, by slug.
    public var reasons: Counts = []
    /// Values that could not be used, by slug.
    public var fieldFaults: Counts = []
    /// Failed expressions, by rule and property.
    public var ruleErrors: Counts = []
    public var reportsReceived = 0
    /// As ``messages``, and what became of the applied ones: `published`, `coalesced`, `unchanged`.
    public var reports: Counts = []
    /// Reports that wait for their turn.
    public var pendingReports = 0
    public var publishedByTime = 0
    /// Topics with something to be sent.
    public var queue = 0
    public var queueMaximum = 0
    public var dropped = 0
    public var sources: [(id: Identifier, status: SourceStatus, counts: StatusCounts)] = []
}

extension Engine {
    public var figures: EngineFigures {
        let (tally, queue) = (output.publisher.tally, output.publisher.order.tally)
        var figures = EngineFigures()
        (figures.version, figures.instance) = (bridgeStatus.version, bridgeStatus.instance)
        figures.connects = link.number
        figures.received = statistics.messages.received
        figures.messages = statistics.messages.named
        figures.reasons = statistics.reasons.sorted
        figures.fieldFaults = statistics.fields.sorted
        figures.ruleErrors = statistics.ruleErrors.sorted
        figures.reportsReceived = statistics.reports.received
        figures.reports =
            statistics.reports.named + [
                ("published", tally.published), ("coalesced", tally.coalesced), ("unchanged", tally.unchanged),
            ]
        figures.pendingReports = tally.pending
        figures.publishedByTime = tally.publishedByTime
        (figures.queue, figures.queueMaximum, figures.dropped) = (queue.now, queue.max, queue.dropped)
        figures.sources = sourceStatuses
        return figures
    }
}
