import Glibc

/// Holds a connection open until the other side has closed it, and throws away what still comes in.
final class SocketDrain {
    let descriptor: Int32

    init?(duplicating original: Int32) {
        descriptor = fcntl(original, F_DUPFD_CLOEXEC, 0)
        if descriptor < 0 { return nil }
    }

    deinit { Glibc.close(descriptor) }

    /// Tells the other side that nothing more will come.
    func finishWriting() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// - Returns: Whether the other side has closed.
    func drain() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for _ in 0..<64 {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { continue }
            return count == 0 || errno != EAGAIN && errno != EINTR
        }
        return false
    }
}
