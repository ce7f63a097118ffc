import FleetEngine
import JSON
import Testing
import Timestamps

@testable import FleetBridge

struct LogWriterTests {
    private let time = Timestamp(iso8601: "2026-11-29T12:00:00Z")!
    private let forged = "x\n2026-11-29T12:00:00Z error forged\r\u{1b}[31m\u{0}\u{2028}\u{2029}\u{85}\u{9b}\u{202e}end"

    @Test("One event is one line of JSON that reads back the same, whatever stands in it")
    func json() throws {
        let entry = LogEntry(.warning, "a \"message\"\n", ["topic": forged, "detail": ""])
        let line = try #require(LogWriter(format: .json, level: .info).line(entry, at: time))
        #expect(
            try JSONParser().parse(line) == [
                "time": "2026-11-29T12:00:00.000Z", "level": "warning", "message": "a \"message\"\n",
                "topic": .string(forged), "detail": "",
            ])
        #expect(line.last == "\n")
        #expect(line.unicodeScalars.dropLast().allSatisfy { (0x20...0x7E).contains($0.value) })
    }

    @Test("One event is one line of text")
    func text() throws {
        let entry = LogEntry(.warning, "rejected", ["topic": forged])
        let line = try #require(LogWriter(format: .text, level: .info).line(entry, at: time))
        #expect(
            line.hasPrefix("2026-11-29T12:00:00.000Z warning rejected topic=\"x\\n2026-11-29T12:00:00Z error forged"))
        #expect(line.unicodeScalars.dropLast().allSatisfy { (0x20...0x7E).contains($0.value) })
    }

    @Test(
        "No value can look like another field",
        arguments: [
            ("plain", "plain"), ("a b", #""a b""#), ("a=b", #""a=b""#), (#"a" b"#, #""a\" b""#),
            (#"a\" reason=x"#, #""a\\\" reason=x""#), (#"a\"#, #""a\\""#), ("", nil),
        ] as [(String, String?)])
    func quoting(value: String, expected: String?) throws {
        let line = LogWriter(format: .text, level: .info).line(LogEntry(.info, "m", ["f": value]), at: time)
        #expect(line == "2026-11-29T12:00:00.000Z info m\(expected.map { " f=\($0)" } ?? "")\n")
    }

    @Test("What is below the level is not written", arguments: LogEntry.Level.allCases)
    func level(level: LogEntry.Level) {
        let writer = LogWriter(format: .text, level: level)
        for other in LogEntry.Level.allCases {
            #expect((writer.line(LogEntry(other, "m"), at: time) != nil) == (other >= level))
        }
    }
}
