public import Locations
public import MQTTModel
public import Timestamps

/// A message as a format sees it.
public struct IncomingMessage: Sendable {
    public var topic: TopicLevels
    /// What the filter's named levels are: `device`, `source`, or a format's own.
    public var names: TopicNames
    /// The filter's last level where it is literal.
    public var filterEnd: String?
    public var payload: [UInt8]
    public var retained: Bool
    public var arrival: Instant

    public init(
        topic: TopicLevels, names: TopicNames = TopicNames(), filterEnd: String? = nil, payload: [UInt8],
        retained: Bool = false,
        arrival: Instant
    ) {
        self.topic = topic
        self.names = names
        self.filterEnd = filterEnd
        self.payload = payload
        self.retained = retained
        self.arrival = arrival
    }
}

/// What a message turned out to be.
public enum Decoded: Sendable, Equatable {
    case report(Report)
    /// A batch: reports, or what was wrong with its single objects.
    case reports([Result<Report, Rejection>])
    /// Well-formed, but nothing for us. With an id it is a sign of that device's life.
    case ignored(reason: String, id: Identifier?)
    /// What the device said before came once more, by another way: a sign of its life and no more.
    case repeated(Identifier)
    /// The device is taken away.
    case withdrawn(Identifier)
    /// A whole source says that it is connected or not.
    case sourceConnection(Report.Connection)
}

/// Reads one kind of payload. One decoder belongs to one source and may keep bounded state per device.
public protocol TelemetryFormat {
    mutating func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded
}

/// One row of the table of formats.
public struct FormatDescription: Sendable {
    /// The setting's value, and the name of the folder with the format's fixtures.
    public var name: String
    /// The topics that its devices use where nobody has chosen others.
    public var topics: [String]
    /// Silence after which its devices are stale; `nil`: they speak only when something changes.
    public var staleAfter: Duration?
    /// Bytes of a payload at most.
    public var maxPayload = 64 * 1024
    /// What it is made of, where it is data.
    public private(set) var mapping: FormatMapping?
    public var make: @Sendable (SourceSettings) -> any TelemetryFormat
}

extension FormatDescription: Equatable {
    /// Formats in code are known by their names.
    public static func == (a: FormatDescription, b: FormatDescription) -> Bool {
        (a.name, a.topics, a.staleAfter, a.maxPayload) == (b.name, b.topics, b.staleAfter, b.maxPayload)
            && a.mapping == b.mapping
    }
}

extension FormatDescription {
    /// A format as data.
    public init(name: String, topics: [String] = [], staleAfter: Duration?, mapping: FormatMapping) {
        self.init(
            name: name, topics: topics, staleAfter: staleAfter, mapping: mapping,
            make: { MappingFormat(mapping, settings: $0) })
    }

    /// One that the configuration describes.
    public static func mapping(_ mapping: FormatMapping) -> FormatDescription {
        FormatDescription(name: FormatTable.mappingName, staleAfter: .seconds(30), mapping: mapping)
    }
}
