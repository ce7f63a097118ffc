internal import JSON
internal import MQTTModel
internal import Timestamps

/// The bridge's own retained status: birth, will, and what to do about another one on the same topic.
///
/// Each connection has a session number that grows, so that an old will is told from a new birth in whatever order they
/// arrive.
struct BridgeStatus {
    enum Verdict: Equatable {
        case ours
        /// Somebody older spoke last.
        case outdated
        /// Somebody spoke whose session is newer.
        case newer
        /// Somebody whose session is newer has gone.
        case newerOffline
        /// An instance that was there first uses the same client identifier.
        case clientIdentifierInUse
    }

    private static let correctionInterval = Duration.seconds(5)
    /// No time, and beyond what JSON's numbers tell apart: whoever writes such a number must not make it ours. Half of
    /// that range is left for ours to grow in.
    private static let greatestSession: Int64 = 1 << 52

    let version: String
    let clientIdentifier: String
    /// What people call this bridge.
    let instance: String?
    let started: Timestamp
    private(set) var session: Int64 = 0
    private var firstSession: Int64?
    private var newestSeen: Int64 = 0
    private var wasDropped = false
    private var nextCorrection: Duration?
    /// Something older stands on the topic, and is to be corrected at this time; nothing has been seen of ours since.
    private(set) var correctionDue: Duration?

    init(version: String, clientIdentifier: String, instance: String?, started: Timestamp) {
        (self.version, self.clientIdentifier, self.started) = (version, clientIdentifier, started)
        self.instance = instance
    }

    /// A connection is about to be made: the will must carry its number.
    mutating func beginSession(at now: Instant) {
        session = max(now.wall.milliseconds, session + 1, newestSeen + 1)
        if firstSession == nil { firstSession = session }
    }

    mutating func dropped() { wasDropped = true }

    func payload(online: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("state")
        writer.string(online ? "online" : "offline")
        writer.key("session")
        writer.integer(Int(session))
        writer.key("since")
        writer.string(started.iso8601)
        writer.key("version")
        writer.string(version)
        writer.key("clientId")
        writer.string(clientIdentifier)
        if let instance {
            writer.key("instance")
            writer.string(instance)
        }
        writer.endObject()
        return writer.bytes
    }

    /// Judges what stands on the status topic.
    mutating func judge(_ payload: [UInt8], with parser: JSONParser, at now: Duration) -> Verdict {
        let verdict = verdict((try? parser.parse(payload))?.object)
        switch verdict {
        case .ours: correctionDue = nil
        // Where two bridges serve one fleet, the other's end is not the end of it.
        case .outdated, .newerOffline: correctionDue = correctionDue ?? max(now, nextCorrection ?? now)
        case .newer, .clientIdentifierInUse: break
        }
        return verdict
    }

    private mutating func verdict(_ said: JSONObject?) -> Verdict {
        let isOnline = said?["state"]?.string == "online"
        guard let session = said?["session"]?.number.flatMap(Int64.init(exactly:)) else { return .outdated }
        if session == self.session, isOnline { return .ours }
        guard session <= Self.greatestSession else { return .outdated }
        newestSeen = max(newestSeen, session)
        // Never our own, since `since` is another; mostly its will, which the broker sends when we take its place.
        let since = said?["since"]?.string.flatMap(Timestamp.init(iso8601:))
        let isNamesake = said?["clientId"]?.string.map { $0.hasSameBytes(as: clientIdentifier) } ?? true
        if wasDropped, isNamesake, let firstSession, session > firstSession, let since,
            since.milliseconds < started.milliseconds
        {
            return .clientIdentifierInUse
        }
        guard session > self.session else { return .outdated }
        return isOnline ? .newer : .newerOffline
    }

    /// Our status has been said.
    mutating func announced() { correctionDue = nil }

    /// Whether it is time to correct what somebody else said: two that correct each other must not flood the broker.
    mutating func takeCorrection(at now: Duration) -> Bool {
        guard let due = correctionDue, due <= now else { return false }
        correctionDue = nil
        nextCorrection = now + Self.correctionInterval
        return true
    }
}
