import CommandLineTool
import MQTTModel
import MotionModels
import Wording

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
        "count", "N", .integer(in: 1...10_000), default: 16,
        help: "How many devices (default 16; 1 with a file)")
    static let motion = Option(
        "motion", "KIND", .motion, default: .model(.random),
        help: "How they move: random (the default): robot vacuums within 30 m of their base; gpx FILE; route FILE")
    static let speedFactor = Option(
        "speed-factor", "N", .decimal(in: 0.001...1_000_000), default: 1,
        help: "gpx: how many times faster than it was recorded (default 1)")
    static let loop = Option.flag("loop", help: "gpx: begin anew at the end, rather than leave")
    static let pointInterval = Option(
        "point-interval", "DURATION", .duration(atLeast: .milliseconds(1)),
        help: "gpx: a point each DURATION, whatever their times say; for files without any")
    static let speed = Option(
        "speed", "M/S", .decimal(in: 0...1_000), default: 1, help: "route: metres a second (default 1)")
    static let routeEnd = Option(
        "end", "WHAT", .choice(RouteMotion.End.allCases.map(\.rawValue)), default: RouteMotion.End.stop.rawValue,
        help: "route: at its end stop (the default), loop back to its start, or reverse")
    static let format = Option(
        "format", "NAME", .choice(SimulatedFormat.all.map(\.name)), default: SimulatedFormat.native.name,
        help: "What they publish, see below (default native)")
    static let map = Option(
        "map", "NAME", .text, default: "floor",
        help: "vda5050: the plan's mapId (default floor); x is east and y north of 57.0582502, 9.9504788")
    static let interval = Option(
        "interval", "DURATION", .duration(atLeast: .milliseconds(10)), default: .milliseconds(500),
        help: "From one message of a device to its next (default 500ms; gpx: each point at its own time)")
    static let seed = Option(
        "seed", "N", .integer(in: 0...UInt64.max),
        help: "Repeats the run with this seed: the same messages but for their times (default: another each time)")
    static let end = Option(
        "for", "DURATION", .duration(atLeast: .milliseconds(1)), help: "Ends by itself (default: runs until Ctrl-C)")

    static let command = Command(
        "run", summary: "Connect simulated devices to a broker and let them publish",
        options: [
            broker, username, passwordFile, caFile, source, count, motion, speedFactor, loop, pointInterval, speed,
            routeEnd, format, map, interval, seed, end,
        ], notes: formats, run: run)

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
        let fleet = try fleet(arguments, format: format, seed: seed)
        let access = try BrokerAccess(
            address: arguments[broker], username: arguments[username], passwordFile: arguments[passwordFile],
            caFile: arguments[caFile])
        let settings = FleetRun.Settings(
            broker: access, interval: arguments[interval], end: arguments[end], seed: seed, format: format,
            plan: LocalPlan(name: arguments[map], origin: fleet.origin))
        try FileDescriptorLimit.raise(for: fleet.devices.count)
        return try FleetRun(settings, devices: fleet.devices).run()
    }
}

extension RunCommand {
    private static func fleet(_ arguments: Arguments, format: SimulatedFormat, seed: UInt64) throws -> Fleet {
        let motion = arguments[motion]
        try check(arguments, motion)
        let source = arguments[source] ?? format.source
        let count = motion == .model(.random) || arguments.has(count) ? arguments[count] : 1
        switch motion {
        case .model(let model):
            return Fleet(source: source, count: count, motion: model, seed: seed, kind: format.kind)
        case .gpx(let path):
            let replay = Fleet.Replay(
                speedFactor: arguments[speedFactor], loops: arguments[loop], pointInterval: arguments[pointInterval],
                isSampled: arguments.has(interval))
            return try Fleet.replaying(path, replay, source: source, count: count, kind: format.kind) { warning in
                Output.standardError.write("fleet-sim: \(Escape.text(warning))\n")
            }
        case .route(let path):
            return Fleet.travelling(
                along: try RouteFile(path: path).points, speed: arguments[speed],
                end: RouteMotion.End(rawValue: arguments[routeEnd]) ?? .stop, source: source, count: count,
                kind: format.kind)
        }
    }

    /// An option that would do nothing is a slip.
    private static func check(_ arguments: Arguments, _ motion: MotionOption) throws(UsageError) {
        let ofTracks = [
            ("speed-factor", arguments.has(speedFactor)), ("loop", arguments.has(loop)),
            ("point-interval", arguments.has(pointInterval)),
        ]
        for (name, isGiven) in ofTracks where isGiven && !motion.isTrack {
            throw UsageError("--\(name) is for --motion gpx FILE")
        }
        for (name, isGiven) in [("speed", arguments.has(speed)), ("end", arguments.has(routeEnd))]
        where isGiven && !motion.isRoute {
            throw UsageError("--\(name) is for --motion route FILE")
        }
    }
}

/// The motions that the command line knows.
enum Motion: String, CaseIterable {
    case random
}
