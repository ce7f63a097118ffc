internal import JSON
internal import Locations
internal import MQTTModel

/// How the engine listens to Home Assistant, and to what was told to it before.
extension Engine {
    private static let birthDelay = 1.0...3.0  // seconds

    func discovery(_ settings: HomeAssistantSettings?) -> HomeAssistantDiscovery? {
        settings.map { HomeAssistantDiscovery($0, bridge: topics, version: bridgeStatus.version) }
    }

    /// Goes on by other settings while the bridge runs.
    func changeHomeAssistant(to new: HomeAssistantSettings?) {
        guard configuration.homeAssistant != new else { return }
        let before = configuration.homeAssistant.map { DiscoveryTopics.births(below: $0.discoveryPrefix) } ?? []
        configuration.homeAssistant = new
        output.change(homeAssistant: discovery(new), at: now)
        noteDiscoveryPlace()
        guard link.isConnected, link.stage != .ownTopics else { return }
        let after = new.map { DiscoveryTopics.births(below: $0.discoveryPrefix) } ?? []
        for topicName in before where !after.contains(where: topicName.hasSameBytes) {
            effects.append(.unsubscribe(topicName))
        }
        subscribeBirths(besides: before)
    }

    func subscribeBirths(besides known: [String] = []) {
        guard let settings = configuration.homeAssistant else { return }
        for topicName in DiscoveryTopics.births(below: settings.discoveryPrefix)
        where !known.contains(where: topicName.hasSameBytes) {
            // A stored one says nothing: everything is announced after a connect as it is.
            subscribe(Subscription(topicFilter: topicName, qos: .atLeastOnce, retainHandling: .never))
        }
    }

    /// Home Assistant has started and may know of nothing: it is told again, but not at the same moment by everybody.
    ///
    /// - Returns: Whether that is what the message is about.
    func takeBirth(_ message: Message) -> Bool {
        guard let homeAssistant = output.homeAssistant,
            homeAssistant.births.contains(where: { $0.hasSameBytes(as: message.topicName) })
        else { return false }
        guard link.isOpen, !message.retain, message.payload.elementsEqual("online".utf8) else { return true }
        let delay = Duration.seconds(random.uniform(in: Self.birthDelay))
        homeAssistant.repeatAll(at: now.monotonic + delay)
        logOnce("Home Assistant", .info, "Home Assistant has started; it is told of all locations again", [:])
        return true
    }

    // MARK: After a restart

    /// Asks for what was announced before, also below the prefix of the configuration then.
    func subscribeDiscovery() {
        if let own = configuration.homeAssistant { readBack.discoveryPrefixes.insert(Identifier(own.discoveryPrefix)) }
        for prefix in readBack.discoveryPrefixes.sorted() { readDiscovery(below: prefix.text) }
    }

    private func readDiscovery(below prefix: String) {
        for filter in DiscoveryTopics.filters(below: prefix) {
            subscribe(Subscription(topicFilter: filter, qos: .atMostOnce, retainHandling: .always))
        }
    }

    /// What earlier processes left tells where they announced locations.
    func noteEarlierDiscovery(_ message: Message) {
        let places = (try? parser.parse(message.payload))?.object?["prefixes"]?.array ?? []
        for prefix in places.prefix(Self.maximumDiscoveryPlaces).compactMap(\.string)
        where DiscoveryTopics.isPossible(prefix: prefix) {
            discoveryPlaces.insert(Identifier(prefix))
            guard readBack.discoveryPrefixes.insert(Identifier(prefix)).inserted else { continue }
            // Whatever the probe stood behind: this is to be waited for, too.
            link.begin(.ownTopics, at: now.monotonic)
            readDiscovery(below: prefix)
            forgetBirths(below: prefix)
        }
    }

    private func forgetBirths(below prefix: String) {
        guard configuration.keepsSession else { return }
        // The session may still listen to what Home Assistant says there.
        for topicName in DiscoveryTopics.births(below: prefix)
        where output.homeAssistant?.births.contains(where: topicName.hasSameBytes) != true {
            effects.append(.unsubscribe(topicName))
        }
    }

    /// - Returns: Whether a stored message is one for Home Assistant, whoever wrote it.
    func readBackDiscovery(_ message: Message) -> Bool {
        guard message.retain else { return false }
        for prefix in readBack.discoveryPrefixes {
            let subject = DiscoveryTopics(prefix: prefix.text, bridge: topics).subject(of: message.topicName)
            guard let subject else { continue }
            if subject.isOwn, HomeAssistantDiscovery.isOwn(message.payload, parser) {
                readBack.note(announcement: message)
            }
            return true
        }
        return false
    }

    /// Holds what stands there against what is to stand there.
    func judgeAnnouncements() {
        noteDiscoveryPlace()
        let others = readBack.takeAnnouncements().filter {
            !output.publisher.restore(announcement: $0.topicName, as: $0.payload, at: now.monotonic)
        }
        for topicName in output.migrate(others.map(\.topicName), at: now) {
            readBack.cleared += 1
            output.publisher.clear(topicName, at: now.monotonic)
        }
    }

    /// What is listened to only until it has been read.
    var readBackFilters: [String] {
        topics.readBackFilters
            + readBack.discoveryPrefixes.sorted().flatMap { DiscoveryTopics.filters(below: $0.text) }
    }
}
