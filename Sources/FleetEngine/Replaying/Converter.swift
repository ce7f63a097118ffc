public import JSON
internal import Locations
internal import MQTTModel
public import TelemetryFormats
public import Timestamps

/// Shows what messages say, as one JSON line each, without a broker: for trying out a format and for its test cases.
/// Order, repetition and withdrawal are judged as by the bridge.
public final class Converter {
    /// A message as it stands in a file.
    public struct Input: Sendable {
        public var topicName: String
        public var payload: [UInt8]
        public var retained: Bool
        public var arrival: Timestamp

        public init(topicName: String, payload: [UInt8], retained: Bool, arrival: Timestamp) {
            self.topicName = topicName
            self.payload = payload
            self.retained = retained
            self.arrival = arrival
        }
    }

    private var sources: SourceTable
    /// With the maps, which only an explanation uses.
    private let configured: [SourceConfiguration]
    /// Reads what no filter matches; `nil`: such a message is ignored.
    private let fallback: SourceConfiguration?
    private var started: Timestamp?
    private var lastArrival = Timestamp(microseconds: 0)

    /// Reads messages by the sources of a configuration.
    public init(_ configurations: [SourceConfiguration]) {
        sources = SourceTable(configurations.map(\.withoutMaps))
        configured = configurations
        fallback = nil
    }

    /// Reads every message by one format, whatever its topic.
    public init(_ format: FormatDescription) {
        var settings = SourceSettings(staleAfter: format.staleAfter)
        settings.maxPayload = format.maxPayload
        let source = SourceConfiguration(
            id: Identifier(format.name), format: format,
            topics: format.topics.compactMap { try? TopicTemplate($0) },
            settings: settings)
        sources = SourceTable([source.withoutMaps])
        configured = []
        fallback = source.withoutMaps
    }

    /// - Returns: `{"reports":[…]}`, `{"rejected":{"reason":…,"pointer":…}}` or `{"ignored":{"reason":…,"id":…}}`. Beside the
    ///   reports of a batch stands `rejectedReports` where some of it were rejected.
    public func convert(_ input: Input) -> JSONValue {
        process(input).output
    }

    /// Reads a message like ``convert(_:)``, and tells how its reports came about.
    public func explain(_ input: Input) -> MessageExplanation {
        var explanation = MessageExplanation(input)
        let (output, read) = process(
            input, inspect: { received in explanation.inspect(received) },
            show: { [configured] report, source in
                guard let entry = configured.first(where: { $0.id == source.entry }) else { return }
                explanation.place(report, entry.settings)
            })
        explanation.conclude(output, read)
        return explanation
    }

    /// A message that has found its source, and is not read yet.
    struct Received {
        var message: IncomingMessage
        var configuration: SourceConfiguration
        var source: ManagedSource
        /// What matched the topic.
        var filter: TopicTemplate?
    }

    /// - Parameters:
    ///   - inspect: Sees the message before it is read.
    ///   - show: Gets every report that counts.
    private func process(
        _ input: Input, inspect: (Received) -> Void = { _ in },
        show: @escaping (Report, ManagedSource) -> Void = { _, _ in }
    ) -> (output: JSONValue, read: (Received, ManagedSource.Handled)?) {
        let arrival = max(input.arrival, lastArrival)
        lastArrival = arrival
        let start = started ?? arrival
        started = start
        let now = Instant(wall: arrival, monotonic: arrival.duration(since: start))
        let route = sources.route(input.topicName)
        guard let configuration = route.map({ sources.entries[$0.filter.entry] }) ?? fallback else {
            return (["ignored": ["reason": "no-source"]], nil)
        }
        let managed: ManagedSource
        do throws(Rejection) {
            managed =
                if let route { try sources.source(for: route, at: now).managed } else {
                    sources.source(of: configuration, at: now)
                }
        } catch {
            return (Self.rejected(error), nil)
        }
        let message = IncomingMessage(
            topic: route?.topic ?? TopicLevels(input.topicName), names: route?.names ?? TopicNames(),
            filterEnd: route?.filter.template.lastLiteral, payload: input.payload, retained: input.retained,
            arrival: now)
        let received = Received(
            message: message, configuration: configuration, source: managed, filter: route?.filter.template)
        inspect(received)
        var reports: [Report] = []
        let handled = managed.handle(message) { reports.append($0) }
        for report in reports { show(report, managed) }
        let shown = reports.map { $0.json(judgedAt: now, managed.source.settings) }
        return (Self.output(handled, shown), (received, handled))
    }

    private static func output(_ handled: ManagedSource.Handled, _ reports: [JSONValue]) -> JSONValue {
        if let rejection = handled.rejection { return rejected(rejection) }
        // A connection message says something also where there is no location yet to apply it to.
        if !reports.isEmpty {
            var output = JSONObject([("reports", .array(reports))])
            if !handled.rejectedReports.isEmpty {
                output.append("rejectedReports", .array(handled.rejectedReports.map(reason)))
            }
            return .object(output)
        }
        var ignored = JSONObject([("reason", .string(handled.reason ?? ""))])
        if let id = handled.lastID { ignored.append("id", .string(id.text)) }
        return ["ignored": .object(ignored)]
    }

    private static func rejected(_ rejection: Rejection) -> JSONValue {
        ["rejected": reason(of: rejection)]
    }

    private static func reason(of rejection: Rejection) -> JSONValue {
        [
            "reason": .string(rejection.reason.rawValue), "pointer": .string(rejection.pointer),
            "detail": .string(rejection.detail),
        ]
    }
}

extension SourceConfiguration {
    /// Reports are shown as they are before a map gives them a place, also those that none will.
    fileprivate var withoutMaps: SourceConfiguration {
        var configuration = self
        (configuration.settings.maps, configuration.settings.unknownMap) = (MapTable(), .hold)
        return configuration
    }
}

extension Report {
    /// The fields that the message sets, flat; `null` where it says that a value is unknown.
    func json(judgedAt now: Instant, _ settings: SourceSettings) -> JSONValue {
        .object(fields(time: usableTime(arrival: now.wall, settings)))
    }
}
