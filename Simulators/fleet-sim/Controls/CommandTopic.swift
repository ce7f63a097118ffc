import MQTTModel

/// Where commands come: `fleet/{source}/{device}/command` for one device, `fleet/{source}/command` for all of a source. The
/// same for devices of every format.
struct CommandTopic: Equatable {
    var source: String
    /// `nil`: all of the source.
    var device: String?

    /// `nil` for any other topic.
    init?(_ topicName: String) {
        let levels = topicName.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard levels.first == "fleet", levels.last == "command", (3...4).contains(levels.count) else { return nil }
        source = levels[1]
        device = levels.count == 4 ? levels[2] : nil
    }

    static func filters(of source: String) -> [String] {
        ["fleet/\(source)/+/command", "fleet/\(source)/command"]
    }
}
