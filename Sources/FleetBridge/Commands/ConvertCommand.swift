internal import CommandLineTool
internal import Configuration
internal import FleetEngine
internal import TelemetryFormats
internal import Wording

/// `fleet-bridge convert`
enum ConvertCommand {
    private static let format = Option("format", "NAME", .text, help: "Read every message by this format")
    private static let explain = Option.flag(
        "explain", help: "Tell of each message what was taken from where, how it was converted, and by which policies")
    private static let json = Option.flag("json", help: "With --explain: one JSON object a message, for programs")

    static func command(_ own: OwnSources) -> Command {
        Command(
            "convert", summary: "Show what messages say: JSON lines in, JSON lines out",
            options: [BridgeProgram.config, format, explain, json]
        ) { arguments in
            if arguments[json], !arguments[explain] { throw UsageError("--json belongs to --explain") }
            let converter: Converter
            if let name = arguments[format] {
                guard let description = FormatTable.named(name) else {
                    throw unknownFormat(name)
                }
                converter = Converter(description)
            } else {
                guard let configuration = own.configuration(arguments[BridgeProgram.config]) else {
                    return .configuration
                }
                converter = Converter(configuration.engine.sources)
            }
            return try MessageLines.read { line in
                let now = SystemClock.now().wall
                let message = line.message
                let input = Converter.Input(
                    topicName: message.topicName, payload: message.payload, retained: message.retain,
                    arrival: line.time ?? now)
                guard arguments[explain] else {
                    return try Output.standardOutput.print(converter.convert(input).text + "\n")
                }
                let explanation = converter.explain(input)
                let lines = arguments[json] ? [explanation.json.text] : ExplanationText.lines(explanation) + [""]
                try Output.standardOutput.print(lines.joined(separator: "\n") + "\n")
            }
        }
    }

    private static func unknownFormat(_ name: String) -> UsageError {
        let known = FormatTable.all.map(\.name)
        if name == "mapping" { return UsageError("a mapping is in a configuration: give that by --config") }
        let hint = Suggestion.closest(to: name, among: known).map { ", did you mean '\($0)'?" } ?? ""
        return UsageError("unknown format '\(Escape.text(name))'\(hint); known are \(known.joined(separator: ", "))")
    }
}
