internal import JSON
internal import Locations

/// What is told to Home Assistant, where, and when again.
final class HomeAssistantDiscovery {
    /// By which the bridge knows its own messages.
    static let origin = "Fleet Bridge"
    /// After others were withdrawn for it: Home Assistant refuses an entity while it still takes down another of its id.
    private static let pauseAfterWithdrawal = Duration.seconds(3)

    let settings: HomeAssistantSettings
    let topics: DiscoveryTopics
    let bridgeStatus: String
    let births: [String]
    let version: String
    /// When everything is to be announced again.
    private(set) var announcementsDue: Duration?
    /// Nothing is announced before that time.
    private(set) var isHeld = false
    /// Topics of the other kind that Home Assistant was asked to let go of, by the topic of their location's state. They are
    /// cleared when it has been told of the location again.
    private var migrating: [Identifier: [String]] = [:]

    init(_ settings: HomeAssistantSettings, bridge: OutputTopics, version: String) {
        (self.settings, self.version) = (settings, version)
        topics = DiscoveryTopics(prefix: settings.discoveryPrefix, bridge: bridge)
        births = DiscoveryTopics.births(below: settings.discoveryPrefix)
        bridgeStatus = bridge.bridgeStatus
    }

    /// Whether a payload was written by a Fleet Bridge.
    static func isOwn(_ payload: [UInt8], _ parser: JSONParser) -> Bool {
        guard let document = try? parser.parse(payload) else { return false }
        return document == DiscoveryMessage.migration || document.object?["origin"]?.object?["name"] == .string(origin)
    }

    // MARK: Pauses

    func hold(at now: Duration) { (isHeld, announcementsDue) = (true, now + Self.pauseAfterWithdrawal) }

    /// What was withdrawn while the broker was away is withdrawn only now.
    func opened(at now: Duration) { if isHeld { hold(at: now) } }

    // MARK: The other kind of messages

    /// Whether what was told by other settings is not withdrawn, but let go of and taken over: so what somebody has set for
    /// the entities stays.
    func takesOver(from old: HomeAssistantDiscovery) -> Bool {
        settings.discoveryPrefix.hasSameBytes(as: old.settings.discoveryPrefix)
            && settings.discovery != old.settings.discovery
    }

    func noteMigrating(_ topicName: String, of stateTopic: String) {
        migrating[Identifier(stateTopic), default: []].append(topicName)
    }

    func takeMigrating(of stateTopic: String) -> [String] {
        migrating.isEmpty ? [] : migrating.removeValue(forKey: Identifier(stateTopic)) ?? []
    }

    // MARK: Repetition

    /// Everything is to be announced again after a while; where that is so already, it is done once.
    func repeatAll(at time: Duration) { announcementsDue = announcementsDue ?? time }

    /// - Parameter isSent: Whether the broker was told what stands on a topic.
    /// - Returns: Whether it is time to announce everything.
    func takeDue(at now: Duration, isSent: (String) -> Bool) -> Bool {
        guard let due = announcementsDue, due <= now else { return false }
        guard migrating.values.allSatisfy({ $0.allSatisfy(isSent) }) else {
            hold(at: now)
            return false
        }
        (isHeld, announcementsDue) = (false, nil)
        return true
    }
}
