import MQTTModel
import Testing

struct TopicTemplateTests {
    @Test(
        "Named levels are read from a topic",
        arguments: [
            ("fleet/{source}/{device}/telemetry", "fleet/a/b/telemetry", ["source": "a", "device": "b"]),
            ("fleet/+/{device}", "fleet/x/y", ["device": "y"]),
            ("fleet/{device}/#", "fleet/x", ["device": "x"]), ("fleet/{device}/#", "fleet/x/y/z", ["device": "x"]),
            ("#", "a/b", [:]), ("a//{device}", "a//b", ["device": "b"]),
            ("{device}", "", ["device": ""]),
            ("fleet/{device}/telemetry", "fleet/\u{301}a/telemetry", ["device": "\u{301}a"]),
            ("fleet/\u{301}/{device}", "fleet/\u{301}/r1", ["device": "r1"]),
        ] as [(String, String, [String: String])])
    func matching(template: String, topic: String, names: [String: String]) throws {
        let found = try #require(try TopicTemplate(template).match(TopicLevels(topic)))
        for (name, value) in names { #expect(found[name] == value) }
    }

    @Test(
        "Other topics do not match",
        arguments: [
            ("fleet/{device}", "fleet"), ("fleet/{device}", "fleet/a/b"), ("fleet/a", "fleet/A"), ("+/x", "$SYS/x"),
            ("#", "$SYS/x"), ("{a}/x", "$SYS/x"), ("caf\u{E9}", "cafe\u{301}"),
        ])
    func notMatching(template: String, topic: String) throws {
        #expect(try TopicTemplate(template).match(TopicLevels(topic)) == nil)
    }

    @Test(
        "The end of a topic matches whatever stands before",
        arguments: [
            ("pose", "isar/r1/pose", [:]), ("pose", "pose", [:]), ("{device}/pose", "a/b/r1/pose", ["device": "r1"]),
            ("{device}/pose", "r1/pose/x", nil), ("{device}/pose", "pose", nil), ("pose", "$x/pose", [:]),
            ("hfp/{v}/+/{op}/#", "/hfp/v2/j/18/423/x", ["v": "v2", "op": "18"]),
            ("hfp/{v}/#", "hfp/hfp/v2", ["v": "hfp"]), ("hfp/{v}/#", "a/hfp", nil), ("rooms/#", "e/rooms", [:]),
            ("a/{x}/a/#", "a/b/c/a/d/a/e", ["x": "d"]),
        ] as [(String, String, [String: String]?)])
    func ends(template: String, topic: String, names: [String: String]?) throws {
        let found = try TopicTemplate(template).matchEnd(of: TopicLevels(topic))
        #expect((found == nil) == (names == nil))
        for (name, value) in names ?? [:] { #expect(found?[name] == value) }
    }

    @Test(
        "On the wire names are single-level wildcards",
        arguments: [("fleet/{source}/{device}/telemetry", "fleet/+/+/telemetry"), ("a/+/#", "a/+/#")])
    func wire(template: String, filter: String) throws {
        #expect(try TopicTemplate(template).topicFilter == filter)
        #expect(try TopicTemplate(template).description == template)
    }

    @Test(
        "What is no filter is refused",
        arguments: ["", "a/#/b", "a+/b", "a#", "{a", "{}", "{1}", "{a}/{a}", "a\u{0}b", "x{a}", "{a b}"])
    func syntax(text: String) {
        #expect(throws: TopicTemplate.SyntaxError.self) { try TopicTemplate(text) }
    }

    @Test(
        "The more literal filter is the more specific one, from the left",
        arguments: [
            ("a/b", "a/+", 1), ("a/{x}", "a/#", 1), ("a/+/c", "a/b/#", -1), ("a/{x}", "a/+", 0), ("a", "a/#", 1),
            ("#", "+", -1), ("a/b/c", "a/b/c", 0),
        ])
    func specificity(a: String, b: String, sign: Int) throws {
        #expect(try TopicTemplate(a).specificity(comparedWith: TopicTemplate(b)).signum() == sign)
        #expect(try TopicTemplate(b).specificity(comparedWith: TopicTemplate(a)).signum() == -sign)
    }

    @Test(
        "Filters overlap where one topic matches both",
        arguments: [
            ("a/+", "+/b", true), ("a/#", "a", true), ("a/+", "b/+", false), ("a/b", "a/b/c", false),
            ("#", "a/b/c", true), ("+/x", "$SYS/x", false), ("a/{x}/c", "a/b/+", true),
        ])
    func overlap(a: String, b: String, overlaps: Bool) throws {
        #expect(try TopicTemplate(a).overlaps(TopicTemplate(b)) == overlaps)
        #expect(try TopicTemplate(b).overlaps(TopicTemplate(a)) == overlaps)
    }

    @Test(
        "Two ids never share a level",
        arguments: [
            ("a/b", "a%2Fb"), ("a%2Fb", "a%252Fb"), ("+", "%2B"), ("#", "%23"), ("$x", "%24x"), ("x$", "x$"),
            ("a\u{1}", "a%01"), ("é", "é"), ("a b", "a b"), ("status", "%73tatus"),
        ])
    func encoding(id: String, level: String) {
        #expect(TopicLevel.encode(id, reserved: ["status"]) == level)
    }

    @Test(
        "What brokers refuse is encoded",
        arguments: [("a\u{85}", "a%C2%85"), ("\u{FFFE}", "%EF%BF%BE"), ("\u{7F}", "%7F")])
    func refused(id: String, level: String) {
        #expect(TopicLevel.encode(id) == level)
    }

    @Test(
        "Strictly, all but letters, digits, _ and - is encoded",
        arguments: [
            ("Robot_1-a", "Robot_1-a"), ("a b", "a%20b"), ("é", "%C3%A9"), ("a.b", "a%2Eb"), ("$x", "%24x"),
            ("status", "%73tatus"), ("%41", "%2541"),
        ])
    func strictEncoding(id: String, level: String) {
        #expect(TopicLevel.encode(id, reserved: ["status"], strictly: true) == level)
    }
}
