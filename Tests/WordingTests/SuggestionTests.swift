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
}
