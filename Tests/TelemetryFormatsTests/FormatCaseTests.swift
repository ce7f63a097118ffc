import FleetEngine
import FleetTestSupport
import JSON
import TelemetryFormats
import Testing
import Timestamps

@Suite("Telemetry formats")
struct FormatCaseTests {
    /// Native telemetry is tested field by field.
    static let formats = FormatTable.all.map(\.name).filter { $0 != "native" }

    @Test("A message says what its fixture expects", arguments: try formats.flatMap(FormatCase.all))
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

    @Test(
        "Every format has fixtures that must be read and ignored, and at least three that must fail", arguments: formats
    )
    func kinds(format: String) throws {
        var (read, rejected, ignored) = (0, 0, 0)
        for example in try FormatCase.all(format) {
            switch example.expectation {
            case .reports: read += 1
            case .rejected: rejected += 1
            case .ignored: ignored += 1
            }
        }
        #expect(read >= 1 && ignored >= 1)
        #expect(rejected >= 3)
    }
}
