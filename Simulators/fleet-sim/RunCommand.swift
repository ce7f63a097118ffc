import CommandLineTool
import MQTTModel

/// `fleet-sim run`: one fleet from the command line.
enum RunCommand {
    static let broker = Option(
        "broker", "URL", .brokerAddress, default: BrokerAddress(host: "127.0.0.1"),
        help: "The broker, mqtt://HOST[:PORT] or mqtts://HOST[:PORT] (default mqtt://127.0.0.1:1883)")
    static let username = Option(
        "username", "NAME", .text, help: "The user at the broker; {source} and {device} stand for each device's own")
    static let passwordFile = Option(
        "password-file", "FILE", .text, help: "Its password, in one line (default: FLEET_SIM_PASSWORD, if that is set)")
    static let caFile = Option(
        "ca-file", "FILE", .text, help: "The authorities that mqtts:// trusts (default: the system's)")
    static let source = Option(
        "source", "ID", .topicLevel, help: "The level above the device in the topics (default: the format's, see below)"
    )
    static let count = Option(
        "count", "N", .integer(in: 1...10_000), default: 16, help: "How many devices (default 16)")
    static let motion = Option(
        "motion", "KIND", .choice(Motion.allCases.map(\.rawValue)), default: Motion.random.rawValue,
        help: "How they move: random (the default): robot vacuums within 30 m of their base")
    static let format = Option(
        "format", "NAME", .choice(SimulatedFormat.all.map(\.name)), default: SimulatedFormat.native.name,
        help: "What they publish, see below (default native)")
    static let map = Option(
        "map", "NAME", .text, default: "floor",
        help: "vda5050: the plan's mapId (default floor); x is east and y north of 57.0582502, 9.9504788")
    static let interval = Option(
        "interval", "DURATION", .duration(atLeast: .milliseconds(10)), default: .milliseconds(500),
        help: "From one message of a device to its next (default 500ms)")
    static let seed = Option(
        "seed", "N", .integer(in: 0...UInt64.max),
        help: "Repeats the run with this seed: the same messages but for their times (default: another each time)")
    static let end = Option(
        "for", "DURATION", .duration(atLeast: .milliseconds(1)), help: "Ends by itself (default: runs until Ctrl-C)")

    static let command = Command(
        "run", summary: "Connect simulated devices to a broker and let them publish",
        options: [broker, username, passwordFile, caFile, source, count, motion, format, map, interval, seed, end], notes: formats, run: run)

    /// What each format's devices publish to, for the help text.
    private static var formats: String {
        let rows = SimulatedFormat.all.map { [$0.name, $0.source, $0.topics] }
        var table = TextTable(["Format", "--source", "Topics"].map { TextTable.Column($0) })
        table.rows = rows
        return table.lines.map { "  " + $0 }.joined(separator: "\n")
    }

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let seed = arguments[seed] ?? UInt64.random(in: 0...999_999)
        let name = arguments[format]
        let format = SimulatedFormat.all.first { $0.name == name } ?? .native
        let fleet = Fleet(
            source: arguments[source] ?? format.source, count: arguments[count],
            motion: Motion(rawValue: arguments[motion]) ?? .random, seed: seed, kind: format.kind)
        let access = try BrokerAccess(
            address: arguments[broker], username: arguments[username], passwordFile: arguments[passwordFile],
            caFile: arguments[caFile])
        let settings = FleetRun.Settings(
            broker: access, interval: arguments[interval], end: arguments[end], seed: seed, format: format,
            plan: LocalPlan(name: arguments[map], origin: Fleet.base))
        try FileDescriptorLimit.raise(for: fleet.devices.count)
        return try FleetRun(settings, devices: fleet.devices).run()
    }
}

/// The motions that the command line knows.
enum Motion: String, CaseIterable {
    case random
}
