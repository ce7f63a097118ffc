internal import CommandLineTool
internal import Configuration
internal import FleetEngine

/// `fleet-bridge record`
enum RecordCommand {
    private static let broker = Option(
        "broker", "URL", .brokerAddress, help: "mqtt://HOST:PORT or mqtts://HOST:PORT instead of the configuration's")
    private static let duration = Option(
        "for", "DURATION", .duration(), help: "End by itself after this time (default: records until Ctrl-C)")

    static func command(_ own: OwnSources) -> Command {
        Command(
            "record", summary: "Write what arrives on the sources' topics, a JSON line each, for replay",
            options: [BridgeProgram.config, broker, duration]
        ) { arguments in
            guard var configuration = own.configuration(arguments[BridgeProgram.config]) else {
                return .configuration
            }
            if let address = arguments[broker] { configuration.broker.address = address }
            let recorder = try Recorder(configuration, for: arguments[duration])
            var exitCode = ExitCode.success
            do {
                try recorder.run()
            } catch let failure as OutputFailure {
                recorder.tell(.error, "\(failure)")
                exitCode = .failure
            }
            recorder.tell(.info, "recorded", ["messages": "\(recorder.messages)"])
            return recorder.everConnected ? exitCode : .failure
        }
    }
}
