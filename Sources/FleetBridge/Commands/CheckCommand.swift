internal import CommandLineTool
internal import Configuration

/// `fleet-bridge check`
enum CheckCommand {
    static let command = Command(
        "check", summary: "Check a configuration file", operands: Operands(placeholder: "FILE", count: 1...1)
    ) { arguments in
        let outcome = ConfigurationReader().read(arguments.operands[0])
        BridgeProgram.report(outcome)
        for line in outcome.information { Output.standardOutput.write("\(line)\n") }
        return outcome.configuration == nil ? .configuration : .success
    }
}
