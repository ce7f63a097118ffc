/// How Home Assistant is told of the locations, by its MQTT discovery.
public struct HomeAssistantSettings: Sendable, Equatable {
    /// What is announced of a location.
    public enum Discovery: String, Sendable, CaseIterable {
        /// One message with all its entities; Home Assistant 2024.12 and later.
        case device
        /// One message for each entity, for any version.
        case entity
    }

    /// The topics' first level or levels, as Home Assistant has it in its own settings.
    public var discoveryPrefix = "homeassistant"
    public var discovery = Discovery.device

    public init() {}

    /// What the bridge publishes there and listens to, of both kinds of discovery.
    public var topicFilters: [String] {
        DiscoveryTopics.filters(below: discoveryPrefix) + DiscoveryTopics.births(below: discoveryPrefix)
    }
}
