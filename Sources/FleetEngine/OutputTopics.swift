internal import Locations
internal import MQTTModel

/// The topics below the prefix.
struct OutputTopics {
    private static let reservedLocations = ["geojson", "status"]

    let prefix: String
    let bridgeStatus: String
    let stats: String

    init(prefix: String) {
        self.prefix = prefix
        bridgeStatus = "\(prefix)/status"
        stats = "\(prefix)/stats"
    }

    func probe(_ clientIdentifier: String) -> String { "\(prefix)/probe/\(TopicLevel.encode(clientIdentifier))" }

    func status(ofSource source: Identifier) -> String { "\(prefix)/\(TopicLevel.encode(source.text))/status" }

    func state(of location: Identifier, source: Identifier) -> String {
        let level = TopicLevel.encode(location.text, reserved: Self.reservedLocations)
        return "\(prefix)/\(TopicLevel.encode(source.text))/\(level)/state"
    }
}
