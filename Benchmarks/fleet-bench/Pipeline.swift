import DisplayRules
import FleetEngine
import JSON
import Locations
import MQTTModel
import TelemetryFormats
import Timestamps

/// The engine from message to styled state, with a broker that acknowledges everything at once.
final class Pipeline {
    private let engine: Engine
    private var now = Instant(wall: NativeTelemetry.start, monotonic: .zero)
    private(set) var publishes = 0

    /// - Parameters:
    ///   - snapshots: Time between two of them; `nil`: none.
    ///   - areas: The rooms of the site; `nil`: there are none.
    ///   - matching: What positions are held against; `nil`: nothing.
    ///   - maxSpeed: Metres a second; `nil`: everything is possible.
    init(
        snapshots: Duration? = nil, areas: AreaSettings? = nil, matching: PositionMatching? = nil,
        maxSpeed: Double? = nil
    ) throws {
        var settings = SourceSettings()
        settings.maxRate = nil
        settings.staleAfter = nil  // time jumps between the rounds
        settings.areas = areas
        (settings.matching, settings.maxSpeed) = (matching, maxSpeed)
        let rule = try DisplayRule(
            name: "main",
            set: [
                ("visible", true), ("icon", "marker"), ("label", ["get", "name"]),
                ("iconRotation", ["get", "heading"]),
                ("iconColor", ChargeRule.json),
            ])
        let source = SourceConfiguration(
            id: "vacuums", format: FormatTable.native,
            topics: [try TopicTemplate("fleet/vacuums/{device}/telemetry")], settings: settings)
        var configuration = EngineConfiguration(sources: [source], displayRules: DisplayRuleSet([rule]))
        configuration.snapshotInterval = snapshots
        engine = Engine(configuration, version: "bench", seed: 1, at: now)
        handle(.tick)
    }

    /// Every message is newer than the one before and changes its location, so each ends in a publish.
    func run(_ messages: [Message], at start: Duration) {
        now = Instant(wall: NativeTelemetry.start.advanced(by: start), monotonic: start)
        for message in messages { handle(.message(message)) }
    }

    /// Lets time pass, and does what is due then.
    func wait(_ duration: Duration) {
        now = now.advanced(by: duration)
        handle(.tick)
    }

    private func handle(_ event: Event) {
        for effect in engine.handle(event, at: now) {
            switch effect {
            case .connect: handle(.connected(maximumPacketSize: nil, receiveMaximum: nil))
            case .subscribe(let subscription, let token):
                handle(.subscribed(token, ReasonCode(rawValue: subscription.qos.rawValue)))
            case .publish(let message, let token):
                guard message.qos == .atLeastOnce else { break }
                if !message.retain { handle(.message(message)) }  // the engine's probe
                publishes += 1
                handle(.published(token, .success))
            case .unsubscribe, .reconfigure, .source, .disconnect, .log, .exit: break
            }
        }
    }
}
