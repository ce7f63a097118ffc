public import CommandLineTool
internal import Configuration
public import Locations
public import Timestamps

/// The program `fleet-bridge`, or one's own that is a bridge with further sources.
public enum BridgeProgram {
    public static let program: Program = program(name: "fleet-bridge") { _ in [] }

    /// The program with sources of one's own beside those of the configuration.
    ///
    /// - Parameters:
    ///   - name: As it is called on the command line.
    ///   - sources: Makes them, once for each `run`. Their ids must not be those of sources of the configuration.
    public static func program(
        name: String, registering sources: @escaping @Sendable (_ now: Instant) -> [any LocationSource]
    ) -> Program {
        Program(
            name: name, version: Version.current,
            summary: "Turns what devices publish over MQTT into styled states, ready to draw.",
            commands: [
                RunCommand.command(registering: sources), CheckCommand.command, ConvertCommand.command,
                RecordCommand.command, ReplayCommand.command, ExplainCommand.command, TestCommand.command,
                EvalCommand.command,
            ])
    }

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
