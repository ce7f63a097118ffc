internal import Locations
internal import MQTTModel
internal import TelemetryFormats
internal import Timestamps

/// A telemetry source with its decoder.
final class ManagedSource {
    let source: TelemetrySource
    /// The id of the configuration's entry, which for a template's sources is another one.
    let entry: Identifier
    /// When the table's agenda calls for it; entries for other times are outdated.
    @exclusivity(unchecked) var scheduled: Duration?
    /// What it listens to.
    let topics: [TopicTemplate]
    @exclusivity(unchecked) private var format: any TelemetryFormat

    init(_ configuration: SourceConfiguration, id: Identifier, at now: Instant) {
        var settings = configuration.settings
        settings.device = settings.device ?? id.text
        source = TelemetrySource(id: id, settings: settings, at: now)
        format = configuration.format.make(settings)
        (entry, topics) = (configuration.id, configuration.topics)
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
        let decoded: Decoded
        do throws(Rejection) {
            guard message.payload.count <= source.settings.maxPayload else {
                throw Rejection(
                    .payloadTooLarge, "\(message.payload.count) bytes, more than \(source.settings.maxPayload)")
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
        guard message.payload.count <= source.settings.maxPayload else { return nil }
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
