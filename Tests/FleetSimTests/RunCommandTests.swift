import CommandLineTool
import Testing

@testable import fleet_sim

@Suite("Arguments of fleet-sim run")
struct RunCommandTests {
    @Test("A source's id is one topic level", arguments: ["", "a/b", "+", "a#", "$SYS", "a\nb", "a\u{0}"])
    func topicLevel(text: String) {
        #expect(throws: UsageError.self) { try RunCommand.command.parse(["--source=\(text)"]) }
    }
}
