public import DisplayRules
public import Geometry
public import Locations
public import MQTTModel
public import TelemetryFormats
public import Venues

/// Everything the engine needs to know; checked before it is built.
public struct EngineConfiguration: Sendable {
    /// Ids that no source may have: below the prefix these levels mean something else.
    public static let reservedSources = ["request", "response", "status", "stats", "rejected", "probe"]

    /// The topics' first level or levels (`fleet-bridge`): everything published stands below it.
    public var prefix = "fleet-bridge"
    /// Whether of ids in topics all but letters, digits, `_` and `-` is percent-encoded, rather than only what must be.
    public var encodesTopicsStrictly = false
    public var clientIdentifier = "fleet-bridge"
    /// What people call this bridge; `nil`: there is no other to tell it from.
    public var instance: String?
    /// At the broker that is read from; `nil`: it is the one that is published to.
    public var sourceClientIdentifier: String?
    public var sources: [SourceConfiguration]
    /// Sources that go by others, with ids of their own. None goes by itself, however many are between.
    public var derived: [DerivedSourceConfiguration] = []
    public var displayRules: DisplayRuleSet
    /// Of the subscriptions to the sources' topics.
    public var subscriptionQoS = QoS.atLeastOnce
    /// Whether the broker keeps what comes while the bridge is away: then early messages may be old.
    public var keepsSession = false
    /// Retained topics a second that are published again after a connect.
    public var republishRate = 1_000.0
    /// Bytes of a published payload at most.
    public var maxOutput = 256 * 1024
    /// How long the broker keeps a state that is not published again (only with MQTT 5); `nil`: for ever.
    public var stateExpiry: Duration?
    /// Time between two GeoJSON snapshots; `nil`: none are published.
    public var snapshotInterval: Duration?
    /// Time between two messages to itself by which ``Engine/readiness`` tells that messages come round; `nil`: none.
    public var probeInterval: Duration?
    /// The buildings' plans. What finds rooms by them is in the sources' settings.
    public var venues: [Venue] = []
    public var zones: [Zone] = []
    /// Where positions are told in, too; `nil`: they are told in degrees only.
    public var coordinateSystem: (any CoordinateSystem)?
    /// `nil`: Home Assistant is told nothing.
    public var homeAssistant: HomeAssistantSettings?

    public init(sources: [SourceConfiguration], displayRules: DisplayRuleSet) {
        self.sources = sources
        self.displayRules = displayRules
    }
}

/// One entry of `sources`: a source, or with `{source}` in a filter a template that makes one of each value seen.
public struct SourceConfiguration: Sendable, Equatable {
    public var id: Identifier
    public var format: FormatDescription
    public var topics: [TopicTemplate]
    public var settings: SourceSettings

    public init(id: Identifier, format: FormatDescription, topics: [TopicTemplate], settings: SourceSettings) {
        self.id = id
        self.format = format
        self.topics = topics
        self.settings = settings
    }

    public var isTemplate: Bool { topics.contains { $0.names.contains("source") } }
}
