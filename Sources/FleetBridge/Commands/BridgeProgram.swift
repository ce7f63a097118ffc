public import CommandLineTool
internal import Configuration

/// The program `fleet-bridge`.
public enum BridgeProgram {
    public static let program: Program = Program(
        name: "fleet-bridge", version: Version.current,
        summary: "Turns what devices publish over MQTT into styled states, ready to draw.",
        commands: [
            RunCommand.command, CheckCommand.command, ConvertCommand.command, RecordCommand.command,
            ReplayCommand.command,
            ExplainCommand.command, TestCommand.command, EvalCommand.command,
        ])

    static let config = Option("config", "FILE", .text, help: "The configuration; without it the built-in one")

    /// Reads a configuration and prints what is wrong with it.
    ///
    /// - Returns: `nil` where it cannot be used; the process then ends with ``ExitCode/configuration``.
    static func configuration(_ path: String?) -> BridgeConfiguration? {
        let outcome = ConfigurationReader().read(path)
        report(outcome)
        return outcome.configuration
    }

    static func report(_ outcome: ConfigurationReader.Outcome) {
        for diagnostic in outcome.diagnostics { Output.standardError.write("\(diagnostic)\n") }
    }
}
