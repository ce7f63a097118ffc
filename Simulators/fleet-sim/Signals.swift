import Glibc
import MQTTClient
import Synchronization

/// Turns the signals that ask for an end into input of a pipe, which wakes `poll`.
struct Signals {
    private let pipe: WakePipe

    /// Of the whole process, from here on.
    init() throws(SystemError) {
        pipe = try WakePipe()
        signalPipe.store(pipe.writeDescriptor, ordering: .sequentiallyConsistent)
        for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, noteSignal) }
        // Whoever started this may have left them blocked.
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// To be polled for reading.
    var descriptor: Int32 { pipe.descriptor }

    /// Whether a signal has come since the last call.
    func drain() -> Bool { !pipe.drain().isEmpty }
}

private let signalPipe = Atomic<Int32>(-1)

/// A function, since a closure takes the isolation of where it stands. Runs between any two instructions, so it does no
/// more than one write.
private func noteSignal(_ number: Int32) {
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(signalPipe.load(ordering: .relaxed), &byte, 1)
    errno = saved
}
