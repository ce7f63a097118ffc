internal import CommandLineTool
internal import Configuration
internal import FleetEngine
internal import TelemetryFormats
internal import Wording

/// `fleet-bridge convert`
enum ConvertCommand {
    private static let format = Option("format", "NAME", .text, help: "Read every message by this format")

    static let command = Command(
        "convert", summary: "Show what messages say: JSON lines in, JSON lines out",
        options: [BridgeProgram.config, format]
    ) { arguments in
        let converter: Converter
        if let name = arguments[format] {
            guard let description = FormatTable.named(name) else {
                let known = FormatTable.all.map(\.name).joined(separator: ", ")
                throw UsageError("unknown format '\(Escape.text(name))'; known are \(known)")
            }
            converter = Converter(description)
        } else {
            guard let configuration = BridgeProgram.configuration(arguments[BridgeProgram.config]) else {
                return .configuration
            }
            converter = Converter(configuration.engine.sources)
        }
        return try MessageLines.read { line in
            let now = SystemClock.now().wall
            let message = line.message
            let result = converter.convert(
                Converter.Input(
                    topicName: message.topicName, payload: message.payload, retained: message.retain,
                    arrival: line.time ?? now))
            return Output.standardOutput.write(result.text + "\n")
        }
    }
}
