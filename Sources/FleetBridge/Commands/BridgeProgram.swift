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
    ///   - sources: Makes them, once for each command that reads a configuration; only `run` starts them. A configuration may
    ///     name them, in `observes` and wherever else sources are named, and can have no sources of their ids.
    public static func program(
        name: String, registering sources: @escaping @Sendable (_ now: Instant) -> [any LocationSource]
    ) -> Program {
        let own = OwnSources(sources)
        return Program(
            name: name, version: Version.current,
            summary: "Turns what devices publish over MQTT into styled states, ready to draw.",
            commands: [
                RunCommand.command(own), CheckCommand.command(own), ConvertCommand.command(own),
                RecordCommand.command(own), ReplayCommand.command(own), ExplainCommand.command(own),
                TestCommand.command(own), EvalCommand.command,
            ])
    }

    static let config = Option("config", "FILE", .text, help: "The configuration; without it the built-in one")

    static func report(_ outcome: ConfigurationReader.Outcome) {
        for diagnostic in outcome.diagnostics { Output.standardError.write("\(diagnostic)\n") }
    }
}
