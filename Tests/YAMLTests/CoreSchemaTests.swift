import Testing
import YAML

@Suite("The core schema of YAML 1.2")
struct CoreSchemaTests {
    @Test(
        "A scalar without quotes is null, a truth value, a number, or text",
        arguments: [
            ("", CoreValue.null), ("~", .null), ("null", .null), ("Null", .null), ("NULL", .null),
            ("nULL", .text("nULL")),
            ("true", .bool(true)), ("True", .bool(true)), ("TRUE", .bool(true)), ("tRUE", .text("tRUE")),
            ("false", .bool(false)), ("yes", .text("yes")), ("no", .text("no")), ("on", .text("on")),
            ("off", .text("off")),
            ("y", .text("y")), ("N", .text("N")),
            ("0", .integer(0)), ("-7", .integer(-7)), ("+7", .integer(7)), ("010", .integer(10)),
            ("0o10", .integer(8)), ("0o8", .text("0o8")), ("0x1F", .integer(31)), ("0xg", .text("0xg")),
            ("0x", .text("0x")),
            ("-0x1F", .text("-0x1F")), ("0b1", .text("0b1")), ("1_000", .text("1_000")), ("12:30", .text("12:30")),
            ("9223372036854775807", .integer(.max)), ("9223372036854775808", .unsigned(1 << 63)),
            ("18446744073709551615", .unsigned(.max)), ("18446744073709551616", .tooLarge),
            ("0xffffffffffffffff", .unsigned(.max)), ("0x10000000000000000", .tooLarge),
            ("1.5", .number(1.5)), (".5", .number(0.5)), ("+.5", .number(0.5)), ("5.", .number(5)),
            ("5.e1", .number(50)),
            ("1e3", .number(1000)), ("-1E-3", .number(-0.001)), ("1e", .text("1e")), (".", .text(".")),
            ("-", .text("-")),
            ("e3", .text("e3")), ("1.2.3", .text("1.2.3")), ("1e999", .tooLarge), (".inf", .number(.infinity)),
            ("-.INF", .number(-.infinity)), ("inf", .text("inf")), ("nan", .text("nan")), ("٣", .text("٣")),
        ])
    func plain(text: String, value: CoreValue) {
        #expect(CoreValue(plain: text) == value)
    }

    @Test("Not a number is a number that equals none", arguments: [".nan", ".NaN", ".NAN"])
    func notANumber(text: String) {
        guard case .number(let value) = CoreValue(plain: text) else {
            Issue.record("\(text) is no number")
            return
        }
        #expect(value.isNaN)
    }

    @Test("In quotes everything is text", arguments: ["", "null", "true", "7", "1.5", ".inf"])
    func quoted(text: String) {
        #expect(YAMLScalar(text, style: .quoted).coreValue == .text(text))
    }
}
