import MQTTModel

/// What a connection that devices share says for all of them: a connection has one will, and they have none of their own.
struct Announcement: Sendable, Equatable {
    var will: Message
    var greeting: Message
    var farewell: Message

    /// The bridge's `fleet/{source}/status`, which only its own format has.
    static func status(of source: String, format: String) -> Announcement? {
        guard format == "native" else { return nil }
        func message(_ word: String) -> Message {
            Message("fleet/\(source)/status", word, qos: .atLeastOnce, retain: true)
        }
        return Announcement(will: message("offline"), greeting: message("online"), farewell: message("offline"))
    }
}
