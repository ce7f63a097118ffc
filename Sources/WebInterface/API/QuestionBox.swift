public import FleetEngine
internal import HTTPServer
internal import Synchronization

/// Questions that only the engine can answer, from the server's threads to the engine's.
public final class QuestionBox: Sendable {
    private static let maximumWaiting = 64
    private static let patience = Duration.seconds(3)

    private struct Question: Sendable {
        var response: PendingResponse
        var answer: @Sendable (Engine) -> HTTPResponse
    }

    private let waiting = Mutex<[Question]>([])
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Lets the engine's thread look into the box soon.
    public init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// - Parameter otherwise: What is answered where the engine does not look in time.
    func ask(
        otherwise: HTTPResponse = .problem(503, "the engine does not answer"),
        _ answer: @escaping @Sendable (Engine) -> HTTPResponse
    ) -> HTTPAnswer {
        let response = PendingResponse(within: Self.patience, otherwise: otherwise)
        let isTaken = waiting.withLock { waiting in
            guard waiting.count < Self.maximumWaiting else { return false }
            waiting.append(Question(response: response, answer: answer))
            return true
        }
        guard isTaken else { return .now(.problem(503, "too many ask at once").adding("Retry-After", "1")) }
        wake()
        return .later(response)
    }

    /// Answers what waits, on the engine's thread.
    public func answer(by engine: Engine) {
        let questions = waiting.withLock { waiting in
            defer { waiting.removeAll() }
            return waiting
        }
        for question in questions { question.response.fulfil(question.answer(engine)) }
    }
}
