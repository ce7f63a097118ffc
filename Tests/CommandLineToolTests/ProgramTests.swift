import CommandLineTool
import Foundation
import Testing

@Suite("Command lines")
struct ProgramTests {
    static let count = Option("count", "N", .integer(in: 1...100), default: 16, help: "How many; default 16")
    static let source = Option("source", "ID", .text, default: "vacuums", help: "The source's id")
    static let end = Option("for", "DURATION", .duration(), help: "Ends by itself")
    static let json = Option<Bool>.flag("json", help: "Prints JSON")
    static let motion = Option("motion", "KIND", ValueParser(readMotion), default: ["random"], help: "How they move")

    /// A kind with a file takes a second word.
    static func readMotion(_ words: inout ArraySlice<String>) throws(UsageError) -> [String] {
        let kind = words.popFirst() ?? ""
        guard kind == "gpx" else { return [kind] }
        guard let file = words.popFirst() else { throw UsageError("gpx needs a FILE") }
        return [kind, file]
    }

    static let run = Command(
        "run", summary: "Runs", operands: Operands(placeholder: "[FILE…]", count: 0...2),
        options: [count, source, end, json, motion]
    ) { arguments in arguments[json] ? .failure : .success }

    static let program = Program(
        name: "tool", version: "1.2.3", summary: "A tool",
        commands: [
            run,
            Command("gpx info", summary: "Describes") { _ in .configuration },
            Command("check", summary: "Checks", operands: Operands(placeholder: "FILE", count: 1...1)) { arguments in
                struct Broken: Error, CustomStringConvertible { var description: String }
                throw Broken(description: "no \(arguments.operands[0])")
            },
            Command("refuse", summary: "Refuses") { _ in throw UsageError("no such format") },
        ])

    /// Runs a line and returns what it printed.
    static func outcome(_ line: String) throws -> (code: ExitCode, output: String, errors: String) {
        let (out, err) = (Pipe(), Pipe())
        let code = program.run(
            line.split(separator: " ").map(String.init),
            output: Output(descriptor: out.fileHandleForWriting.fileDescriptor),
            errors: Output(descriptor: err.fileHandleForWriting.fileDescriptor))
        try out.fileHandleForWriting.close()
        try err.fileHandleForWriting.close()
        let texts = try [out, err].map {
            String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
        return (code, texts[0], texts[1])
    }

    @Test("Absent options have their defaults")
    func defaults() throws {
        let arguments = try Self.run.parse([])
        #expect(arguments[Self.count] == 16)
        #expect(arguments[Self.source] == "vacuums")
        #expect(arguments[Self.end] == nil)
        #expect(!arguments[Self.json])
        #expect(!arguments.has(Self.count))
    }

    @Test(
        "Values stand after a space or an equals sign, operands anywhere",
        arguments: [
            "--count 3 --for 20s a --json b", "a b --json --count=3 --for=20s",
            "--count 9 --count 3 --for 20s --json -- a b",
        ])
    func values(line: String) throws {
        let arguments = try Self.run.parse(line.split(separator: " ").map(String.init))
        #expect(arguments[Self.count] == 3)
        #expect(arguments[Self.end] == .seconds(20))
        #expect(arguments[Self.json])
        #expect(arguments.operands == ["a", "b"])
        #expect(arguments.has(Self.count))
    }

    @Test("After -- a dash starts no option, and a lone dash never does")
    func dashes() throws {
        #expect(try Self.run.parse(["-", "--", "--json"]).operands == ["-", "--json"])
    }

    @Test("A value may take a second word", arguments: ["--motion gpx a.gpx x", "--motion=gpx a.gpx x"])
    func twoWords(line: String) throws {
        let arguments = try Self.run.parse(line.split(separator: " ").map(String.init))
        #expect(arguments[Self.motion] == ["gpx", "a.gpx"])
        #expect(arguments.operands == ["x"])
    }

    @Test(
        "A wrong line ends with 64, one clear line and the usage",
        arguments: [
            ("run --cuont 3", "unknown option --cuont; did you mean --count?"),
            ("run --cuont=3", "unknown option --cuont; did you mean --count?"),
            ("run --xyzzy", "unknown option --xyzzy"),
            ("run -c 3", "unknown option -c"),
            ("run --count", "--count needs a value: N"),
            ("run --source --count 3", "--source needs a value: ID"),
            ("run --count 0", "--count: '0' is not a whole number from 1 to 100"),
            ("run --count 3.5", "--count: '3.5' is not a whole number from 1 to 100"),
            ("run --count 99999999999999999999", "--count: '99999999999999999999' is not a whole number from 1 to 100"),
            ("run --for soon", "--for: 'soon' is not a duration; write 500ms, 10s, 5m, 24h or 7d"),
            ("run --for off", "--for: 'off' is not possible here"),
            ("run --json=yes", "--json takes no value"),
            ("run --source=", "--source: the value is empty"),
            ("run --motion gpx", "--motion: gpx needs a FILE"),
            ("run a b c", "unexpected argument 'c'"),
            ("check", "FILE is missing"),
            ("rnu", "unknown command 'rnu'; did you mean run?"),
            ("", "a command is missing"),
            ("gpx", "'gpx' is not complete: gpx info"),
            ("--json", "unknown option --json; a command comes first"),
            ("refuse", "no such format"),
            ("run --\u{1b}[2J", "unknown option --\\u{1b}[2J"),
        ])
    func wrong(line: String, message: String) throws {
        let outcome = try Self.outcome(line)
        #expect(outcome.code == .usage)
        #expect(outcome.output.isEmpty)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.first.map(String.init) == "tool: " + message)
        #expect(lines.dropFirst().first?.hasPrefix("usage: tool ") == true)
    }

    @Test("A command's code and its failure are the program's")
    func codes() throws {
        #expect(try Self.outcome("run").code == .success)
        #expect(try Self.outcome("run --json").code == .failure)
        #expect(try Self.outcome("gpx info").code == .configuration)
        let failed = try Self.outcome("check x\u{7}")
        #expect(failed.code == .failure)
        #expect(failed.errors == "tool: no x\\u{7}\n")
    }

    @Test("Help lists every command, or every option of one", arguments: ["--help", "-h"])
    func help(flag: String) throws {
        let all = try Self.outcome(flag)
        #expect(all.code == .success && all.errors.isEmpty)
        for command in Self.program.commands {
            #expect(all.output.contains("  " + command.name + " "))
            #expect(all.output.contains(command.summary))
        }
        let one = try Self.outcome("run --count nonsense \(flag)")
        #expect(one.code == .success)
        #expect(one.output.contains("usage: tool run [OPTIONS] [FILE…]\n"))
        for option in Self.run.options { #expect(one.output.contains("--" + option.name + " ")) }
    }

    @Test("The version is on standard output", arguments: ["--version", "run --version"])
    func version(line: String) throws {
        let outcome = try Self.outcome(line)
        #expect(outcome == (.success, "tool 1.2.3\n", ""))
    }
}
