import CommandLineTool
import Testing

@testable import fleet_sim

@Suite("Arguments of fleet-sim run")
struct RunCommandTests {
    @Test("A source's id is one topic level", arguments: ["", "a/b", "+", "a#", "$SYS", "a\nb", "a\u{0}"])
    func topicLevel(text: String) {
        #expect(throws: UsageError.self) { try RunCommand.command.parse(["--source=\(text)"]) }
    }

    @Test("A format that nobody speaks is refused with the known ones, and the one that was meant")
    func unknownFormat() {
        let error = #expect(throws: UsageError.self) { try RunCommand.command.parse(["--format", "owntrack"]) }
        #expect(error?.message.contains("native, owntracks, vda5050") == true)
        #expect(error?.message.contains("did you mean owntracks?") == true)
    }

    @Test("The help text names every format with its topics")
    func help() {
        for format in SimulatedFormat.all {
            #expect(RunCommand.command.notes.contains(format.topics), "\(format.name)")
        }
    }
}
