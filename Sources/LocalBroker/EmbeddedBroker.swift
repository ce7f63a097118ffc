import Glibc
import Synchronization

/// A `mosquitto` of one's own on the loopback address, for trying out and for tests: open to local users, nothing kept
/// on disk. It ends with this process, also when this process is killed (where `setpriv` of util-linux is installed).
public final class EmbeddedBroker: Sendable {
    public let port: UInt16
    private let executable: String, settings: [String]
    private let child: Mutex<ChildProcess?>

    /// Queue limits that fit a fleet, as in the shipped `mosquitto.conf`. A large number rather than 0: without a limit
    /// mosquitto 2.0.11 ends the connection after every publish that its access rules refuse.
    public static let queueLimits = ["max_queued_messages 100000", "max_inflight_messages 1000"]

    private static let startTimeout = 5_000

    /// Starts the broker and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - port: `nil` takes a free one.
    ///   - settings: Further lines of `mosquitto.conf`, in force after ``queueLimits``.
    public init(port requested: UInt16? = nil, settings: [String] = []) throws(BrokerError) {
        guard let executable = Self.executable("mosquitto") else { throw .notInstalled }
        var lastFailure = BrokerError.system("find a free port", EADDRINUSE)
        // Another process may take the free port before mosquitto does.
        for _ in 0..<(requested == nil ? 5 : 1) {
            guard let port = requested ?? freePort() else { continue }
            do throws(BrokerError) {
                child = Mutex(try Self.start(executable, port: port, settings))
                (self.port, self.executable, self.settings) = (port, executable, settings)
                return
            } catch {
                lastFailure = error
            }
        }
        throw lastFailure
    }

    deinit { kill() }

    public static var isInstalled: Bool { executable("mosquitto") != nil }

    /// `false` once it has ended, by itself or by our doing.
    public var isRunning: Bool { child.withLock { $0?.isRunning ?? false } }

    /// What `--broker` takes.
    public var url: String { "mqtt://127.0.0.1:\(port)" }

    /// Starts it again after ``stop()`` or ``kill()``, on the same port.
    public func start() throws(BrokerError) {
        if isRunning { return }
        let started = try Self.start(executable, port: port, settings)
        child.withLock { $0 = started }
    }

    /// Asks it to end, and kills it after 2 s.
    public func stop() {
        guard let running = take() else { return }
        running.send(SIGTERM)
        running.send(SIGCONT)
        if running.waitForEnd(atMost: 2_000) { return }
        end(running)
    }

    /// Ends it as a crash would.
    public func kill() {
        if let running = take() { end(running) }
    }

    /// Holds it, with all its connections open, until ``resume()``.
    public func pause() { child.withLock { $0?.send(SIGSTOP) } }
    public func resume() { child.withLock { $0?.send(SIGCONT) } }

    private func take() -> ChildProcess? {
        child.withLock { child in
            defer { child = nil }
            return child
        }
    }

    private func end(_ running: ChildProcess) {
        running.send(SIGKILL)
        _ = running.waitForEnd(atMost: 2_000)
    }
}

// MARK: Starting

extension EmbeddedBroker {
    private static func configuration(port: UInt16, _ settings: [String]) -> String {
        let fixed = ["listener \(port) 127.0.0.1", "allow_anonymous true", "persistence false", "log_dest stderr"]
        return (fixed + ["log_type error", "log_type warning", "set_tcp_nodelay true"] + queueLimits + settings).joined(
            separator: "\n") + "\n"
    }

    /// What the command begins with so that the broker ends with this process.
    ///
    /// mosquitto started by root becomes another user, which cancels that; so `setpriv` changes the user first.
    private static func launcher() -> [String] {
        guard let setpriv = executable("setpriv") else { return [] }
        var launcher = [setpriv, "--pdeathsig", "KILL"]
        if geteuid() == 0,
            let user = ["mosquitto", "nobody"].lazy.compactMap({ (name: String) in getpwnam(name) }).first
        {
            launcher += ["--reuid", "\(user.pointee.pw_uid)", "--regid", "\(user.pointee.pw_gid)", "--clear-groups"]
        }
        return launcher + ["--"]
    }

    /// Servers are in directories that are not on everyone's path.
    private static func executable(_ name: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let directories = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin", "/usr/bin"]
        return directories.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    private static func start(
        _ executable: String, port: UInt16, _ settings: [String]
    ) throws(BrokerError) -> ChildProcess {
        guard isFree(port: port) else { throw .system("listen on 127.0.0.1:\(port)", EADDRINUSE) }
        // Once it accepts connections it has read its configuration, and nothing needs to lie about.
        let directory = try makeDirectory()
        defer { removeDirectory(directory) }
        let (file, errorFile) = (directory + "/mosquitto.conf", directory + "/mosquitto.log")
        try write(configuration(port: port, settings), to: file)
        let child: ChildProcess
        do throws(ChildProcess.StartFailure) {
            child = try ChildProcess(launcher() + [executable, "-c", file], errorFile: errorFile)
        } catch {
            throw .system("start \(executable)", error.code)
        }
        // The child is asked last: if something else listens on the port, mosquitto has ended.
        for _ in 0..<(startTimeout / 10) {
            let isAccepting = accepts(port: port)
            if child.waitForEnd(atMost: isAccepting ? 0 : 10) { throw .ended(log: text(of: errorFile)) }
            if isAccepting { return child }
        }
        throw .silent(log: text(of: errorFile))
    }

    private static func makeDirectory() throws(BrokerError) -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/fleet-broker-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw .system("make a directory in \(parent)", errno) }
        let directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        chmod(directory, 0o755)  // the broker may run as another user
        return directory
    }

    private static func removeDirectory(_ directory: String) {
        for name in ["mosquitto.conf", "mosquitto.log"] { unlink(directory + "/" + name) }
        rmdir(directory)
    }

    private static func write(_ text: String, to path: String) throws(BrokerError) {
        guard let file = fopen(path, "we") else { throw .system("write \(path)", errno) }
        fputs(text, file)
        guard fclose(file) == 0 else { throw .system("write \(path)", errno) }
        chmod(path, 0o644)
    }

    private static func text(of path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
