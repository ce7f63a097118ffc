import CommandLineTool
import Wording

/// Tells how the fleet is doing: a live count on a terminal, a line for each change in a pipe.
struct FleetReport {
    private static let period = Duration.milliseconds(500)
    /// The rate is taken over so many periods.
    private static let window = 4
    /// A trouble that lasts is told again after this.
    private static let reminder = Duration.seconds(60)

    private let title: String
    private let devices: Int
    /// Whether devices say so when they leave.
    private let sayOffline: Bool
    private let output: Output
    private let display: LiveDisplay?

    /// When ``update(_:now:)`` has something to do.
    private(set) var due = Duration.zero
    private(set) var everConnected = false
    private var samples: [(time: Duration, sent: Int)] = []
    private var troubles: [String: Int] = [:]
    private var told: [String: Duration] = [:]
    private var lastTrouble: String?
    private var connected = 0
    private var isLeaving = false

    init(title: String, devices: Int, sayOffline: Bool, output: Output = .standardOutput) {
        self.title = title
        self.devices = devices
        self.sayOffline = sayOffline
        self.output = output
        display = Terminal(output).map { LiveDisplay($0) }
    }

    func begin() {
        tell(title)
    }

    /// Looks at the fleet; tells at most twice a second.
    mutating func update(_ links: [DeviceLink], now: Duration) {
        for link in links {
            guard let trouble = link.takeTrouble() else { continue }
            troubles[trouble, default: 0] += 1
        }
        // A short replay may be over before the count is due.
        if !everConnected { everConnected = links.contains { $0.state == .online } }
        guard now >= due else { return }
        due = now + Self.period

        let before = connected
        connected = links.count { $0.state == .online }
        if !isLeaving {
            tellTroubles(now: now)
            if connected != before, display == nil, connected == devices || connected == 0 { tell(count) }
        }
        if connected == devices { (lastTrouble, told) = (nil, [:]) }

        let sent = links.reduce(0) { $0 + $1.counters.sent }
        samples.append((now, sent))
        if samples.count > Self.window + 1 { samples.removeFirst() }
        display?.draw([status(sent: sent, now: now)] + (lastTrouble.map { ["  " + $0] } ?? []))
    }

    mutating func leaving(_ links: [DeviceLink]) {
        everConnected = everConnected || links.contains { $0.state == .online }
        isLeaving = true
        tell("stopping: \(links.count { $0.state == .online }) devices \(sayOffline ? "say offline" : "disconnect")")
    }

    func end(_ links: [DeviceLink], after time: Duration) {
        display?.finish()
        let sum = { (key: KeyPath<DeviceLink.Counters, Int>) in links.reduce(0) { $0 + $1.counters[keyPath: key] } }
        let skipped = sum(\.skipped) > 0 ? ", \(sum(\.skipped)) not sent while cut off" : ""
        let (expected, unacknowledged) = (sum(\.expected), sum(\.sent) - sum(\.expected))
        let messages =
            (expected > 0 || unacknowledged == 0 ? ["\(sum(\.acknowledged)) of \(expected) messages acknowledged"] : [])
            + (unacknowledged > 0 ? ["\(unacknowledged) sent at QoS 0"] : [])
        output.write(
            """
            \(links.count { $0.saidGoodbye }) of \(devices) devices \(sayOffline ? "said offline" : "disconnected"); \
            \(messages.joined(separator: " and ")) in \(decimal(time / .seconds(1))) s\(skipped)

            """)
    }

    func finish() {
        display?.finish()
    }

    // MARK: Lines

    /// One line for the commonest trouble, and again only when it is another one or has lasted.
    private mutating func tellTroubles(now: Duration) {
        defer { troubles = [:] }
        guard let trouble = troubles.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { return }
        lastTrouble = trouble
        guard display == nil, told[trouble].map({ now - $0 >= Self.reminder }) ?? true else { return }
        told[trouble] = now
        tell("\(count), the others keep trying: \(trouble)")
    }

    private var count: String { "\(connected) of \(devices) devices connected" }

    private func status(sent: Int, now: Duration) -> String {
        var rate = 0.0
        if let first = samples.first, now > first.time {
            rate = Double(sent - first.sent) / ((now - first.time) / .seconds(1))
        }
        return "  \(count)   \(decimal(rate)) messages/s   \(sent) sent   \(now.components.seconds) s"
    }

    private func tell(_ line: String) {
        let line = Escape.text(line) + "\n"
        if let display { display.scroll(line, to: output) } else { output.write(line) }
    }

    private func decimal(_ value: Double) -> String {
        "\((value * 10).rounded() / 10)"
    }
}
