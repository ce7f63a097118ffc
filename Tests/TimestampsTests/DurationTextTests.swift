import Testing
import Timestamps

@Suite("Durations as text")
struct DurationTextTests {
    @Test(
        "A number with a unit is a duration",
        arguments: [
            ("500ms", Duration.milliseconds(500)), ("10s", .seconds(10)), ("5m", .seconds(300)),
            ("24h", .seconds(86_400)),
            ("7d", .seconds(604_800)), ("0s", .zero), ("0.5s", .milliseconds(500)), ("1.25m", .seconds(75)),
            ("0.1ms", .microseconds(100)), ("36500d", .seconds(3_153_600_000)),
        ])
    func parsed(text: String, duration: Duration) throws {
        #expect(try Duration(text: text) == duration)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "10", "s", ".5s", "5.s", "-1s", "+1s", "1e3s", "1 s", " 1s", "1s ", "1S", "1.2.3s", "٣s", "inf", "nans",
            "off",
            "0x10s", "36501d", "36500.1d", "999999999999d", "99999999999999999999999s", "1s\u{301}",
        ])
    func refused(text: String) {
        #expect(throws: Duration.SyntaxError.self) { try Duration(text: text) }
    }

    @Test("A duration is written as it is read", arguments: ["500ms", "10s", "90s", "5m", "1d", "7d", "1500ms", "0s"])
    func written(text: String) throws {
        #expect(try Duration(text: text).text == text)
    }
}
