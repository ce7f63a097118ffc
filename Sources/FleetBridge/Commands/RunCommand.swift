internal import CommandLineTool
internal import Configuration
internal import FleetEngine
internal import LocalBroker
internal import Locations
internal import MQTTModel
internal import Timestamps

/// `fleet-bridge run`
enum RunCommand {
    private static let broker = Option(
        "broker", "URL", .brokerAddress, help: "mqtt://HOST:PORT or mqtts://HOST:PORT instead of the configuration's")
    private static let embedded = Option.flag(
        "embedded-broker", help: "Start a mosquitto of its own on a free loopback port, for trying out")
    private static let duration = Option("for", "DURATION", .duration(), help: "End by itself after this time")
    private static let logFormat = Option(
        "log-format", "FORMAT", .choice(LogWriter.Format.allCases.map(\.rawValue)), default: "text",
        help: "text (default) or json")
    private static let logLevel = Option(
        "log-level", "LEVEL", .choice(LogEntry.Level.allCases.map(\.name)), default: "info",
        help: "debug, info (default), warning or error")

    static func command(_ own: OwnSources) -> Command {
        Command(
            "run", summary: "Run the bridge",
            options: [BridgeProgram.config, broker, embedded, duration, logFormat, logLevel]
        ) { arguments in try run(arguments, own.made()) }
    }

    /// - Parameter own: Sources beside those of the configuration.
    private static func run(_ arguments: Arguments, _ own: [any LocationSource]) throws -> ExitCode {
        let configuration = LiveConfiguration(
            arguments[BridgeProgram.config], own: own.map { OwnSource($0) }, brokerAddress: arguments[broker]
        ) {
            Output.standardError.write("\($0)\n")
        }
        guard let configuration else { return .configuration }
        let writer = LogWriter(
            format: LogWriter.Format(rawValue: arguments[logFormat]) ?? .text,
            level: LogEntry.Level(name: arguments[logLevel]) ?? .info)
        let console = Console(writer)
        let ownBroker = arguments[embedded] ? try EmbeddedBroker() : nil
        defer { ownBroker?.stop() }
        if let ownBroker {
            configuration.use(BrokerAddress(host: "127.0.0.1", port: ownBroker.port))
            Output.standardOutput.write("broker \(ownBroker.url)\n")
        }
        let started = configuration.started
        console.log(
            LogEntry(
                .info, "starting",
                [
                    "version": Version.current, "instance": started.engine.instance ?? "",
                    "broker": "\(started.broker.address)",
                    "clientId": started.broker.clientIdentifier,
                    // Empty where it is the same broker.
                    "outputBroker": started.outputBroker.map { "\($0.address)" } ?? "",
                ]),
            at: SystemClock.now().wall)
        let runner = try BridgeRunner(
            configuration, console: console, embeddedBroker: ownBroker, for: arguments[duration],
            registering: own)
        return ExitCode(rawValue: try runner.run()) ?? .failure
    }
}
