import Glibc
import Synchronization

/// Ends another thread's `poll`: that thread waits for ``descriptor`` to be readable, any thread calls ``wake()``.
public final class WakePipe: Sendable {
    /// The end to poll for reading.
    public let descriptor: Int32
    /// The end to write to, for a signal handler, which may do no more than write a byte that is not zero. Never
    /// blocks.
    public let writeDescriptor: Int32
    private let isAwake = Atomic(false)

    public init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError(operation: "pipe", code: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
        }
        (descriptor, writeDescriptor) = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(descriptor)
        Glibc.close(writeDescriptor)
    }

    /// Many calls before the next ``drain()`` write one byte, so the pipe never fills.
    public func wake() {
        guard !isAwake.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var byte: UInt8 = 0
        _ = Glibc.write(writeDescriptor, &byte, 1)
    }

    /// Empties the pipe. What was handed over before ``wake()`` is to be looked for afterwards.
    ///
    /// - Returns: The bytes that are not zero: numbers of signals.
    public func drain() -> [UInt8] {
        var signals: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            signals += buffer.prefix(count).filter { $0 != 0 }
        }
        // Only now: a call that comes in between writes nothing, but what it handed over is looked for after this.
        _ = isAwake.exchange(false, ordering: .acquiringAndReleasing)
        return signals
    }
}
