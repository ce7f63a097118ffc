internal import CommandLineTool
internal import Configuration
internal import FleetEngine
internal import JSON
internal import MQTTModel
internal import Timestamps

/// `fleet-bridge replay`
enum ReplayCommand {
    static func command(_ own: OwnSources) -> Command {
        Command(
            "replay", summary: "Run recorded messages through the bridge with a virtual clock",
            operands: Operands(placeholder: "FILE", count: 1...1), options: [BridgeProgram.config]
        ) { arguments in
            guard let configuration = own.configuration(arguments[BridgeProgram.config]) else {
                return .configuration
            }
            var failure: OutputFailure?
            let replayer = Replayer(configuration.engine, version: Version.current) { time, message in
                guard failure == nil else { return }
                do throws(OutputFailure) {
                    try Output.standardOutput.print(line(time, message))
                } catch {
                    failure = error
                }
            }
            let exitCode = try MessageLines.read(arguments.operands[0]) { line in
                guard let time = line.time else { throw InputLines.Fault("a line without a time") }
                replayer.play(Replayer.Line(time: time, message: line.message))
                if let failure { throw failure }
            }
            replayer.finish()
            if let failure { throw failure }
            return exitCode
        }
    }

    private static func line(_ time: Timestamp, _ message: Message) -> String {
        var writer = JSONWriter()
        MessageLines.begin(message, at: time, &writer)
        writePayload(message.payload, to: &writer)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    private static func writePayload(_ payload: [UInt8], to writer: inout JSONWriter) {
        if let json = try? JSONParser().parse(payload) {
            writer.key("payload")
            writer.value(json)
        } else if let text = String(validating: payload, as: UTF8.self) {
            writer.key("payloadText")
            writer.string(text)
        } else {
            writer.key("payloadBase64")
            writer.string(Base64.encode(payload))
        }
    }
}
