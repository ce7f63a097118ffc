import Configuration
import MQTTModel
import Testing

@Suite("The HTTP server's settings")
struct HTTPSettingsTests {
    private static let token = "0123456789abcdef"

    @Test("Without the section nothing is served; with it, on the loopback")
    func defaults() throws {
        #expect(try configuration("").http == nil)
        #expect(try configuration("").engine.probeInterval == nil)
        let http = try #require(try configuration("http:").http)
        #expect(http.host == "127.0.0.1" && http.port == 8080 && http.isLoopback && http.token == nil)
        #expect(try configuration("http:").engine.probeInterval == .seconds(5))
    }

    @Test(
        "Addresses and ports",
        arguments: [
            ("127.0.0.1:0", "127.0.0.1", 0), ("127.1.2.3:65535", "127.1.2.3", 65_535),
            ("localhost:80", "127.0.0.1", 80),
            ("'[::1]:8080'", "::1", 8_080),
        ])
    func loopback(text: String, host: String, port: UInt16) throws {
        let http = try #require(try configuration("http: {listen: \(text)}").http)
        #expect(http.host == host && http.port == port && http.isLoopback)
    }

    @Test(
        "What is no address and port is refused",
        arguments: [
            "8080", "127.0.0.1", "127.0.0.1:65536", "'127.0.0.1:'", "example.org:80", "'::1:80'", "'[127.0.0.1]:80'",
            "127.1:80",
        ])
    func unreadable(text: String) {
        expect("http: {listen: \(text)}", [("1:16", ["http.listen"])])
    }

    @Test(
        "Another address needs a token, or the word that none is needed",
        arguments: ["0.0.0.0:80", "'[::]:80'", "10.0.0.1:80"])
    func others(address: String) throws {
        expect("http: {listen: \(address)}", [("1:16", ["tokenFile", "allowAnonymous"])])
        expect("http: {listen: \(address), allowAnonymous: false}", [("1:16", ["tokenFile"])])
        let open = try #require(try configuration("http: {listen: \(address), allowAnonymous: true}").http)
        #expect(open.token == nil && !open.isLoopback)
        let files = surroundings(files: ["token": file(Self.token + "\n")])
        let closed = try configuration("http: {listen: \(address), tokenFile: token}", files).http
        #expect(closed?.token == Secret(Self.token))
        let variable = surroundings(variables: ["FLEET_BRIDGE_HTTP_TOKEN": Self.token + "x"])
        #expect(try configuration("http: {listen: \(address)}", variable).http?.token == Secret(Self.token + "x"))
    }

    @Test("The environment overrules the file")
    func overruled() throws {
        let both = surroundings(
            variables: ["FLEET_BRIDGE_HTTP_TOKEN": "from-the-environment"], files: ["token": file(Self.token)])
        #expect(try configuration("http: {tokenFile: token}", both).http?.token == Secret("from-the-environment"))
    }

    @Test(
        "A token that no header can carry is an error",
        arguments: ["", "a b", "line\nline", "tab\there-and-more", String(repeating: "x", count: 1_025)])
    func unusable(token: String) {
        let files = surroundings(files: ["token": file(token)])
        expect("http: {tokenFile: token}", [("1:19", ["token"])], files)
    }

    @Test("A token file that is missing is an error; one that others can read, and a short token, are warnings")
    func faults() {
        expect("http: {tokenFile: token}", [("1:19", ["cannot be read"])])
        expect(
            "http: {tokenFile: token}", [("1:19", ["readable by other users"])],
            surroundings(files: ["token": file(Self.token, isReadableByOthers: true)]))
        expect(
            "http: {tokenFile: token}", [("1:19", ["shorter than 16"])], surroundings(files: ["token": file("short")]))
    }

    @Test("No message shows the token")
    func secret() {
        let outcome = outcome("http: {tokenFile: token}", surroundings(files: ["token": file("hush hush")]))
        #expect(!outcome.diagnostics.isEmpty)
        #expect(!outcome.diagnostics.contains { "\($0)".contains("hush") })
    }
}
