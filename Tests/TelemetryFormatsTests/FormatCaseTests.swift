import FleetEngine
import FleetTestSupport
import JSON
import TelemetryFormats
import Testing
import Timestamps

@Suite("Telemetry formats")
struct FormatCaseTests {
    @Test("A message says what its fixture expects", arguments: try FormatCase.all("owntracks"))
    func fixtures(_ example: FormatCase) throws {
        let format = try #require(FormatTable.named(example.format))
        let arrival = try #require(Timestamp(iso8601: "2026-11-29T12:00:00Z"))
        let converter = Converter(format)
        let lines = example.messages.map { message in
            converter.convert(
                Converter.Input(
                    topicName: message.topicName, payload: message.payload, retained: message.retained,
                    arrival: arrival))
        }
        let line = try #require(lines.last?.object)
        #expect(example.differences(from: line) == [])
    }

    @Test("There are fixtures that must be read, rejected and ignored")
    func kinds() throws {
        var kinds: Set<String> = []
        for example in try FormatCase.all("owntracks") {
            switch example.expectation {
            case .reports: kinds.insert("reports")
            case .rejected: kinds.insert("rejected")
            case .ignored: kinds.insert("ignored")
            }
        }
        #expect(kinds == ["reports", "rejected", "ignored"])
    }
}
