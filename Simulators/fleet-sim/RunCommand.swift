import CommandLineTool
import MQTTModel

/// `fleet-sim run`: one fleet from the command line.
enum RunCommand {
    static let broker = Option(
        "broker", "URL", .brokerAddress, default: BrokerAddress(host: "127.0.0.1"),
        help: "The broker, mqtt://HOST[:PORT] (default mqtt://127.0.0.1:1883)")
    static let source = Option(
        "source", "ID", .topicLevel, default: "vacuums", help: "The source's id in the topics (default vacuums)")
    static let count = Option(
        "count", "N", .integer(in: 1...10_000), default: 16, help: "How many devices (default 16)")
    static let motion = Option(
        "motion", "KIND", .choice(Motion.allCases.map(\.rawValue)), default: Motion.random.rawValue,
        help: "How they move: random (the default): robot vacuums within 30 m of their base")
    static let format = Option(
        "format", "NAME", .choice(Format.allCases.map(\.rawValue)), default: Format.native.rawValue,
        help: "What they publish: native (the default)")
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
        options: [broker, source, count, motion, format, interval, seed, end], run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let seed = arguments[seed] ?? UInt64.random(in: 0...999_999)
        let fleet = Fleet(
            source: arguments[source], count: arguments[count], motion: Motion(rawValue: arguments[motion]) ?? .random,
            seed: seed)
        let settings = FleetRun.Settings(
            broker: arguments[broker], interval: arguments[interval], end: arguments[end], seed: seed)
        let format = Format(rawValue: arguments[format]) ?? .native
        try FileDescriptorLimit.raise(for: fleet.devices.count)
        return try FleetRun(settings, devices: fleet.devices, format: format.deviceFormat).run()
    }
}

/// The motions that the command line knows.
enum Motion: String, CaseIterable {
    case random
}

/// The formats that the command line knows.
enum Format: String, CaseIterable {
    case native

    var deviceFormat: any DeviceFormat {
        switch self {
        case .native: NativeFormat()
        }
    }
}
