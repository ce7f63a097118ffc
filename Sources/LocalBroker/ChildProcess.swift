import Dispatch
import Glibc
import Synchronization

/// A child in a process group of its own, so that Ctrl-C on the terminal does not reach it. It reads nothing and writes
/// its errors to a file.
///
/// A thread of its own starts the child and waits for its end: the kernel's parent-death signal, which `setpriv` asks
/// for, is sent when the *thread* ends that started the child.
final class ChildProcess: Sendable {
    private let shared: Shared

    /// - Throws: `errno` of the failed start.
    init(_ arguments: [String], errorFile: String) throws(StartFailure) {
        shared = Shared(arguments: arguments, errorFile: errorFile)
        var thread = pthread_t()
        let retained = Unmanaged.passRetained(shared)
        let code = pthread_create(&thread, nil, startAndWait, retained.toOpaque())
        guard code == 0 else {
            retained.release()
            throw StartFailure(code: code)
        }
        pthread_detach(thread)
        shared.started.wait()
        let failure = shared.state.withLock { $0.failure }
        if failure != 0 { throw StartFailure(code: failure) }
    }

    struct StartFailure: Error {
        var code: Int32
    }

    deinit {
        send(SIGKILL)
    }

    var isRunning: Bool { shared.state.withLock { $0.identifier != nil } }

    /// Does nothing once the child has ended: its number may belong to another by then.
    func send(_ signal: Int32) {
        shared.state.withLock { state in
            if let identifier = state.identifier { _ = kill(identifier, signal) }
        }
    }

    /// - Returns: Whether it has ended.
    func waitForEnd(atMost milliseconds: Int) -> Bool {
        guard shared.ended.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return false }
        shared.ended.signal()  // for the next who waits
        return true
    }
}

private final class Shared: Sendable {
    struct State {
        /// `nil` before the start and once the child is gone.
        var identifier: pid_t?
        var failure: Int32 = 0
    }

    let arguments: [String], errorFile: String
    let state = Mutex(State())
    let started = DispatchSemaphore(value: 0), ended = DispatchSemaphore(value: 0)

    init(arguments: [String], errorFile: String) {
        (self.arguments, self.errorFile) = (arguments, errorFile)
    }
}

private func startAndWait(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let shared = Unmanaged<Shared>.fromOpaque(context).takeRetainedValue()
    var identifier: pid_t = 0
    let failure = spawn(shared.arguments, errorFile: shared.errorFile, &identifier)
    shared.state.withLock { state in
        state.failure = failure
        state.identifier = failure == 0 ? identifier : nil
    }
    shared.started.signal()
    guard failure == 0 else { return nil }

    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    shared.state.withLock { state in  // the number is free from here on
        _ = waitpid(identifier, nil, 0)
        state.identifier = nil
    }
    shared.ended.signal()
    return nil
}

/// - Returns: `errno`, 0 for success.
private func spawn(_ arguments: [String], errorFile: String, _ identifier: inout pid_t) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, errorFile, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    // A socket that the child inherits stays open when this process closes it.
    for descriptor in openDescriptors() where descriptor > 2 {
        posix_spawn_file_actions_addclose(&actions, descriptor)  // one that is closed by then does no harm
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The caller may have blocked or ignored signals, which children inherit.
    var none = sigset_t()
    var ours = sigset_t()
    sigemptyset(&none)
    sigemptyset(&ours)
    for signal in [SIGHUP, SIGINT, SIGTERM, SIGPIPE] { sigaddset(&ours, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &ours)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return posix_spawn(&identifier, arguments[0], &actions, &attributes, &pointers, environ)
}

private func openDescriptors() -> [Int32] {
    guard let directory = opendir("/proc/self/fd") else { return [] }
    defer { closedir(directory) }
    var descriptors: [Int32] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if let descriptor = Int32(name) { descriptors.append(descriptor) }
    }
    return descriptors
}
