internal import Locations
internal import MQTTModel

/// The reading of what the bridge published before it was started: once, before anything else is listened to.
struct ReadBack {
    /// What is kept back at most of what comes too early: messages, and bytes of payload.
    private static let maximumMessages = 100_000
    private static let maximumBytes = 64 << 20

    private(set) var isDone = false
    /// The sources' statuses: what they tell can be judged only after the states.
    private(set) var statuses: [(topicName: String, payload: [UInt8])] = []
    /// States that were read, by source.
    private(set) var states: [Identifier: Int] = [:]
    /// Topics of what does not exist any more.
    var cleared = 0
    /// Whose topics they are.
    var unconfigured: Set<Identifier> = []

    /// States of sources that no message feeds.
    private var registered: [(id: Identifier, source: Identifier, message: Message)] = []

    /// Below which prefixes is read what Home Assistant was told.
    var discoveryPrefixes: Set<Identifier> = []
    /// What stands there of this bridge.
    private var announcements: [(topicName: String, payload: [UInt8])] = []

    private var waiting: [Message] = []
    private var waitingBytes = 0

    mutating func note(status message: Message) { statuses.append((message.topicName, message.payload)) }

    mutating func note(stateOf source: Identifier) { states[source, default: 0] += 1 }

    mutating func note(announcement message: Message) { announcements.append((message.topicName, message.payload)) }

    mutating func takeAnnouncements() -> [(topicName: String, payload: [UInt8])] {
        defer { announcements = [] }
        return announcements
    }

    mutating func noteRegistered(_ id: Identifier, of source: Identifier, _ message: Message) {
        registered.append((id, source, message))
    }

    mutating func takeRegistered() -> [(id: Identifier, source: Identifier, message: Message)] {
        defer { registered = [] }
        return registered
    }

    /// Keeps a message until what is older has been read: only a persistent session brings any so early.
    ///
    /// - Returns: Whether there is room for it.
    mutating func hold(_ message: Message) -> Bool {
        guard waiting.count < Self.maximumMessages, waitingBytes + message.payload.count <= Self.maximumBytes else {
            return false
        }
        waiting.append(message)
        waitingBytes += message.payload.count
        return true
    }

    mutating func takeWaiting() -> [Message] {
        defer { (waiting, waitingBytes) = ([], 0) }
        return waiting
    }

    mutating func finish() {
        isDone = true
        (statuses, states, unconfigured) = ([], [:], [])
    }
}
