import FleetTestSupport
import Glibc
import LocalBroker
import Testing

/// The socket that systemd would listen on.
private final class NotifySocket {
    /// For NOTIFY_SOCKET.
    let name: String
    private let descriptor: Int32
    private let file: String?
    private(set) var messages: [String] = []
    /// All that came, waited for or not.
    private(set) var history: [String] = []

    init(isAbstract: Bool) throws {
        let path = "/tmp/fleet-notify-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        (name, file) = isAbstract ? ("@\(path)", nil) : (path, path)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
        if isAbstract { address.sun_path.0 = 0 }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
        let descriptor = descriptor
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        try #require(isBound)
    }

    deinit {
        close(descriptor)
        if let file { unlink(file) }
    }

    /// Reads until a message begins so.
    @discardableResult
    func wait(for start: String) throws -> String {
        let limit = monotonicNow() + .seconds(90)
        while true {
            if let index = messages.firstIndex(where: { $0.hasPrefix(start) }) {
                defer { messages.removeSubrange(...index) }
                return messages[index]
            }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            try #require(monotonicNow() < limit, "no \(start) in \(messages)")
            guard poll(&entry, 1, 1_000) == 1 else { continue }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            messages.append(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
            history.append(messages[messages.count - 1])
        }
    }
}

@Suite("As a service of systemd", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct ServiceTests {
    private func run(_ broker: EmbeddedBroker, _ socket: NotifySocket, watchdog: String? = nil) throws -> ProductProcess
    {
        var environment = ["NOTIFY_SOCKET": socket.name]
        environment["WATCHDOG_USEC"] = watchdog
        return try ProductProcess(
            "fleet-bridge", ["run", "--broker", broker.url, "--for", "60s"], environment: environment)
    }

    @Test("It is ready when the broker has it, and says when it reloads and stops", arguments: [true, false])
    func life(isAbstract: Bool) throws {
        try Broker.withBroker { broker in
            broker.kill()
            let socket = try NotifySocket(isAbstract: isAbstract)
            let bridge = try run(broker, socket)
            let waiting = try socket.wait(for: "STATUS=not connected to \(broker.url): ")
            #expect(waiting.contains("Connection refused"))
            #expect(!socket.messages.contains("READY=1"))
            try broker.start()
            try socket.wait(for: "READY=1")
            try bridge.waitForErrors(" ready ")
            try socket.wait(for: "STATUS=connected to \(broker.url): 0 locations")

            bridge.send(SIGHUP)
            let reloading = try socket.wait(for: "RELOADING=1\nMONOTONIC_USEC=")
            #expect(Int64(reloading.dropFirst("RELOADING=1\nMONOTONIC_USEC=".count)) ?? 0 > 0)
            try socket.wait(for: "READY=1")

            broker.kill()
            try socket.wait(for: "STATUS=not connected")
            try broker.start()
            try socket.wait(for: "STATUS=connected")
            bridge.send(SIGTERM)
            try socket.wait(for: "STOPPING=1")
            #expect(try bridge.wait() == 0)
        }
    }

    @Test("Signs of life come at half the watchdog's time, also without a broker, and none unasked")
    func watchdog() throws {
        try Broker.withBroker { broker in
            let (watched, unwatched) = (try NotifySocket(isAbstract: false), try NotifySocket(isAbstract: false))
            let other = try run(broker, unwatched)
            try unwatched.wait(for: "READY=1")
            broker.kill()
            let bridge = try run(broker, watched, watchdog: "600000")
            let start = monotonicNow()
            for _ in 0..<6 { try watched.wait(for: "WATCHDOG=1") }
            // The first comes at once.
            #expect(monotonicNow() - start > .milliseconds(1_400))
            for process in [bridge, other] { process.send(SIGTERM) }
            for process in [bridge, other] { #expect(try process.wait() == 0) }
            try unwatched.wait(for: "STOPPING=1")
            #expect(!unwatched.history.contains("WATCHDOG=1"))
        }
    }
}
