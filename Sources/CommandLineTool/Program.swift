import Glibc
internal import Wording

/// A program of several commands. Does the same for each: `--help`, `--version`, errors and exit codes.
public struct Program: Sendable {
    public let name: String
    public let version: String
    public let summary: String
    public let commands: [Command]

    public init(name: String, version: String, summary: String, commands: [Command]) {
        self.name = name
        self.version = version
        self.summary = summary
        self.commands = commands
    }

    /// Runs the command that the process was started with, and ends the process.
    public func main() -> Never {
        // A reader who leaves (`| head`) is seen as a failed write, not as death.
        signal(SIGPIPE, SIG_IGN)
        Output.openClosedStreams()
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Runs one command line, without the program's own name.
    public func run(
        _ words: [String], output: Output = .standardOutput, errors: Output = .standardError
    ) -> ExitCode {
        var command: Command?
        do {
            // Whatever else is on the line, somebody who asks for help wants help.
            let options = words.prefix { $0 != "--" }
            let asksForHelp = options.contains { $0 == "--help" || $0 == "-h" }
            if options.contains("--version") {
                output.write("\(name) \(version)\n")
                return .success
            }
            command = find(words)
            guard let command else {
                if !asksForHelp { throw unknownCommand(words) }
                output.write(help)
                return .success
            }
            if asksForHelp {
                output.write(help(of: command))
                return .success
            }
            let arguments = try command.parse(Array(words.dropFirst(command.words.count)))
            return try command.run(arguments)
        } catch let error as UsageError {
            let usage = command.map { self.usage(of: $0) } ?? "\(name) COMMAND [OPTIONS]"
            let more = ([name] + (command?.words ?? []) + ["--help"]).joined(separator: " ")
            errors.write("\(name): \(error.message)\nusage: \(usage)\n'\(more)' says more\n")
            return .usage
        } catch let error as OutputFailure where error.isClosedPipe {
            return .failure
        } catch {
            errors.write("\(name): \(Escape.text("\(error)"))\n")
            return .failure
        }
    }

    /// The command with the most words that the line starts with.
    private func find(_ words: [String]) -> Command? {
        commands.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
    }

    private func unknownCommand(_ words: [String]) -> UsageError {
        guard let first = words.first else { return UsageError("a command is missing") }
        if first.hasPrefix("-") { return UsageError("unknown option \(Escape.text(first)); a command comes first") }
        // `gpx` alone is the start of a command, no slip of the fingers.
        let longer = commands.filter { $0.words.first == first }.map(\.name)
        if !longer.isEmpty { return UsageError("'\(first)' is not complete: \(longer.joined(separator: ", "))") }
        let hint = Suggestion.closest(to: first, among: commands.map(\.name)).map { "; did you mean \($0)?" } ?? ""
        return UsageError("unknown command '\(Escape.text(first))'\(hint)")
    }
}

// MARK: - Help

extension Program {
    var help: String {
        """
        \(summary)

        usage: \(name) COMMAND [OPTIONS]

        Commands:
        \(columns(commands.map { ($0.name, $0.summary) }))

        '\(name) COMMAND --help' lists the options of a command.

        """
    }

    func help(of command: Command) -> String {
        let common = [("--help", "Print this"), ("--version", "Print the version")]
        let options = command.options.map { option in
            ("--" + option.name + (option.placeholder.map { " " + $0 } ?? ""), option.help)
        }
        return """
            \(command.summary)

            usage: \(usage(of: command))

            Options:
            \(columns(options + common))
            \(command.notes.isEmpty ? "" : "\n\(command.notes)\n")
            """
    }

    private func usage(of command: Command) -> String {
        let parts = [name, command.name, command.options.isEmpty ? "" : "[OPTIONS]", command.operands.placeholder]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func columns(_ rows: [(String, String)]) -> String {
        let width = rows.map { $0.0.count }.max() ?? 0
        return rows.map { "  " + $0.0 + String(repeating: " ", count: width - $0.0.count + 2) + $0.1 }
            .joined(separator: "\n")
    }
}

extension Command {
    fileprivate var words: [String] {
        name.split(separator: " ").map(String.init)
    }
}
