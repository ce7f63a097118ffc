internal import Synchronization

/// A response that is still to come, from whatever thread; the first one counts.
public final class PendingResponse: Sendable {
    private struct State {
        var response: HTTPResponse?
        var tell: (@Sendable () -> Void)?
    }

    let patience: Duration
    private let otherwise: HTTPResponse
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: How long the client waits at most.
    ///   - otherwise: What it is told then.
    public init(within patience: Duration, otherwise: HTTPResponse) {
        (self.patience, self.otherwise) = (patience, otherwise)
    }

    public func fulfil(_ response: HTTPResponse) {
        let tell = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.response == nil else { return nil }
            state.response = response
            defer { state.tell = nil }
            return state.tell
        }
        tell?()
    }

    func giveUp() { fulfil(otherwise) }

    var response: HTTPResponse? { state.withLock { $0.response } }

    /// - Returns: `false` where the response is there already, and nothing will be told.
    func whenFulfilled(_ tell: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.response == nil else { return false }
            state.tell = tell
            return true
        }
    }
}
