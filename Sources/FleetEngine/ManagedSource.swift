internal import Locations
internal import MQTTModel
internal import TelemetryFormats
internal import Timestamps

/// A telemetry source with its decoder.
final class ManagedSource {
    let source: TelemetrySource
    /// Index into the configured sources.
    let entry: Int
    private var format: any TelemetryFormat

    init(_ configuration: SourceConfiguration, id: Identifier, entry: Int, at now: Instant) {
        var settings = configuration.settings
        settings.device = settings.device ?? id.text
        source = TelemetrySource(id: id, settings: settings, at: now)
        format = configuration.format.make(settings)
        self.entry = entry
    }

    /// What a message came to.
    struct Handled {
        var end: Tally.End
        /// Why it was ignored or rejected.
        var reason: String?
        var rejection: Rejection?
        /// One for each report; empty for messages that are none.
        var reports: [Tally.End] = []
        /// What was decoded, as far as it counts: for showing.
        var decoded: [Report] = []
        var ignoredID: Identifier?
    }

    func handle(_ message: IncomingMessage) -> Handled {
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
        switch decoded {
        case .reports(let reports): return apply(reports, message)
        case .ignored(let reason, let id):
            if let id, !message.retained { source.heard(id, at: message.arrival) }
            return Handled(end: .ignored, reason: reason, ignoredID: id)
        case .repeated(let id):
            if !message.retained { source.heard(id, at: message.arrival) }
            return Handled(end: .duplicate, reason: "duplicate", reports: [.duplicate], ignoredID: id)
        case .withdrawn(let id):
            source.withdraw(id, at: message.arrival)
            return Handled(end: .ignored, reason: "withdrawn", ignoredID: id)
        case .sourceConnection(let connection):
            source.apply(connection, retained: message.retained, at: message.arrival)
            return Handled(end: .applied)
        }
    }

    private func apply(_ reports: [Result<Report, Rejection>], _ message: IncomingMessage) -> Handled {
        var handled = Handled(end: .rejected)
        for result in reports {
            let end: Tally.End
            var reason: String?
            switch result {
            case .failure(let rejection):
                (end, reason) = (.rejected, rejection.reason.rawValue)
                handled.rejection = handled.rejection ?? rejection
            case .success(let report):
                switch source.apply(report, retained: message.retained, at: message.arrival) {
                case .applied:
                    end = .applied
                    handled.decoded.append(report)
                case .duplicate: (end, reason) = (.duplicate, "duplicate")
                case .late: (end, reason) = (.late, "late")
                case .ignored(let why):
                    (end, reason) = (.ignored, why)
                    handled.decoded.append(report)
                case .rejected(let rejection):
                    (end, reason) = (.rejected, rejection.reason.rawValue)
                    handled.rejection = handled.rejection ?? rejection
                }
                handled.ignoredID = report.id
            }
            handled.reports.append(end)
            if handled.reports.count == 1 || end > handled.end {
                (handled.end, handled.reason) = (end, reason)
            }
        }
        if handled.end != .rejected { handled.rejection = nil }
        return handled
    }
}
