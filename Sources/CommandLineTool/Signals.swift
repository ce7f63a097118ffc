public import Glibc

/// Turns signals into bytes on a pipe, so that a program reads them in its own loop.
public enum Signals {
    /// From now on each of `signals` writes its number, as one byte, to `descriptor`, which must not block. SIGPIPE is
    /// ignored: a closed pipe is an error of `write`.
    ///
    /// To be called once, before other threads start.
    public static func deliver(_ signals: [Int32] = [SIGINT, SIGTERM, SIGHUP], to descriptor: Int32) {
        target.pointee = descriptor
        signal(SIGPIPE, SIG_IGN)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = onSignal
        action.sa_flags = SA_RESTART
        for number in signals { sigaction(number, &action, nil) }
        // Whoever started this process may have left them blocked, and then it could not be ended.
        var set = sigset_t()
        sigemptyset(&set)
        for number in signals { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}

/// Memory rather than a variable: the handler may not run Swift's exclusivity checks. Made before a handler is.
nonisolated(unsafe) private let target = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

/// A function, since a closure takes the isolation of where it stands and can trap. Only what is allowed in a handler.
private func onSignal(_ number: Int32) {
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(target.pointee, &byte, 1)
    errno = before
}
