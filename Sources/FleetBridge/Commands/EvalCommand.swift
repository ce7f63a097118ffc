internal import CommandLineTool
internal import Expressions
internal import JSON

/// `fleet-bridge eval`
enum EvalCommand {
    static let command = Command(
        "eval", summary: "Compile and evaluate expressions: JSON lines in, JSON lines out"
    ) { _ in
        let parser = JSONParser()
        return try InputLines.read { line in
            let answer = ExpressionProbe.answer(toLine: String(decoding: line, as: UTF8.self), parser: parser)
            try Output.standardOutput.print(answer + "\n")
        }
    }
}
