import Foundation
import Testing

@testable import CommandLineTool

@Suite("Output that keeps nobody waiting")
struct BackgroundOutputTests {
    @Test("Where nobody reads, what is too much is left out and told when he reads again", .timeLimit(.minutes(5)))
    func stalled() throws {
        let pipe = Pipe()
        let stalled = Output(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let output = BackgroundOutput(limit: 200_000)
        let line = String(repeating: "x", count: 99) + "\n"
        // More than the pipe and the queue hold: this would wait for ever.
        for _ in 0..<10_000 { output.write(line, to: stalled) }
        output.drain(within: 0.1)
        var text = ""
        while !text.contains("are missing here") {
            text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        }
        #expect(text.hasPrefix(line))
        #expect(text.utf8.count < 500_000)
        output.write("the end\n", to: stalled)
        while !text.hasSuffix("the end\n") {
            text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        }
        output.drain(within: 60)
    }

    @Test("Everything is written in its order")
    func order() throws {
        let pipe = Pipe()
        let target = Output(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let output = BackgroundOutput()
        for number in 0..<100 { output.write("\(number)\n", to: target) }
        output.drain(within: 60)
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text == (0..<100).map { "\($0)\n" }.joined())
    }
}
