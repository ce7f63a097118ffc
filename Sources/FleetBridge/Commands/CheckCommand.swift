internal import CommandLineTool
internal import Configuration

/// `fleet-bridge check`
enum CheckCommand {
    static let command = Command(
        "check", summary: "Check a configuration file", operands: Operands(placeholder: "FILE", count: 1...1)
    ) { arguments in
        let (diagnostics, exitCode) = checkConfiguration(arguments.operands[0])
        for diagnostic in diagnostics { Output.standardError.write("\(diagnostic)\n") }
        return ExitCode(rawValue: exitCode) ?? .configuration
    }
}
