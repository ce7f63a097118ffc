internal import Locations
internal import MQTTModel
internal import TelemetryFormats
internal import Timestamps

/// A telemetry source with its decoder.
final class ManagedSource {
    let source: TelemetrySource
    /// The entry that it was made by; for a template's sources its id is another one.
    private(set) var configuration: SourceConfiguration
    /// The template was guessed, since only what was published is known of it yet.
    var isProvisional = false
    /// All its filters are granted, or refused.
    var isOpen = false
    /// By the operator: what comes is not for it.
    @exclusivity(unchecked) var isStopped = false
    /// When the table's agenda calls for it; entries for other times are outdated.
    @exclusivity(unchecked) var scheduled: Duration?
    @exclusivity(unchecked) private var format: any TelemetryFormat

    init(_ configuration: SourceConfiguration, id: Identifier, at now: Instant) {
        let settings = configuration.settings(of: id)
        source = TelemetrySource(id: id, settings: settings, at: now)
        format = configuration.format.make(settings)
        self.configuration = configuration
    }

    /// The id of the entry.
    var entry: Identifier { configuration.id }

    /// What it listens to.
    var topics: [TopicTemplate] { configuration.topics }

    /// Goes on by another entry: the locations stay, the decoder begins anew where messages may be read in another way.
    func change(to configuration: SourceConfiguration, at now: Instant) {
        let settings = configuration.settings(of: source.id)
        if settings != source.settings || configuration.format != self.configuration.format {
            format = configuration.format.make(settings)
            source.change(settings, at: now)
        }
        (self.configuration, isProvisional) = (configuration, false)
    }

    /// What a message came to.
    struct Handled {
        var end: Tally.End
        /// Why it was ignored or rejected.
        var reason: String?
        /// Of the message.
        var rejection: Rejection?
        /// How its reports ended.
        var reports = Tally()
        /// Of single reports, also where others of the message count.
        var rejectedReports: [Rejection] = []
        /// Whom it spoke of last.
        var lastID: Identifier?
        /// What payloads of reports that count say instead of the topic's id.
        var contradictingIDs: [String] = []
    }

    /// Decodes a message and applies what it says.
    ///
    /// - Parameter show: Gets every report that counts.
    func handle(_ message: IncomingMessage, show: ((Report) -> Void)? = nil) -> Handled {
        guard !isStopped else { return Handled(end: .ignored, reason: "source-stopped") }
        let decoded: Decoded
        do throws(Rejection) {
            guard message.payload.count <= source.maxPayload else {
                throw Rejection(
                    .payloadTooLarge, "\(message.payload.count) bytes, more than \(source.maxPayload)")
            }
            decoded = try format.decode(message)
        } catch {
            return Handled(end: .rejected, reason: error.reason.rawValue, rejection: error)
        }
        switch consume decoded {
        case .report(let report):
            var handled = Handled(end: .rejected)
            apply(report, message, &handled, show)
            return handled
        case .reports(let results): return apply(results, message, show)
        case .ignored(let reason, let id):
            if let id, !message.retained { source.heard(id, at: message.arrival) }
            return Handled(end: .ignored, reason: reason, lastID: id)
        case .repeated(let id):
            if !message.retained { source.heard(id, at: message.arrival) }
            var handled = Handled(end: .duplicate, lastID: id)
            handled.add(.duplicate, "duplicate")
            return handled
        case .withdrawn(let id):
            source.withdraw(id, at: message.arrival)
            return Handled(end: .ignored, reason: "withdrawn", lastID: id)
        case .sourceConnection(let connection):
            source.apply(connection, retained: message.retained, at: message.arrival)
            return Handled(end: .applied)
        }
    }

    /// Where a message's fields come from. Asked before the message is handled, which changes the decoder.
    ///
    /// - Returns: `nil` for a message that is too large to be read.
    func provenance(
        of message: IncomingMessage, filter: TopicTemplate?, _ configuration: SourceConfiguration
    ) -> Provenance? {
        guard message.payload.count <= source.maxPayload else { return nil }
        return Provenance(
            of: message, filter: filter, decoder: format, fresh: configuration.format.make(source.settings))
    }

    private func apply(
        _ results: [Result<Report, Rejection>], _ message: IncomingMessage, _ show: ((Report) -> Void)?
    ) -> Handled {
        var handled = Handled(end: .rejected)
        for result in results {
            switch result {
            case .failure(let rejection): handled.add(rejection)
            case .success(let report): apply(report, message, &handled, show)
            }
        }
        if handled.end != .rejected { handled.rejection = nil }
        return handled
    }

    private func apply(
        _ report: consuming Report, _ message: IncomingMessage, _ handled: inout Handled, _ show: ((Report) -> Void)?
    ) {
        handled.lastID = report.id
        let contradictingID = report.contradictingID
        let shown = show == nil ? nil : copy report
        switch source.apply(report, retained: message.retained, at: message.arrival) {
        case .applied: handled.add(.applied)
        case .duplicate: return handled.add(.duplicate, "duplicate")
        case .late: return handled.add(.late, "late")
        case .ignored(let reason): handled.add(.ignored, reason)
        case .rejected(let rejection): return handled.add(rejection)
        }
        if let contradictingID { handled.contradictingIDs.append(contradictingID) }
        if let shown { show?(shown) }
    }
}

extension SourceConfiguration {
    /// Where nothing names a device, it is called as its source.
    fileprivate func settings(of id: Identifier) -> SourceSettings {
        var settings = settings
        settings.device = settings.device ?? id.text
        return settings
    }
}

extension ManagedSource.Handled {
    /// Counts one report. The message counts as its best one.
    fileprivate mutating func add(_ end: Tally.End, _ reason: String? = nil) {
        if reports.received == 0 || end > self.end { (self.end, self.reason) = (end, reason) }
        reports.count(end)
    }

    fileprivate mutating func add(_ rejection: Rejection) {
        self.rejection = self.rejection ?? rejection
        rejectedReports.append(rejection)
        add(.rejected, rejection.reason.rawValue)
    }
}
