import FleetTestSupport
import Glibc
import Synchronization
import Testing

@testable import HTTPServer

@Suite("The HTTP server", .timeLimit(.minutes(5)))
struct HTTPServerTests {
    /// Says what was asked.
    private func echo(_ limits: ServerLimits = ServerLimits()) throws -> HTTPServer {
        try HTTPServer(host: "127.0.0.1", port: 0, limits: limits) { request in
            .now(.text(200, request.target.segments.joined(separator: "|")))
        }
    }

    @Test("A request gets its answer, and the connection serves the next one")
    func keepAlive() throws {
        let server = try echo()
        defer { server.stop() }
        let client = try HTTPClient(port: server.port)
        for _ in 0..<3 {
            try client.send(HTTPClient.request("/a%2Fb/c"))
            let response = try client.response()
            #expect(response.status == 200)
            #expect(response.text == "a/b|c\n")
            #expect(response.headers["content-type"] == "text/plain; charset=utf-8")
        }
        try client.send(HTTPClient.request("/x", method: "HEAD"))
        let head = try client.response(hasBody: false)
        #expect(head.headers["content-length"] == "2")
        try client.send(HTTPClient.request("/y"))
        #expect(try client.response().text == "y\n")
    }

    @Test("A body of any size arrives whole", arguments: [0, 1, 32 << 10, 5_000_001])
    func sizes(size: Int) throws {
        let server = try HTTPServer(host: "127.0.0.1", port: 0) { _ in
            .now(HTTPResponse(type: "text/plain", (0..<size).map { UInt8(truncatingIfNeeded: $0) }))
        }
        defer { server.stop() }
        let response = try HTTPClient.get(server.port, "/")
        #expect(response.body.count == size)
        #expect(response.body.last == (size == 0 ? nil : UInt8(truncatingIfNeeded: size - 1)))
    }

    @Test("Only GET and HEAD are known", arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "get"])
    func methods(method: String) throws {
        let server = try echo()
        defer { server.stop() }
        let response = try HTTPClient.get(server.port, "/", ["Content-Length: 0"], method: method)
        #expect(response.status == 405)
        #expect(response.headers["allow"] == "GET, HEAD")
    }

    /// What no browser sends, by a name.
    private static let nonsense = [
        "zeros": "\0\0\0\0\r\n\r\n", "no target": "GET\r\n\r\n", "no host": "GET / HTTP/1.1\r\n\r\n",
        "unknown version": "GET / HTTP/9.9\r\nHost: a\r\n\r\n", "bad escape": "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n",
        "proxy": "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "long line": "GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
        "long header": "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 100_000))\r\n\r\n",
        "many headers": "GET / HTTP/1.1\r\n\(String(repeating: "X: y\r\n", count: 20_000))\r\n",
        "TLS": "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}\u{3}\u{3}\r\n\r\n",
        "large body": "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n"
            + String(repeating: "z", count: 200_000),
    ]

    @Test("Nonsense is refused, and the server goes on", arguments: nonsense.keys.sorted())
    func garbage(name: String) throws {
        let server = try echo()
        defer { server.stop() }
        let client = try HTTPClient(port: server.port)
        try client.send(Self.nonsense[name] ?? "")
        // An answer that is no success, or none.
        if let response = try? client.head() { #expect(response.status >= 400, "\(response)") }
        #expect(try HTTPClient.get(server.port, "/after").text == "after\n")
    }

    @Test("Who does not finish a request in time is cut off, also one who sends a byte now and then")
    func slowRequest() throws {
        var limits = ServerLimits()
        limits.head = .milliseconds(500)
        let server = try echo(limits)
        defer { server.stop() }
        let client = try HTTPClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nX: ")
        // Less than what is too long for a header.
        let most = 20_000
        var sent = 0
        while sent < most, try client.send("a") {
            sent += 1
            // The pace of the attack, not a wait for an effect.
            _ = try HTTPClient.get(server.port, "/between")
        }
        #expect(sent < most)
        let silent = try HTTPClient(port: server.port)
        try silent.waitForEnd()
    }

    @Test("More connections than there is room for wait until others are gone")
    func connections() throws {
        var limits = ServerLimits()
        (limits.connections, limits.head, limits.idle) = (8, .milliseconds(500), .milliseconds(500))
        let server = try echo(limits)
        defer { server.stop() }
        let idle = try (0..<40).map { _ in try HTTPClient(port: server.port) }
        #expect(try HTTPClient.get(server.port, "/x").text == "x\n")
        withExtendedLifetime(idle) {}
    }

    /// Counts up when it is asked to.
    private final class Counter: ResponseStream {
        let limit = Atomic(0)
        let isClosed = Atomic(false)
        private let told = Atomic(0)

        func next(into buffer: UnsafeMutableBufferPointer<UInt8>) -> StreamStep {
            let number = told.load(ordering: .relaxed)
            let limit = limit.load(ordering: .acquiring)
            if limit < 0 { return .end }
            guard number < limit else { return .nothingYet }
            told.store(number + 1, ordering: .relaxed)
            return .bytes(buffer.update(fromContentsOf: "\(number)\n".utf8))
        }

        func closed() { isClosed.store(true, ordering: .releasing) }
    }

    private func waitUntilClosed(_ counter: Counter) {
        let end = ContinuousClock.now + .seconds(20)
        while !counter.isClosed.load(ordering: .acquiring), ContinuousClock.now < end { usleep(1_000) }
        let isClosed = counter.isClosed.load(ordering: .acquiring)
        #expect(isClosed)
    }

    @Test("A stream goes on when it is woken, ends when it says so, and is closed when the reader goes")
    func streams() throws {
        let counter = Counter()
        let server = try HTTPServer(host: "127.0.0.1", port: 0) { _ in .now(HTTPResponse(200, .stream(counter))) }
        defer { server.stop() }
        let client = try HTTPClient(port: server.port)
        try client.send(HTTPClient.request("/"))
        #expect(try client.head().status == 200)
        for number in 0..<5 {
            counter.limit.store(number + 1, ordering: .releasing)
            server.wakeStreams()
            #expect(try client.chunk() == Array("\(number)\n".utf8))
        }
        counter.limit.store(-1, ordering: .releasing)
        server.wakeStreams()
        #expect(try client.chunk() == nil)
        waitUntilClosed(counter)
    }

    @Test("A reader that goes away while nothing happens is noticed")
    func goneReader() throws {
        let counter = Counter()
        counter.limit.store(1, ordering: .releasing)
        let server = try HTTPServer(host: "127.0.0.1", port: 0) { _ in .now(HTTPResponse(200, .stream(counter))) }
        defer { server.stop() }
        do {
            let client = try HTTPClient(port: server.port)
            try client.send(HTTPClient.request("/"))
            _ = try client.head()
            _ = try client.chunk()
        }
        waitUntilClosed(counter)
    }

    @Test("The end of the server ends streams that wait and requests that wait for an answer")
    func stop() throws {
        let counter = Counter()
        let server = try HTTPServer(host: "127.0.0.1", port: 0) { request in
            request.target.segments == ["stream"]
                ? .now(HTTPResponse(200, .stream(counter)))
                : .later(PendingResponse(within: .seconds(60), otherwise: .text(503, "over")))
        }
        let (stream, pending) = (try HTTPClient(port: server.port), try HTTPClient(port: server.port))
        try stream.send(HTTPClient.request("/stream"))
        _ = try stream.head()
        try pending.send(HTTPClient.request("/"))
        server.stop()
        waitUntilClosed(counter)
        try stream.waitForEnd()
        try pending.waitForEnd()
    }

    @Test("An answer that comes later, from another thread or at once, arrives; none in time is told so")
    func later() throws {
        let asked = Mutex<PendingResponse?>(nil)
        let server = try HTTPServer(host: "127.0.0.1", port: 0) { request in
            let pending = PendingResponse(within: .milliseconds(300), otherwise: .text(503, "too late"))
            switch request.target.segments.first {
            case "now": pending.fulfil(.text(200, "at once"))
            case "later": asked.withLock { $0 = pending }
            default: break
            }
            return .later(pending)
        }
        defer { server.stop() }
        #expect(try HTTPClient.get(server.port, "/now").text == "at once\n")
        let client = try HTTPClient(port: server.port)
        try client.send(HTTPClient.request("/later"))
        var pending: PendingResponse?
        while pending == nil { pending = asked.withLock { $0 } }
        pending?.fulfil(.text(200, "answered"))
        pending?.fulfil(.text(200, "twice"))
        #expect(try client.response().text == "answered\n")
        let late = try HTTPClient.get(server.port, "/never")
        #expect(late.status == 503)
        #expect(late.text == "too late\n")
    }

    @Test("A port that is taken is told, and so is an address that is not this machine's")
    func listening() throws {
        let server = try echo()
        defer { server.stop() }
        #expect { try HTTPServer(host: "127.0.0.1", port: server.port) { _ in .now(.text(200, "")) } } throws: {
            "\($0)".contains("in use")
        }
        #expect { try HTTPServer(host: "192.0.2.1", port: 0) { _ in .now(.text(200, "")) } } throws: {
            "\($0)".contains("listen")
        }
    }
}
