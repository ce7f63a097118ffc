internal import Locations
internal import Timestamps

/// How Home Assistant learns which locations there are.
extension StateOutput {
    /// Tells of a location what is new of it, which nearly always is nothing.
    func announce(_ location: Location, besides topic: OutgoingTopic, at now: Instant) {
        guard let homeAssistant, !homeAssistant.isHeld else { return }
        if let told = topic.discovered, told.isTold(as: location) { return }
        let device = DiscoveredDevice(location, state: topic.topicName, homeAssistant)
        topic.discovered = device
        for message in device.messages { publisher.announce(message, at: now.monotonic) }
    }

    /// Takes back what was told of a location.
    func withdraw(besides topic: OutgoingTopic, at now: Instant) {
        clearMigrating(besides: topic, at: now)
        guard let device = topic.discovered else { return }
        topic.discovered = nil
        for message in device.messages { publisher.clear(message.topicName, at: now.monotonic) }
    }

    private func clearMigrating(besides topic: OutgoingTopic, isPaced: Bool = false, at now: Instant) {
        for topicName in homeAssistant?.takeMigrating(of: topic.topicName) ?? [] {
            publisher.clear(topicName, isPaced: isPaced, at: now.monotonic)
        }
    }

    // MARK: Other settings

    /// - Parameter new: `nil`: nothing is told any more. What was told in another way is withdrawn, or taken over.
    func change(homeAssistant new: HomeAssistantDiscovery?, at now: Instant) {
        let takesOver = homeAssistant.map { new?.takesOver(from: $0) ?? false } ?? false
        for topic in everyState {
            guard takesOver, let new, let device = topic.discovered else {
                withdraw(besides: topic, at: now)
                continue
            }
            clearMigrating(besides: topic, at: now)
            topic.discovered = nil
            for topicName in device.messages.map(\.topicName) {
                if publisher.isSaid(topicName) {
                    migrate(topicName, besides: topic, new, at: now)
                } else {
                    publisher.clear(topicName, at: now.monotonic)
                }
            }
        }
        homeAssistant = new
        new?.hold(at: now.monotonic)
    }

    /// Asks Home Assistant to let go of what it was told on a topic, without forgetting what was set for it.
    private func migrate(
        _ topicName: String, besides topic: OutgoingTopic, _ homeAssistant: HomeAssistantDiscovery, at now: Instant
    ) {
        publisher.replace(by: DiscoveryMessage(topicName: topicName, content: .migration), at: now.monotonic)
        homeAssistant.noteMigrating(topicName, of: topic.topicName)
    }

    /// Begins to take over what an earlier process has told of locations that are still there, in the other kind of messages.
    ///
    /// - Parameter standing: Topics where nothing is to stand.
    /// - Returns: Those of them that have nothing to do with what is there.
    func migrate(_ standing: [String], at now: Instant) -> [String] {
        guard let homeAssistant, !standing.isEmpty else { return standing }
        var states: [String: OutgoingTopic] = [:]
        for topic in everyState {
            guard case .state(let update) = topic.content else { continue }
            states[homeAssistant.topics.id(of: update.location.id, source: update.location.source)] = topic
        }
        return standing.filter { topicName in
            guard let subject = homeAssistant.topics.subject(of: topicName), let topic = states[subject.id] else {
                return true
            }
            // Not yet: what is told now comes after it.
            for message in topic.discovered?.messages ?? [] where !publisher.isSaid(message.topicName) {
                publisher.clear(message.topicName, at: now.monotonic)
            }
            topic.discovered = nil
            migrate(topicName, besides: topic, homeAssistant, at: now)
            homeAssistant.hold(at: now.monotonic)
            return false
        }
    }

    // MARK: Time

    var announcementsDue: Duration? { publisher.isOpen ? homeAssistant?.announcementsDue : nil }

    /// Announces everything again when it is time, at the pace of what is repeated.
    func advanceAnnouncements(to now: Instant) {
        guard let homeAssistant, publisher.isOpen,
            homeAssistant.takeDue(at: now.monotonic, isSent: { publisher.isSent($0) })
        else { return }
        for topic in everyState {
            guard case .state(let update) = topic.content else { continue }
            let device = topic.discovered ?? DiscoveredDevice(update.location, state: topic.topicName, homeAssistant)
            topic.discovered = device
            for message in device.messages { publisher.announce(message, isPaced: true, at: now.monotonic) }
            clearMigrating(besides: topic, isPaced: true, at: now)
        }
    }
}
