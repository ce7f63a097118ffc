/// How long to wait before connecting again. A login that works resets nothing: only a connection that lives does, else a
/// client that is accepted and dropped connects without end.
public struct Backoff: Sendable {
    /// A connection that lives so long was a good one.
    public static let probation = Duration.seconds(30)

    private static let first = Duration.seconds(1)
    private static let unreachableLimit = Duration.seconds(10)
    private static let droppedLimit = Duration.seconds(60)

    private var unreachable: Duration?
    private var dropped: Duration?

    public init() {}

    /// How long to wait after a connection has ended, or has not come about.
    ///
    /// - Parameter lifetime: How long there was one; `nil`: there was none.
    public mutating func next(
        after lifetime: Duration?, using random: inout some RandomNumberGenerator
    ) -> Duration {
        if let lifetime { ended(after: lifetime, using: &random) } else { failed(using: &random) }
    }

    /// No connection came about: 1 s doubling to 10 s.
    private mutating func failed(using random: inout some RandomNumberGenerator) -> Duration {
        let delay = min(unreachable.map { $0 * 2 } ?? Self.first, Self.unreachableLimit)
        unreachable = delay
        return jittered(max(delay, dropped ?? .zero), using: &random)
    }

    /// A connection ended after it had lived for a time: doubling to 60 s where that was short.
    private mutating func ended(after lifetime: Duration, using random: inout some RandomNumberGenerator) -> Duration {
        unreachable = nil
        guard lifetime < Self.probation else {
            dropped = nil
            return jittered(Self.first, using: &random)
        }
        let delay = min(dropped.map { $0 * 2 } ?? Self.first, Self.droppedLimit)
        dropped = delay
        return jittered(delay, using: &random)
    }

    /// Up to a quarter less, so that a fleet of bridges does not come back in step.
    private func jittered(_ delay: Duration, using random: inout some RandomNumberGenerator) -> Duration {
        delay * Double.random(in: 0.75...1, using: &random)
    }
}
