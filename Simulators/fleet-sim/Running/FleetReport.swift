import CommandLineTool
import Wording

/// Tells how the fleet is doing: a live count on a terminal, a line for each change in a pipe.
struct FleetReport {
    private static let period = Duration.milliseconds(500)
    /// A trouble that lasts is told again after this.
    private static let reminder = Duration.seconds(60)
    /// So many refused commands are told between two reminders; the others are only counted.
    private static let refusalsTold = 20

    private let title: [String]
    private let devices: Int
    /// Whether devices say so when they leave.
    private let sayOffline: Bool
    private let output: Output
    private let display: LiveDisplay?
    private var rate: RateMeter

    /// When ``update(_:now:)`` has something to do.
    private(set) var due = Duration.zero
    private var everConnected = false
    private var troubles: [String: Int] = [:]
    private var told: [String: Duration] = [:]
    private var lastTrouble: String?
    private var connected = 0
    private var isLeaving = false
    private var refusals = 0, refusalsSince = Duration.zero

    init(_ plans: [FleetPlan], broker: String, seed: UInt64, output: Output = .standardOutput) {
        let place = "at \(broker), seed \(seed)"
        title =
            plans.count == 1
            ? ["\(plans[0].summary) \(place)"] : ["\(plans.count) fleets \(place)"] + plans.map { "  \($0.summary)" }
        devices = plans.reduce(0) { $0 + $1.count }
        sayOffline = plans.allSatisfy(\.format.saysOffline)
        rate = RateMeter(
            planned: plans.contains { $0.rate == nil } ? nil : plans.reduce(0) { $0 + ($1.rate ?? 0) })
        self.output = output
        display = Terminal(output).map { LiveDisplay($0) }
    }

    func begin() { for line in title { tell(line) } }

    /// Looks at the fleet; tells at most twice a second.
    mutating func update(_ links: [Link], now: Duration) {
        for link in links {
            rate.note(lag: link.lag)
            guard let trouble = link.takeTrouble() else { continue }
            troubles[trouble, default: 0] += 1
        }
        guard now >= due else { return }
        due = now + Self.period

        let before = connected
        connected = Self.connected(links)
        everConnected = everConnected || connected > 0
        if !isLeaving {
            tellTroubles(now: now)
            if connected != before, display == nil, connected == devices || connected == 0 { tell(count) }
            sample(links, isComplete: connected == devices, now: now)
        }
        if connected == devices { (lastTrouble, told) = (nil, [:]) }
        display?.draw(
            ["  \(count)   \(rate.status)   \(now.components.seconds) s"] + (lastTrouble.map { ["  " + $0] } ?? []))
    }

    mutating func leaving(_ links: [Link], now: Duration) {
        sample(links, isComplete: false, now: now)
        isLeaving = true
        tell("stopping: \(Self.connected(links)) devices \(sayOffline ? "say offline" : "disconnect")")
    }

    /// A command that was not done.
    mutating func refused(_ problem: String, now: Duration) {
        if now - refusalsSince >= Self.reminder { (refusals, refusalsSince) = (0, now) }
        refusals += 1
        if refusals <= Self.refusalsTold { tell(problem) }
        if refusals == Self.refusalsTold + 1 { tell("more refused commands are only counted for a minute") }
    }

    mutating func commandsNotHeard(_ trouble: String, now: Duration) {
        let line = "commands are not heard: \(trouble)"
        // Where no device is connected either, the broker is away, and that is told already.
        guard everConnected, told[line].map({ now - $0 >= Self.reminder }) ?? true else { return }
        told[line] = now
        tell(line)
    }

    func end(_ links: [Link], _ desk: CommandDesk, after time: Duration) {
        display?.finish()
        tellAbsent(links)
        tellFaults(links)
        if desk.accepted + desk.refused > 0 {
            tell("\(desk.accepted) commands done, \(desk.refused) refused")
        }
        if let line = rate.summary(missed: count(links, \.missed)) { tell(line) }
        let sum = { (key: KeyPath<Link.Counters, Int>) in links.reduce(0) { $0 + $1.counters[keyPath: key] } }
        let (cutOff, crowdedOut) = (count(links, \.cutOff), count(links, \.crowdedOut))
        let (expected, unacknowledged) = (sum(\.expected), sum(\.sent) - sum(\.expected))
        let messages =
            (expected > 0 || unacknowledged == 0 ? ["\(sum(\.acknowledged)) of \(expected) messages acknowledged"] : [])
            + (unacknowledged > 0 ? ["\(unacknowledged) sent at QoS 0"] : [])
        let gone = links.reduce(0) { $0 + ($1.saidGoodbye ? $1.agents.count : 0) }
        output.write(
            """
            \(gone) of \(devices) devices \(sayOffline ? "said offline" : "disconnected"); \
            \(messages.joined(separator: " and ")) in \(decimal(time / .seconds(1))) s\
            \(cutOff > 0 ? ", \(cutOff) not sent while cut off" : "")\
            \(crowdedOut > 0 ? ", \(crowdedOut) left out since earlier ones waited for the broker" : "")

            """)
    }

    private func count(_ links: [Link], _ key: KeyPath<DeviceAgent.Counters, Int>) -> Int {
        links.reduce(0) { $0 + $1.agents.reduce(0) { $0 + $1.counters[keyPath: key] } }
    }

    func finish() {
        display?.finish()
    }

    private mutating func sample(_ links: [Link], isComplete: Bool, now: Duration) {
        rate.sample(
            readings: count(links, \.readings), sent: links.reduce(0) { $0 + $1.counters.sent },
            isComplete: isComplete, isEnding: links.contains(where: \.leavesForGood), now: now)
    }

    // MARK: Lines

    private static func connected(_ links: [Link]) -> Int {
        links.reduce(0) { $0 + ($1.state == .online ? $1.agents.count : 0) }
    }

    /// One line for the commonest trouble, and again only when it is another one or has lasted.
    private mutating func tellTroubles(now: Duration) {
        defer { troubles = [:] }
        guard let trouble = troubles.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { return }
        lastTrouble = trouble
        guard display == nil, told[trouble].map({ now - $0 >= Self.reminder }) ?? true else { return }
        told[trouble] = now
        tell("\(count), the others keep trying: \(trouble)")
    }

    /// Who never was there, by name: a count alone does not say where to look.
    private func tellAbsent(_ links: [Link]) {
        let absent = links.filter { !$0.everConnected }
        let names = absent.flatMap { $0.agents.map { "\($0.identity.source)/\($0.identity.id)" } }
        guard let reason = absent.first?.lastFailure ?? (absent.isEmpty ? nil : "no answer yet") else { return }
        let more = names.count > 10 ? " and \(names.count - 10) more" : ""
        tell("\(names.count) devices never connected: \(names.prefix(10).joined(separator: ", "))\(more): \(reason)")
    }

    private func tellFaults(_ links: [Link]) {
        let counts = links.lazy.flatMap(\.agents).reduce(into: [FaultKind: Int]()) { sum, agent in
            sum.merge(agent.faults.counts, uniquingKeysWith: +)
        }
        let words = FaultKind.allCases.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } }
        if !words.isEmpty { tell("faults: \(words.joined(separator: ", "))") }
    }

    private var count: String { "\(connected) of \(devices) devices connected" }

    private func tell(_ line: String) {
        let line = Escape.text(line) + "\n"
        if let display { display.scroll(line, to: output) } else { output.write(line) }
    }
}

/// With one digit after the point.
func decimal(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
