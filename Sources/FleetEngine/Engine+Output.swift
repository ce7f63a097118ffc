internal import DisplayRules
public import Locations
internal import MQTTModel
public import Timestamps

extension Engine: LocationObserver {
    public func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant) {
        guard let output = outputs[source.id] else { return }
        for update in updates {
            publisher.update(stateTopic(of: update, output), update, at: now.monotonic)
        }
        publisher.updateStatus(output.status, isUrgent: false, at: now.monotonic)
    }

    public func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant) {
        for id in ids {
            outputs[source.id]?.states[id] = nil
            publisher.clear(topics.state(of: id, source: source.id), at: now.monotonic)
        }
        publishStatus(of: source, isUrgent: false)
    }

    public func statusChanged(of source: any LocationSource, at now: Instant) {
        publishStatus(of: source, isUrgent: true)
    }

    func publishStatus(of source: any LocationSource, isUrgent: Bool) {
        guard let topic = outputs[source.id]?.status else { return }
        publisher.updateStatus(topic, isUrgent: isUrgent, at: now.monotonic)
    }

    func stateTopic(of update: LocationUpdate, _ output: SourceOutput) -> OutgoingTopic {
        let id = update.location.id
        if let known = output.states[id] { return known }
        let topic = publisher.topic(
            topics.state(of: id, source: update.location.source), .state(update), output.pace, at: now.monotonic)
        output.states[id] = topic
        return topic
    }
}

/// The topics of one source.
final class SourceOutput {
    let status: OutgoingTopic
    let pace: OutgoingTopic.Pace
    /// Of the locations that are there.
    var states: [Identifier: OutgoingTopic] = [:]

    init(status: OutgoingTopic, pace: OutgoingTopic.Pace) {
        (self.status, self.pace) = (status, pace)
    }
}
