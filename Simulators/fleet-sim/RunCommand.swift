import CommandLineTool
import MQTTModel
import MotionModels
import Wording

/// `fleet-sim run`: one fleet from the command line.
enum RunCommand {
    static let broker = Option(
        "broker", "URL", .brokerAddress, default: BrokerAddress(host: "127.0.0.1"),
        help: "The broker, mqtt://HOST[:PORT] or mqtts://HOST[:PORT] (default mqtt://127.0.0.1:1883)")
    static let config = Option(
        "config", "FILE", .text, help: "Several fleets from a YAML file, instead of the options for one")
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
        help: "How many devices (default 16; 100 who walk; 1 with a file)")
    static let motion = Option(
        "motion", "KIND", .motion, default: RandomFleetMotion(), help: "How they move, see below (default random)")
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
    static let connections = Option(
        "connections", "own|shared|N", .connections, default: .own,
        help: "One connection and will for each device (own, the default), one for each 500 (shared), or N in all")
    static let faults = Option(
        "faults", "LIST", .faults, default: FaultSettings(),
        help: "What goes wrong, such as drop,delay:0.2 or all; a number is how often, from 0 to 1. See below")
    static let oracle = Option(
        "oracle", "FILE", .text, help: "native: write at the end what a right consumer must know of each device")
    static let seed = Option(
        "seed", "N", .integer(in: 0...UInt64.max),
        help: "Repeats the run with this seed: the same messages but for their times (default: another each time)")
    static let end = Option(
        "for", "DURATION", .duration(atLeast: .milliseconds(1)), help: "Ends by itself (default: runs until Ctrl-C)")

    static let command = Command(
        "run", summary: "Connect simulated devices to a broker and let them publish",
        options: [
            broker, username, passwordFile, caFile, config, source, count, motion, speedFactor, loop, pointInterval,
            speed,
            routeEnd, format, map, interval, connections, faults, oracle, seed, end,
        ], notes: notes, run: run)

    /// What is known by name, for the help text.
    private static var notes: String {
        func table(_ columns: [String], _ rows: [[String]]) -> String {
            var table = TextTable(columns.map { TextTable.Column($0) })
            table.rows = rows
            return table.lines.map { "  " + $0 }.joined(separator: "\n")
        }
        return [
            table(["Format", "--source", "Topics"], SimulatedFormat.all.map { [$0.name, $0.source, $0.topics] }),
            table(
                ["Motion", ""],
                MotionKind.all.map {
                    [[$0.name, $0.placeholder].compactMap(\.self).joined(separator: " "), $0.summary]
                }),
            table(
                ["Fault", "How often", ""],
                FaultKind.allCases.map { [$0.rawValue, "\($0.usualProbability)", $0.summary] }),
        ].joined(separator: "\n\n")
    }
}
