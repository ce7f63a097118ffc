internal import JSON
public import MQTTModel
public import Timestamps

/// Plays messages to the engine with a virtual clock and a broker in memory, for tests of a configuration: what is on the
/// output topics can be seen after each of them.
public final class Rehearsal {
    /// What became of a message.
    public enum Outcome: Sendable, Equatable {
        case applied
        /// Also a duplicate, a late report and a withdrawal, under these names.
        case ignored(reason: String)
        case rejected(reason: String, pointer: String, detail: String)
        /// No source asked for its topic.
        case unrouted
    }

    private let replayer: Replayer
    private let board = Board()
    private var now: Timestamp

    /// What stands on the topics.
    private final class Board {
        var retained: [JSONValue: [UInt8]] = [:]  // texts as JSON values compare by bytes
        var passing: [Message] = []
    }

    /// No rate holds a state back here, so that each message's effect is seen at once.
    public init(_ configuration: EngineConfiguration, start: Timestamp) {
        var configuration = configuration
        for index in configuration.sources.indices { configuration.sources[index].settings.maxRate = nil }
        for index in configuration.derived.indices { configuration.derived[index].pace.interval = .zero }
        let board = board
        replayer = Replayer(configuration, version: "") { _, message in
            if message.retain {
                board.retained[.string(message.topicName)] = message.payload.isEmpty ? nil : message.payload
            } else {
                board.passing.append(message)
            }
        }
        now = start
        replayer.wait(until: start)
    }

    /// Lets time pass, with everything done when it is due.
    public func wait(_ duration: Duration) {
        now = now.advanced(by: duration)
        replayer.wait(until: now)
    }

    public func send(_ message: Message) -> Outcome {
        replayer.play(Replayer.Line(time: now, message: message))
        return replayer.lastOutcome
    }

    public func retained(on topicName: String) -> [UInt8]? { board.retained[.string(topicName)] }

    /// What was published without being stored since the last call.
    public func takePassing() -> [Message] {
        defer { board.passing.removeAll() }
        return board.passing
    }
}
