import JSON
import Testing

@Suite("A JSON Pointer")
struct JSONPointerTests {
    /// The document of RFC 6901, §5.
    private static let document: JSONValue = [
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, #"i\j"#: 5, #"k"l"#: 6, " ": 7, "m~n": 8,
    ]

    @Test(
        "It leads where RFC 6901 says",
        arguments: [
            ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4),
            (#"/i\j"#, 5), (#"/k"l"#, 6), ("/ ", 7), ("/m~0n", 8),
        ] as [(String, JSONValue)])
    func specification(text: String, expected: JSONValue) throws {
        #expect(try #require(JSONPointer(text)).value(in: Self.document) == expected)
        #expect(try #require(JSONPointer(text)).plainText(in: Self.document) == text)
    }

    @Test("The empty one is the whole document")
    func whole() {
        let whole: JSONPointer = ""
        #expect(whole.value(in: Self.document) == Self.document)
        #expect(whole.value(in: 5) == 5)
    }

    @Test(
        "Where nothing stands it leads nowhere",
        arguments: [
            "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/-1", "/foo/1.0", "/foo/x", "/bar", "/foo/0/0",
            "//", "/foo/99999999999999999999",
        ])
    func nowhere(text: String) throws {
        #expect(try #require(JSONPointer(text)).value(in: Self.document) == nil)
    }

    @Test("What is no pointer is none", arguments: ["foo", "#/foo", "~", "/~", "/~2", "/a~", " /foo"])
    func invalid(text: String) {
        #expect(JSONPointer(text) == nil)
    }

    private static let streams: JSONValue = [
        "data": [5, ["id": "a", "v": 1], ["id": "b", "v": 2], ["id": "b", "v": 3], ["id": 7, "v": 4]], "x=1": "key",
    ]

    @Test(
        "An element of an array may be named by a member",
        arguments: [
            ("/data/id=a/v", 1, "/data/1/v"), ("/data/id=b/v", 2, "/data/2/v"), ("/data/id=7/v", 4, "/data/4/v"),
            ("/data/id=c/v", nil, "/data/id=c/v"), ("/data/id=/v", nil, "/data/id=/v"), ("/x=1", "key", "/x=1"),
            ("/data/v=1/id", "a", "/data/1/id"), ("/data/=1/id", nil, "/data/=1/id"),
        ] as [(String, JSONValue?, String)])
    func element(text: String, expected: JSONValue?, plain: String) throws {
        let pointer = try #require(JSONPointer(text))
        #expect(pointer.value(in: Self.streams) == expected)
        #expect(pointer.plainText(in: Self.streams) == plain)
    }

    @Test("Keys are compared by bytes, combining marks next to slashes included")
    func bytes() {
        let document: JSONValue = ["\u{301}": 1, "e\u{301}": 2]
        let (mark, composed): (JSONPointer, JSONPointer) = ("/\u{301}", "/\u{e9}")
        #expect(mark.value(in: document) == 1)
        #expect(composed.value(in: document) == nil)
    }
}
