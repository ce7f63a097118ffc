import Testing
import Wording

@Suite("Suggestions for misspelt names")
struct SuggestionTests {
    @Test(
        "The nearest name is suggested, if it is near",
        arguments: [
            ("staleAftr", "staleAfter"), ("hodl", "hold"), ("HOLD", nil), ("topic", "topics"), ("x", nil), ("", nil),
            ("completely different", nil),
        ])
    func closest(name: String, expected: String?) {
        #expect(Suggestion.closest(to: name, among: ["staleAfter", "hold", "topics"]) == expected)
    }

    @Test("What could steer a terminal or break a line is spelled out")
    func escape() {
        #expect(Escape.text("a\nb\u{1B}[31m\u{2028}\u{202E}ø") == "a\\nb\\u{1b}[31m\\u{2028}\\u{202e}ø")
    }
}
