internal import CommandLineTool

/// `fleet-bridge check`
enum CheckCommand {
    static let command = Command(
        "check", summary: "Check a configuration file", operands: Operands(placeholder: "FILE", count: 1...1)
    ) { arguments in
        BridgeProgram.configuration(arguments.operands[0]) == nil ? .configuration : .success
    }
}
