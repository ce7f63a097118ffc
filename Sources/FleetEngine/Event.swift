public import MQTTModel

/// What the engine is told.
public enum Event: Sendable {
    /// The broker accepted the connection that was asked for.
    ///
    /// - Parameters:
    ///   - maximumPacketSize: Bytes of a packet that it takes; `nil`: it names no limit.
    ///   - receiveMaximum: Publishes that may wait for its acknowledgement; `nil`: it names no limit.
    case connected(maximumPacketSize: Int?, receiveMaximum: Int?)
    /// It did not come about, or ended.
    case disconnected(reason: String)
    case subscribed(RequestToken, ReasonCode)
    /// A subscription never reached the broker.
    case subscribeFailed(RequestToken, reason: String)
    case message(Message)
    /// The broker answered a publish of QoS 1.
    case published(RequestToken, ReasonCode)
    /// A publish never reached the broker.
    ///
    /// - Parameter mayRetry: `false` where the same bytes would fail again, such as those of a packet that is too large.
    case publishFailed(RequestToken, reason: String, mayRetry: Bool)
    /// Go on by this configuration, which has been found valid.
    ///
    /// - Parameters:
    ///   - for: The request that asked for it; `nil` for the operator.
    ///   - needsRestart: Settings that differ from the running ones, but count only after a restart.
    case configuration(EngineConfiguration, for: RequestToken?, needsRestart: [String])
    /// What was asked for is no valid configuration, with all that is wrong with it: a line each.
    case configurationRefused([String], for: RequestToken?)
    /// What is told of the broker that is read from, where it is another than the one that is published to.
    indirect case source(Event)
    /// Time has passed: ``Engine/nextDeadline`` was reached.
    case tick
    /// The operator ends the bridge.
    case shutdown
}

/// Ties an answer to what was asked for. Never used twice.
public struct RequestToken: Hashable, Sendable {
    public var rawValue: UInt64
}

/// Makes tokens.
struct RequestTokens {
    private var last: UInt64 = 0

    mutating func next() -> RequestToken {
        last += 1
        return RequestToken(rawValue: last)
    }
}
