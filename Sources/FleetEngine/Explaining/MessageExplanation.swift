public import JSON
internal import Locations
public import TelemetryFormats

/// How a message became reports, or why it did not: for whoever connects a new device.
public struct MessageExplanation: Sendable {
    public let topicName: String
    /// Bytes of the payload.
    public let size: Int
    public let isStoredCopy: Bool
    /// `nil` where no source asked for the topic.
    public private(set) var source: String?
    public private(set) var format: String?
    /// The filter that matched the topic, as it was written.
    public private(set) var filter: String?
    /// `nil` where the message was not read.
    public private(set) var provenance: Provenance?
    public private(set) var policies: [AppliedPolicy] = []
    /// Where positions are told: on Earth or on a plan; `nil` without any.
    public private(set) var frame: String?
    /// Where the configuration's maps put positions on a plan.
    public private(set) var places: [Place] = []
    /// `applied`, `ignored`, `duplicate`, `late` or `rejected`.
    public private(set) var end = "ignored"
    /// What ``Converter/convert(_:)`` says of the message.
    public private(set) var output: JSONValue = .null

    /// A position on a plan, on Earth.
    public struct Place: Sendable, Hashable {
        public var map: String
        /// The position, and what turns or follows with it: as in ``Report/fields(time:)``.
        public var fields: JSONObject
    }

    init(_ input: Converter.Input) {
        topicName = input.topicName
        size = input.payload.count
        isStoredCopy = input.retained
    }

    mutating func inspect(_ received: Converter.Received) {
        source = received.source.source.id.text
        format = received.configuration.format.name
        filter = received.filter?.description
        provenance = received.source.provenance(of: received.message, filter: received.filter, received.configuration)
        frame = provenance.flatMap(Self.frame)
        // Of this message alone.
        _ = received.source.source.takeFaults()
        _ = received.source.source.takeClockResets()
    }

    /// - Parameter settings: Those of the source, with its maps.
    mutating func place(_ report: Report, _ settings: SourceSettings) {
        guard case .value(.plan) = report.position else { return }
        do throws(Rejection) {
            if let (placed, map) = try report.placed(by: settings) {
                let told = report.fields(time: nil)
                let changed = placed.fields(time: nil).members.filter { told[$0.key] != $0.value }
                places.append(Place(map: map, fields: JSONObject(changed.map { ($0.key, $0.value) })))
            } else {
                policies.append(
                    AppliedPolicy(name: .unknownMap, detail: "no such map: the location stays where it was"))
            }
        } catch {
            policies.append(AppliedPolicy(name: .unknownMap, detail: "the bridge rejects it: \(error.detail)"))
        }
    }

    /// - Parameter read: The message that was read, and what came of it; `nil` where it found no source.
    mutating func conclude(_ output: JSONValue, _ read: (received: Converter.Received, handled: ManagedSource.Handled)?)
    {
        self.output = output
        guard let (received, handled) = read else {
            if output.object?["rejected"] != nil { end = "rejected" }
            return
        }
        end = handled.end.word
        policies += AppliedPolicy.all(
            in: received.message, provenance, handled, source: received.source.source)
    }

    private static func frame(_ provenance: Provenance) -> String? {
        let uses = provenance.origins.flatMap(\.uses) + provenance.remembered + provenance.given
        if uses.contains(where: { $0.field == "lat" }) { return "WGS 84, degrees; heading clockwise from true north" }
        guard uses.contains(where: { $0.field == "x" }) else { return nil }
        let maps = Set(uses.filter { $0.field == "map" }.compactMap(\.value.string)).sorted()
        let names = maps.isEmpty ? "a plan without a name" : "plan " + maps.joined(separator: ", ")
        return "\(names), metres, y up; heading clockwise from its y axis"
    }
}

extension Tally.End {
    fileprivate var word: String {
        switch self {
        case .applied: "applied"
        case .ignored: "ignored"
        case .duplicate: "duplicate"
        case .late: "late"
        case .rejected: "rejected"
        }
    }
}
