internal import CommandLineTool
internal import Expressions

/// `fleet-bridge eval`
enum EvalCommand {
    static let command = Command(
        "eval", summary: "Compile and evaluate expressions: JSON lines in, JSON lines out"
    ) { _ in
        try JSONLines.read { json in
            Output.standardOutput.write(ExpressionProbe.answer(to: json).text + "\n")
        }
    }
}
