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
    /// Reads what no filter matches; `nil`: such a message is ignored.
    private let fallback: SourceConfiguration?
    private var started: Timestamp?
    private var lastArrival = Timestamp(microseconds: 0)

    /// Reads messages by the sources of a configuration.
    public init(_ configurations: [SourceConfiguration]) {
        sources = SourceTable(configurations.map(\.withoutMaps))
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
        fallback = source.withoutMaps
    }

    /// - Returns: `{"reports":[…]}`, `{"rejected":{"reason":…,"pointer":…}}` or `{"ignored":{"reason":…,"id":…}}`.
    public func convert(_ input: Input) -> JSONValue {
        let arrival = max(input.arrival, lastArrival)
        lastArrival = arrival
        let start = started ?? arrival
        started = start
        let now = Instant(wall: arrival, monotonic: arrival.duration(since: start))
        let route = sources.route(input.topicName)
        let managed: ManagedSource
        if let route {
            do throws(Rejection) {
                managed = try sources.source(for: route, at: now).managed
            } catch {
                return Self.rejected(error)
            }
        } else if let fallback {
            managed = sources.source(of: fallback, at: now)
        } else {
            return ["ignored": ["reason": "no-source"]]
        }
        var reports: [JSONValue] = []
        let message = IncomingMessage(
            topic: route?.topic ?? TopicLevels(input.topicName), names: route?.names ?? TopicNames(),
            filterEnd: route?.filter.template.lastLiteral, payload: input.payload, retained: input.retained,
            arrival: now)
        let handled = managed.handle(message) { reports.append($0.json(judgedAt: now, managed.source.settings)) }
        if let rejection = handled.rejection {
            return Self.rejected(rejection)
        }
        // A connection message says something also where there is no location yet to apply it to.
        if !reports.isEmpty { return ["reports": .array(reports)] }
        var ignored = JSONObject([("reason", .string(handled.reason ?? ""))])
        if let id = handled.lastID { ignored.append("id", .string(id.text)) }
        return ["ignored": .object(ignored)]
    }

    private static func rejected(_ rejection: Rejection) -> JSONValue {
        [
            "rejected": [
                "reason": .string(rejection.reason.rawValue), "pointer": .string(rejection.pointer),
                "detail": .string(rejection.detail),
            ]
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
        var object = JSONObject([("id", .string(id.text))])
        func add<Value>(_ key: String, _ reading: Reading<Value>, _ value: (Value) -> JSONValue) {
            switch reading {
            case .absent: break
            case .unknown: object.append(key, .null)
            case .value(let known): object.append(key, value(known))
            }
        }
        switch position {
        case .absent: break
        case .unknown: object.append("positionLost", true)
        case .value(.geographic(let position)):
            object.append("lat", .number(position.latitude))
            object.append("lon", .number(position.longitude))
        case .value(.plan(let x, let y, let map)):
            object.append("x", .number(x))
            object.append("y", .number(y))
            if let map { object.append("map", .string(map)) }
        }
        add("floor", floor) {
            switch $0 {
            case .number(let number): .number(number)
            case .text(let text): .string(text)
            case .index(let index): .number(Double(index))
            }
        }
        add("charge", charge) { .number($0) }
        add("charging", charging) { .bool($0) }
        add("heading", heading) { .number($0) }
        add("speed", speed) { .number($0) }
        add("accuracy", accuracy) { .number($0) }
        add("altitude", altitude) { .number($0) }
        if let time = usableTime(arrival: now.wall, settings) { object.append("time", .string(time.iso8601)) }
        add("state", state) { .string($0) }
        add("name", name) { .string($0) }
        add("type", type) { .string($0) }
        add("building", building) { .string($0) }
        if let connection { object.append("connection", .string(connection.rawValue)) }
        if !properties.isEmpty { object.append("properties", .object(properties)) }
        return .object(object)
    }
}
