internal import JSON

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

    init(_ settings: HomeAssistantSettings, bridge: OutputTopics, version: String) {
        (self.settings, self.version) = (settings, version)
        topics = DiscoveryTopics(prefix: settings.discoveryPrefix, bridge: bridge)
        births = DiscoveryTopics.births(below: settings.discoveryPrefix)
        bridgeStatus = bridge.bridgeStatus
    }

    /// Whether a payload was written by a Fleet Bridge.
    static func isOwn(_ payload: [UInt8], _ parser: JSONParser) -> Bool {
        (try? parser.parse(payload))?.object?["origin"]?.object?["name"] == .string(origin)
    }

    func hold(at now: Duration) { (isHeld, announcementsDue) = (true, now + Self.pauseAfterWithdrawal) }

    /// Everything is to be announced again after a while; where that is so already, it is done once.
    func repeatAll(at time: Duration) { announcementsDue = announcementsDue ?? time }

    /// - Returns: Whether it is time to announce everything.
    func takeDue(at now: Duration) -> Bool {
        guard let due = announcementsDue, due <= now else { return false }
        (isHeld, announcementsDue) = (false, nil)
        return true
    }
}
