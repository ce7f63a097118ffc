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
    /// `applied`, `ignored`, `duplicate`, `late` or `rejected`.
    public private(set) var end = "ignored"
    /// What ``Converter/convert(_:)`` says of the message.
    public private(set) var output: JSONValue = .null

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

    /// - Parameter read: The message that was read, and what came of it; `nil` where it found no source.
    mutating func conclude(_ output: JSONValue, _ read: (received: Converter.Received, handled: ManagedSource.Handled)?)
    {
        self.output = output
        guard let (received, handled) = read else {
            if output.object?["rejected"] != nil { end = "rejected" }
            return
        }
        end = handled.end.word
        policies = AppliedPolicy.all(
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
