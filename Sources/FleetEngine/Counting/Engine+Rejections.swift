internal import Locations
internal import MQTTModel

/// How what is rejected is told: in the log and on `P/rejected`.
extension Engine {
    func tell(_ rejection: Rejection, source: String, _ message: Message) {
        let key = "\(message.topicName) \(rejection.reason.rawValue)"
        logOnce(
            key, .warning, "rejected",
            [
                "reason": rejection.reason.rawValue, "source": source, "topic": message.topicName,
                "pointer": rejection.pointer, "detail": rejection.detail, "bytes": String(message.payload.count),
            ])
        // Nobody could hear it otherwise, and what was wrong a while ago is in the counters.
        guard link.isConnected, !link.isShuttingDown, rejectionReports.admits(key, at: now.monotonic) else { return }
        let report = rejection.report(of: message, source: source, at: now.wall)
        effects.append(.publish(Message(topicName: topics.rejected, payload: report), tokens.next()))
    }
}
