internal import CommandLineTool
internal import Configuration
internal import Wording

/// `fleet-bridge test`
enum TestCommand {
    static func command(_ own: OwnSources) -> Command {
        Command(
            "test", summary: "Run the tests of a configuration: locations or messages in, expected states out",
            operands: Operands(placeholder: "FILE…", count: 1...10_000)
        ) { arguments in
            var exitCode: Int32 = 0
            for path in arguments.operands {
                let report = TestFile(own: own.described).run(path)
                for diagnostic in report.diagnostics { Output.standardError.write("\(diagnostic)\n") }
                exitCode = max(exitCode, report.exitCode)
                guard report.exitCode != 2 else { continue }
                try Output.standardOutput.print(text(report, path))
            }
            return ExitCode(rawValue: exitCode) ?? .failure
        }
    }

    private static func text(_ report: TestFile.Report, _ path: String) -> String {
        var text = ""
        for result in report.results where !result.failures.isEmpty {
            let file = Escape.text(result.file)
            text += "\(file):\(result.line):\(result.column): failed: \(Escape.text(result.name))\n"
            for failure in result.failures {
                text += "  \(file):\(failure.line):\(failure.column): \(Escape.text(failure.subject))\n"
                text += "    - \(Escape.text(failure.expected))\n    + \(Escape.text(failure.actual))\n"
                if let reason = failure.reason { text += "      \(Escape.text(reason))\n" }
            }
        }
        let failed = report.results.count { !$0.failures.isEmpty }
        let passed = report.results.count - failed
        return text + "\(Escape.text(path)): \(passed) passed" + (failed > 0 ? ", \(failed) failed" : "") + "\n"
    }
}
