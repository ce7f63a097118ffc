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
        guard let device = topic.discovered else { return }
        topic.discovered = nil
        for message in device.messages { publisher.clear(message.topicName, at: now.monotonic) }
    }

    /// - Parameter new: `nil`: nothing is told any more. What was told in another way is withdrawn.
    func change(homeAssistant new: HomeAssistantDiscovery?, at now: Instant) {
        for topic in everyState { withdraw(besides: topic, at: now) }
        homeAssistant = new
        new?.hold(at: now.monotonic)
    }

    var announcementsDue: Duration? { publisher.isOpen ? homeAssistant?.announcementsDue : nil }

    /// Announces everything again when it is time, at the pace of what is repeated.
    func advanceAnnouncements(to now: Instant) {
        guard let homeAssistant, publisher.isOpen, homeAssistant.takeDue(at: now.monotonic) else { return }
        for topic in everyState {
            guard case .state(let update) = topic.content else { continue }
            let device = topic.discovered ?? DiscoveredDevice(update.location, state: topic.topicName, homeAssistant)
            topic.discovered = device
            for message in device.messages { publisher.announce(message, isPaced: true, at: now.monotonic) }
        }
    }
}
