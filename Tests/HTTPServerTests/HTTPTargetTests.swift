import Testing

@testable import HTTPServer

@Suite("What a request asks for")
struct HTTPTargetTests {
    @Test(
        "The path is decoded level by level",
        arguments: [
            ("/", [""]), ("/a", ["a"]), ("/a/b", ["a", "b"]), ("/a%2Fb/c", ["a/b", "c"]), ("/a%252Fb", ["a%2Fb"]),
            ("/%C3%A6", ["æ"]), ("/a//b/", ["a", "", "b", ""]), ("/..%2f..", ["../.."]), ("/a+b", ["a+b"]),
        ])
    func paths(raw: String, segments: [String]) {
        #expect(HTTPTarget(raw.utf8)?.segments == segments)
        #expect(HTTPTarget(raw.utf8)?.query == [])
    }

    @Test("The query keeps its order, and names that stand there twice")
    func query() {
        let target = HTTPTarget("/x?floor=1&name=a+b%26c&floor=-2&flag&=v&bad=a=b".utf8)
        #expect(target?.segments == ["x"])
        #expect(
            target?.query == [
                .init("floor", "1"), .init("name", "a b&c"), .init("floor", "-2"), .init("flag", ""), .init("", "v"),
                .init("bad", "a=b"),
            ])
        #expect(target?.value("floor") == "1")
        #expect(target?.value("none") == nil)
    }

    @Test(
        "What cannot be decoded is no target",
        arguments: ["", "x", "*", "http://a/", "/%", "/%4", "/%zz", "/%C3", "/%00", "/a?b=%FF", "/a?%=1"])
    func unreadable(raw: String) {
        #expect(HTTPTarget(raw.utf8) == nil)
    }

    @Test("Headers are found in any case, and one that stands there twice has no single text")
    func headers() throws {
        let target = try #require(HTTPTarget("/".utf8))
        let request = HTTPRequest(
            target, headers: [.init("Host", [0x61]), .init("X", [1]), .init("x", [2]), .init("Bad", [0xFF])])
        #expect(request.text(of: "hOST") == "a")
        #expect(request.values(of: "X") == [[1], [2]])
        #expect(request.text(of: "X") == nil)
        #expect(request.text(of: "Bad") == nil)
    }
}
