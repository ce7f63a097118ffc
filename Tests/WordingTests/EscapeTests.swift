import Testing
import Wording

@Suite("Text from outside")
struct EscapeTests {
    @Test(
        "What could steer a terminal or break a line is spelled out",
        arguments: [
            ("plain é 漢 🤖", "plain é 漢 🤖"), ("a\nb\tc\r", #"a\nb\tc\r"#), ("\u{1b}[2J", #"\u{1b}[2J"#),
            ("\u{9b}31m", #"\u{9b}31m"#), ("\u{7f}\u{0}", #"\u{7f}\u{0}"#), ("\u{202e}abc", #"\u{202e}abc"#),
            ("\r\n", #"\r\n"#), ("e\u{301}\u{7}", "e\u{301}\\u{7}"), ("\u{2028}", #"\u{2028}"#),
        ])
    func escaped(text: String, expected: String) {
        #expect(Array(Escape.text(text).utf8) == Array(expected.utf8))
    }

    @Test(
        "In JSON it is spelled out as JSON does",
        arguments: [
            (#"{"a":"é 漢 🤖"}"#, #"{"a":"é 漢 🤖"}"#), ("\"\u{2028}\u{9b}31m\"", #""\u2028\u009b31m""#),
            ("\"\u{E0041}\"", #""\udb40\udc41""#),
        ])
    func json(json: String, expected: String) {
        #expect(Escape.json(json) == expected)
    }
}
