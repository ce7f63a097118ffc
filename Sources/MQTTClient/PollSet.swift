import Glibc

/// Why a system call failed; the text is the system's.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    public var operation: String
    /// `errno`.
    public var code: Int32

    public init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    public var description: String { "\(operation): \(String(cString: strerror(code)))" }
}

/// What one `poll` waits for. Filled anew for each wait, in memory that it keeps.
public struct PollSet {
    /// What `poll` said about one descriptor.
    public struct Readiness: Sendable, Equatable {
        /// Input, an end of input, or an error, which reading then tells.
        public var readable = false
        public var writable = false
    }

    private var entries: [pollfd] = []

    public init() {}

    public mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }

    /// - Parameter descriptor: A negative one is never ready.
    /// - Returns: The subscript under which the answer stands after ``wait(atMost:)``.
    @discardableResult
    public mutating func add(_ descriptor: Int32, read: Bool = true, write: Bool = false) -> Int {
        let events = (read ? POLLIN : 0) | (write ? POLLOUT : 0)
        entries.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
        return entries.count - 1
    }

    /// Adds what the connection waits for. A slot without a socket is never ready.
    public mutating func add(_ connection: MQTTConnection) -> Int {
        add(connection.descriptor ?? -1, read: connection.wantsRead, write: connection.wantsWrite)
    }

    /// Waits until a descriptor is ready, a signal has come, or the time is over.
    ///
    /// - Parameter timeout: `nil` waits without end; zero or less does not wait.
    /// - Returns: How many are ready.
    @discardableResult
    public mutating func wait(atMost timeout: Duration?) throws(SystemError) -> Int {
        let ready = entries.withUnsafeMutableBufferPointer { entries in
            poll(entries.baseAddress, nfds_t(entries.count), timeout.map(\.pollMilliseconds) ?? -1)
        }
        if ready >= 0 { return Int(ready) }
        guard errno == EINTR else { throw SystemError(operation: "poll", code: errno) }
        for index in entries.indices { entries[index].revents = 0 }
        return 0
    }

    public subscript(slot: Int) -> Readiness {
        let events = Int32(entries[slot].revents)
        return Readiness(
            readable: events & (POLLIN | POLLERR | POLLHUP | POLLNVAL) != 0,
            writable: events & (POLLOUT | POLLERR | POLLHUP) != 0)
    }
}

extension Duration {
    /// Rounded up: waking a moment early would only mean to wait again.
    var pollMilliseconds: Int32 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        let milliseconds = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: min(seconds, 1_000_000) * 1_000 + milliseconds)
    }
}
