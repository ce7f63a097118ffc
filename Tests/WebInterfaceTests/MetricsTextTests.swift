import Testing

@testable import WebInterface

@Suite("Metrics")
struct MetricsTextTests {
    @Test("Labels are escaped, whole numbers have no fraction, and a figure without values is not there")
    func format() {
        var text = MetricsText()
        text.add("a_total", .counter, "Help.", 12)
        text.add("b", .gauge, "More.", [([("x", "a\"b\\c\nd"), ("y", "æ")], 0.25), ([("x", ""), ("y", "")], -3)])
        text.add("c", .gauge, "None.", [])
        #expect(
            text.text == """
                # HELP a_total Help.
                # TYPE a_total counter
                a_total 12
                # HELP b More.
                # TYPE b gauge
                b{x="a\\"b\\\\c\\nd",y="æ"} 0.25
                b{x="",y=""} -3

                """)
    }
}
