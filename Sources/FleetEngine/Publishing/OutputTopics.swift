internal import Locations
internal import MQTTModel

/// The topics below the prefix.
struct OutputTopics {
    private static let reservedLocations = ["geojson", "status"]

    let prefix: String
    let bridgeStatus: String
    let stats: String
    let rejected: String
    /// Where Home Assistant is told of locations.
    let discovery: String
    /// Of ids, everything but letters, digits, `_` and `-` is encoded.
    private let encodesStrictly: Bool

    init(prefix: String, encodesStrictly: Bool = false) {
        (self.prefix, self.encodesStrictly) = (prefix, encodesStrictly)
        bridgeStatus = "\(prefix)/status"
        stats = "\(prefix)/stats"
        rejected = "\(prefix)/rejected"
        discovery = "\(prefix)/discovery"
    }

    func probe(_ clientIdentifier: String) -> String { "\(prefix)/probe/\(TopicLevel.encode(clientIdentifier))" }

    /// What requests are asked on, with all their names.
    var requests: String { "\(prefix)/request/#" }

    /// The name of the request that a topic stands for; `nil` for no request.
    func request(_ topicName: String) -> String? {
        let start = "\(prefix)/request/"
        guard topicName.utf8.starts(with: start.utf8) else { return nil }
        return String(topicName.utf8.dropFirst(start.utf8.count))
    }

    func response(to request: String) -> String { "\(prefix)/response/\(request)" }

    private func level(_ id: Identifier, reserved: [String] = []) -> String {
        TopicLevel.encode(id.text, reserved: reserved, strictly: encodesStrictly)
    }

    func status(ofSource source: Identifier) -> String { "\(prefix)/\(level(source))/status" }

    /// The level that stands for the source, as it is encoded.
    func sourceLevel(ofStatus topicName: String) -> String {
        String(topicName.dropFirst(prefix.count + 1).dropLast("/status".count))
    }

    func chunk(_ number: Int, source: Identifier) -> String {
        "\(prefix)/\(level(source))/geojson/\(number)"
    }

    /// What stands on the bridge's own topics.
    enum OwnTopic { case state, status, chunk, discovery }

    /// What the bridge published before it was started.
    var readBackFilters: [String] {
        // What it says is read next.
        [discovery, "\(prefix)/+/+/state", "\(prefix)/+/status", "\(prefix)/+/geojson/+"]
    }

    /// Which of them a topic is; `nil` for others.
    func own(_ topicName: String) -> OwnTopic? {
        guard topicName.utf8.starts(with: "\(prefix)/".utf8) else { return nil }
        let levels = topicName.utf8.dropFirst(prefix.utf8.count + 1).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        func level(_ index: Int, is text: StaticString) -> Bool { levels[index].elementsEqual(text.description.utf8) }
        return switch levels.count {
        case 1 where level(0, is: "discovery"): .discovery
        case 2 where level(1, is: "status"): .status
        case 3 where level(2, is: "state"): .state
        case 3 where level(1, is: "geojson"): .chunk
        default: nil
        }
    }

    /// The topic for a location's events.
    static func event(besideState topicName: String) -> String { "\(topicName.dropLast("state".count))event" }

    func state(of location: Identifier, source: Identifier) -> String {
        "\(prefix)/\(level(source))/\(level(location, reserved: Self.reservedLocations))/state"
    }
}
