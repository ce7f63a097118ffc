internal import Glibc

/// Tells systemd how the service is doing (sd_notify(3)): a datagram each, to the socket that `NOTIFY_SOCKET` names.
final class ServiceNotifier {
    private static let statusInterval = Duration.seconds(10)

    private let descriptor: Int32
    private var address = sockaddr_un()
    private let addressLength: socklen_t
    /// Half of what systemd waits for a sign of life before it starts the service anew; `nil`: it does not watch.
    private let signInterval: Duration?
    private var nextSign = Duration.zero
    private var nextStatus = Duration.zero
    private var status = ""
    private(set) var isReady = false

    /// `nil` where nobody wants to be told.
    init?(environment variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        guard let path = variable("NOTIFY_SOCKET"), let first = path.utf8.first, "/@".utf8.contains(first) else {
            return nil
        }
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < capacity else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        // A name that is no file's begins with NUL, written as @ (unix(7)).
        if first == UInt8(ascii: "@") { address.sun_path.0 = 0 }
        addressLength = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + path.utf8.count)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let isOurs = variable("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
        let microseconds = isOurs ? variable("WATCHDOG_USEC").flatMap(Int64.init) : nil
        signInterval = microseconds.flatMap { $0 > 0 ? .microseconds($0) / 2 : nil }
    }

    deinit { close(descriptor) }

    /// The service does what it is for. Said once, and after each reload.
    func ready() {
        guard !isReady else { return }
        isReady = send("READY=1")
    }

    /// A change of the configuration has begun; ``ready()`` ends it. What never was ready says nothing.
    func reloading(at now: Duration) {
        guard isReady else { return }
        isReady = false
        send(
            "RELOADING=1\nMONOTONIC_USEC=\(now.components.seconds * 1_000_000 + now.components.attoseconds / 1_000_000_000_000)"
        )
    }

    func stopping() { send("STOPPING=1") }

    /// A sign of life, when it is time for one.
    func signLife(at now: Duration) {
        guard let signInterval, now >= nextSign else { return }
        nextSign = now + signInterval
        send("WATCHDOG=1")
    }

    /// When ``signLife(at:)`` has something to do.
    var nextDeadline: Duration? { signInterval == nil ? nil : nextSign }

    func isStatusDue(at now: Duration) -> Bool { now >= nextStatus }

    /// One line for `systemctl status`; only what is new is sent.
    func tell(status text: String, at now: Duration) {
        nextStatus = now + Self.statusInterval
        let line = text.replacing("\n", with: " ")
        guard line != status else { return }
        status = line
        send("STATUS=\(line)")
    }

    /// Something happened that the status tells of.
    func refreshStatus() { nextStatus = .zero }

    @discardableResult
    private func send(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    sendto(
                        descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL), address,
                        addressLength) == bytes.count
                }
            }
        }
    }
}
