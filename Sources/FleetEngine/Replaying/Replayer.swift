public import MQTTModel
public import Timestamps

/// Runs the engine on recorded messages with a virtual clock, as if a broker gave them again: the same messages give the
/// same bytes.
public final class Replayer {
    /// A recorded message.
    public struct Line: Sendable {
        public var time: Timestamp
        public var message: Message

        public init(time: Timestamp, message: Message) {
            (self.time, self.message) = (time, message)
        }
    }

    private let configuration: EngineConfiguration
    private let version: String
    private let output: (Timestamp, Message) -> Void
    private var engine: Engine?
    private var now = Instant(wall: Timestamp(microseconds: 0), monotonic: .zero)
    private var pending: [Event] = []

    /// - Parameter output: Gets every publish with its virtual time, in order.
    public init(
        _ configuration: EngineConfiguration, version: String, output: @escaping (Timestamp, Message) -> Void
    ) {
        self.configuration = configuration
        self.version = version
        self.output = output
    }

    /// Lets time pass up to a line's, then hands it to the engine. Time never goes back.
    public func play(_ line: Line) {
        wait(until: line.time)
        engine?.lastHandled = nil
        run(.message(line.message))
    }

    /// Lets time pass; the first time is that at which the session starts.
    func wait(until time: Timestamp) {
        if engine == nil {
            now.wall = time
            engine = Engine(configuration, version: version, seed: 0, at: now)
            engine?.skipsIdleCounters = true
            run(.tick)
        }
        passTime(to: now.monotonic + max(.zero, time.duration(since: now.wall)))
    }

    /// What became of the last line's message.
    var lastOutcome: Rehearsal.Outcome {
        guard let handled = engine?.lastHandled else { return .unrouted }
        if let rejection = handled.rejection {
            return .rejected(
                reason: rejection.reason.rawValue, pointer: rejection.pointer, detail: rejection.detail)
        }
        return handled.end == .applied ? .applied : .ignored(reason: handled.reason ?? "")
    }

    /// Publishes what is still held back by a rate; nothing else becomes old after the last line.
    public func finish() {
        engine?.flushHeldBack { output($0.wall, $1) }
    }

    private func passTime(to end: Duration) {
        while let deadline = engine?.nextDeadline, deadline < end {
            advance(to: max(deadline, now.monotonic))
            run(.tick)
        }
        advance(to: end)
        run(.tick)
    }

    private func advance(to monotonic: Duration) { now = now.advanced(by: monotonic - now.monotonic) }

    private func run(_ event: Event) {
        guard let engine else { return }
        pending.append(event)
        while !pending.isEmpty {
            for effect in engine.handle(pending.removeFirst(), at: now) { carryOut(effect) }
        }
    }

    /// A broker that grants and acknowledges everything.
    private func carryOut(_ effect: Effect) {
        switch effect {
        case .connect: pending.append(.connected(maximumPacketSize: nil, receiveMaximum: nil))
        case .subscribe(let subscription, let token):
            pending.append(.subscribed(token, ReasonCode(rawValue: subscription.qos.rawValue)))
        case .publish(let message, let token):
            if engine?.isProbe(message) == true {
                pending.append(.message(message))
            } else {
                output(now.wall, message)
            }
            if message.qos > .atMostOnce { pending.append(.published(token, .success)) }
        case .unsubscribe, .reconfigure, .disconnect, .source, .log, .exit: break
        }
    }
}
