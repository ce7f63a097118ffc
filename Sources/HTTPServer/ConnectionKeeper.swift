internal import CMicroHTTPD
internal import Foundation

/// What is known of connections beside the library: who is too slow, which streams wait, and which answers.
///
/// A thread of its own wakes waiting streams and cuts the slow ones off. Connections are the library's pointers; one is in
/// here only as long as it is valid.
///
/// Sendable without proof: what changes is guarded by `condition`.
final class ConnectionKeeper: @unchecked Sendable {
    typealias Connection = OpaquePointer

    private struct Entry {
        var descriptor: Int32
        /// When the headers of a request must have come; `nil` while one is answered.
        var deadline: ContinuousClock.Instant?
    }

    /// `POLLRDHUP` of Linux, which glibc shows only to those who ask for GNU's extensions.
    private static let hungUp: Int16 = 0x2000

    private let limits: ServerLimits

    // Guarded by `condition`.
    private let condition = NSCondition()
    private var entries: [Connection: Entry] = [:]
    private var waitingStreams: Set<Connection> = []
    private var pending: [Connection: (response: PendingResponse, until: ContinuousClock.Instant)] = [:]
    private var isSignalled = false
    private var round: UInt64 = 0
    private var isEnding = false
    private var hasEnded = false

    init(_ limits: ServerLimits) { self.limits = limits }

    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "http-keeper"
        thread.start()
    }

    // MARK: Connections

    func opened(_ connection: Connection, descriptor: Int32) {
        condition.withLock { entries[connection] = Entry(descriptor: descriptor, deadline: .now + limits.head) }
    }

    func closed(_ connection: Connection) {
        condition.withLock {
            entries[connection] = nil
            waitingStreams.remove(connection)
            pending[connection] = nil
        }
    }

    /// The request line has come.
    func beganRequest(_ connection: Connection) {
        condition.withLock {
            guard let deadline = entries[connection]?.deadline else { return }
            entries[connection]?.deadline = min(deadline, .now + limits.head)
        }
    }

    func gotRequest(_ connection: Connection) { condition.withLock { entries[connection]?.deadline = nil } }

    func answered(_ connection: Connection) {
        condition.withLock { entries[connection]?.deadline = .now + limits.idle }
    }

    // MARK: Waiting

    /// Asks streams for more soon. Returns at once.
    func wakeStreams() {
        condition.withLock {
            guard !isSignalled else { return }
            isSignalled = true
            condition.signal()
        }
    }

    /// Streams asked before a round's number changed may have missed what came since.
    var currentRound: UInt64 { condition.withLock { round } }
    var isOver: Bool { condition.withLock { isEnding } }

    /// Lets a stream wait, unless there has been a round since `round`.
    ///
    /// - Returns: Whether it waits: the library must be told that there is nothing yet.
    func suspend(_ connection: Connection, since round: UInt64) -> Bool {
        condition.withLock {
            guard !isEnding, round == self.round else { return false }
            MHD_suspend_connection(connection)
            waitingStreams.insert(connection)
            return true
        }
    }

    /// Lets a request wait for its answer.
    ///
    /// - Returns: `false` where the answer is there.
    func suspend(_ connection: Connection, for response: PendingResponse) -> Bool {
        condition.withLock {
            if isEnding { response.giveUp() }
            // A number that names a connection: nothing is read through it but by the library, under the lock.
            nonisolated(unsafe) let connection = connection
            // Whoever fulfils it now waits for the lock, and finds the connection suspended.
            guard response.whenFulfilled({ [self] in resume(connection, for: response) }) else { return false }
            MHD_suspend_connection(connection)
            pending[connection] = (response, .now + response.patience)
            condition.signal()
            return true
        }
    }

    private func resume(_ connection: Connection, for response: PendingResponse) {
        condition.withLock {
            guard pending[connection]?.response === response else { return }
            pending[connection] = nil
            MHD_resume_connection(connection)
        }
    }

    // MARK: The thread

    private func run() {
        condition.lock()
        while !isEnding {
            if !isSignalled { _ = condition.wait(until: Date(timeIntervalSinceNow: pending.isEmpty ? 1 : 0.1)) }
            guard !isEnding else { break }
            cutSlow()
            takeRound()
            let overdue = pending.values.filter { $0.until <= .now }.map(\.response)
            condition.unlock()
            for response in overdue { response.giveUp() }
            Thread.sleep(forTimeInterval: limits.streamInterval / .seconds(1))
            condition.lock()
        }
        hasEnded = true
        condition.broadcast()
        condition.unlock()
    }

    /// Lets all streams look for something new; also whoever is gone is found only so.
    private func takeRound() {
        isSignalled = false
        round &+= 1
        for connection in waitingStreams { MHD_resume_connection(connection) }
        waitingStreams.removeAll(keepingCapacity: true)
    }

    private func cutSlow() {
        let now = ContinuousClock.now
        for (connection, entry) in entries where entry.deadline.map({ $0 <= now }) ?? false {
            // The library sees the end and tells that it is closed; it closes the descriptor only after that.
            shutdown(entry.descriptor, Int32(SHUT_RDWR))
            entries[connection]?.deadline = nil
        }
    }

    /// Whether the other side of a connection is gone.
    func isGone(_ connection: Connection) -> Bool {
        condition.withLock {
            guard let descriptor = entries[connection]?.descriptor else { return true }
            var entry = pollfd(fd: descriptor, events: Self.hungUp, revents: 0)
            return poll(&entry, 1, 0) == 1
        }
    }

    /// Ends all waiting, for good.
    func end() {
        condition.lock()
        isEnding = true
        takeRound()
        let open = pending.values.map(\.response)
        condition.broadcast()
        condition.unlock()
        for response in open { response.giveUp() }
        condition.lock()
        while !hasEnded { condition.wait() }
        condition.unlock()
    }
}
