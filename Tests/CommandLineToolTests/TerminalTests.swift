import Foundation
import Glibc
import Testing

@testable import CommandLineTool

@Suite("Terminal")
struct TerminalTests {
    @Test("A pipe is no terminal")
    func pipe() {
        #expect(Terminal(Output(descriptor: Pipe().fileHandleForWriting.fileDescriptor)) == nil)
    }

    @Test("A write to a reader who has left says so")
    func brokenPipe() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        let output = Output(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        #expect(output.write("x"))
        try pipe.fileHandleForReading.close()
        #expect(!output.write("y"))
    }

    @Test("A write longer than the pipe arrives whole")
    func longWrite() async throws {
        let pipe = Pipe()
        let text = String(repeating: "0123456789", count: 50_000)
        let (writer, descriptor) = (pipe.fileHandleForWriting, pipe.fileHandleForWriting.fileDescriptor)
        // Non-blocking, so that the writer meets EAGAIN too.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let thread = Thread {
            Output(descriptor: descriptor).write(text)
            try? writer.close()
        }
        thread.start()
        let read = try pipe.fileHandleForReading.readToEnd()
        #expect(read == Data(text.utf8))
    }

    @Test(
        "Text is measured in columns and clipped",
        arguments: [
            ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("漢字", 4, "漢字"), ("漢字", 3, "漢…"), ("e\u{301}a", 2, "e\u{301}a"),
            ("ab", 0, ""),
        ])
    func clipped(text: String, columns: Int, expected: String) {
        #expect(TextWidth.clipped(text, to: columns) == expected)
        #expect(TextWidth.of(TextWidth.clipped(text, to: columns)) <= columns)
    }

    @Test("A table's columns are as wide as their widest cell")
    func table() {
        var table = TextTable([.init("name"), .init("charge", alignsRight: true), .init("state")])
        table.rows = [["Vacuum 10", "7", "x\u{1b}"], ["漢", "100"]]
        #expect(table.lines == ["name       charge  state", "Vacuum 10       7  x\\u{1b}", "漢            100"])
    }

    /// Plays the escape sequences that the display uses, to see what a viewer sees.
    struct Screen {
        var rows: [String] = [""]
        var row = 0
        var cursorShown = true

        mutating func play(_ text: String) {
            var rest = Substring(text)
            while let character = rest.popFirst() {
                switch character {
                case "\u{1b}":
                    let sequence = rest.prefix { !$0.isLetter }
                    let end = rest.dropFirst(sequence.count).first
                    rest = rest.dropFirst(sequence.count + 1)
                    if end == "A" { row -= Int(sequence.dropFirst()) ?? 1 }
                    if end == "J" { rows = Array(rows[..<row]) + [""] }
                    if sequence == "[?25" { cursorShown = end == "h" }
                case "\n":
                    row += 1
                    if row == rows.count { rows.append("") }
                case "\r": break
                default: rows[row].append(character)
                }
            }
        }
    }

    @Test("Frames replace each other, logs stay above, the terminal is given back")
    func frames() throws {
        let pipe = Pipe()
        let output = Output(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let display = LiveDisplay(output: output) { (columns: 20, rows: 5) }
        display.draw(["one", "two"])
        display.draw(["ONE\u{1b}[9A"])
        display.scroll("log 1\n", to: output)
        display.draw(["1", "2", "3", "4", "5", "6"])
        display.scroll("log 2\n", to: output)
        display.draw([String(repeating: "w", count: 30)])
        display.finish()
        output.write("after\n")
        try pipe.fileHandleForWriting.close()

        var screen = Screen()
        screen.play(String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self))
        #expect(screen.rows == ["log 1", "log 2", String(repeating: "w", count: 19) + "…", "after", ""])
        #expect(screen.cursorShown)
    }

    @Test("A frame taller than the terminal says how much is missing")
    func tall() throws {
        let pipe = Pipe()
        let display = LiveDisplay(output: Output(descriptor: pipe.fileHandleForWriting.fileDescriptor)) { (20, 4) }
        display.draw(["1", "2", "3", "4", "5"])
        display.finish()
        try pipe.fileHandleForWriting.close()
        var screen = Screen()
        screen.play(String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self))
        #expect(screen.rows == ["1", "2", "… and 3 more", ""])
    }
}
