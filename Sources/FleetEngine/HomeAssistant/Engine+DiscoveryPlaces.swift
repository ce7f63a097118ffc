internal import JSON
internal import Locations

/// Where something for Home Assistant may stand, which a topic of its own says: so a later process finds it, whatever its
/// configuration says by then, and however this one ends. It says so before anything stands there and until nothing does
/// any more. *Why not the bridge's status*: the will that takes its place says what was so when the bridge connected.
extension Engine {
    /// More are no bridge's.
    static let maximumDiscoveryPlaces = 16

    /// From now on something may stand where the configuration says.
    func noteDiscoveryPlace() {
        guard let own = configuration.homeAssistant else { return }
        if discoveryPlaces.insert(Identifier(own.discoveryPrefix)).inserted { publishDiscoveryPlaces() }
    }

    func publishDiscoveryPlaces() {
        guard link.isOpen, !link.isShuttingDown else { return }  // it is said with the birth
        guard !discoveryPlaces.isEmpty else {
            return output.publisher.clear(topics.discovery, at: now.monotonic)
        }
        let prefixes = discoveryPlaces.sorted().map { JSONValue.string($0.text) }
        let document = JSONValue.object(JSONObject([("prefixes", .array(prefixes))]))
        output.publisher.put(Array(document.text.utf8), on: topics.discovery, at: now.monotonic)
    }

    /// Whether there are others than that of the configuration.
    var hasEmptyDiscoveryPlaces: Bool {
        discoveryPlaces.count > (configuration.homeAssistant == nil ? 0 : 1)
    }

    /// Once all that was withdrawn is gone, nobody has to look there any more.
    func leaveDiscoveryPlaces() {
        guard readBack.isDone, link.isOpen, output.publisher.isQuiet else { return }
        discoveryPlaces = []
        if let own = configuration.homeAssistant { discoveryPlaces.insert(Identifier(own.discoveryPrefix)) }
        publishDiscoveryPlaces()
    }
}
