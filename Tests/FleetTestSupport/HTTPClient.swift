internal import Glibc

/// One connection to an HTTP server, byte for byte: what a browser would never send, too.
public final class HTTPClient {
    public struct Failure: Error, CustomStringConvertible {
        public var description: String

        public init(_ description: String) { self.description = description }
    }

    public struct Response: Sendable {
        public var status: Int
        /// Names in lower case; the last one where a name stands there twice.
        public var headers: [String: String]
        public var body: [UInt8]

        public var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let descriptor: Int32
    private let patience: Duration
    private var received: [UInt8] = []

    /// - Parameter receiveBuffer: Bytes that the system keeps for a reader that does not read; `nil`: as many as it likes.
    public init(port: UInt16, receiveBuffer: Int32? = nil, patience: Duration = .seconds(20)) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.patience = patience
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Failure( "connect: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    /// One request on a connection of its own.
    public static func get(
        _ port: UInt16, _ target: String, _ headers: [String] = [], method: String = "GET"
    ) throws -> Response {
        let client = try HTTPClient(port: port)
        try client.send(request(target, ["Host: localhost", "Connection: close"] + headers, method: method))
        return try client.response(hasBody: method != "HEAD")
    }

    public static func request(_ target: String, _ headers: [String] = ["Host: localhost"], method: String = "GET")
        -> String
    {
        "\(method) \(target) HTTP/1.1\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// Whether it was taken; a server that has closed takes nothing.
    @discardableResult
    public func send(_ text: String) throws -> Bool { try send(Array(text.utf8)) }

    @discardableResult
    public func send(_ bytes: [UInt8]) throws -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// - Parameter hasBody: Whether one follows where the headers say so.
    public func response(hasBody: Bool = true) throws -> Response {
        var response = try head()
        guard hasBody, response.status != 304 else { return response }
        if let length = response.headers["content-length"].flatMap({ Int($0) }) {
            while received.count < length { try receive() }
            response.body = Array(received.prefix(length))
            received.removeFirst(length)
        } else if response.headers["transfer-encoding"]?.lowercased() == "chunked" {
            while let chunk = try chunk() { response.body += chunk }
        } else {
            while try receiveOrEnd() {}
            (response.body, received) = (received, [])
        }
        return response
    }

    /// Status line and headers.
    public func head() throws -> Response {
        let end = Array("\r\n\r\n".utf8)
        var position = received.firstRange(of: end)
        while position == nil {
            try receive()
            position = received.firstRange(of: end)
        }
        let lines = String(decoding: received[..<position!.lowerBound], as: UTF8.self).split(separator: "\r\n")
        received.removeSubrange(..<position!.upperBound)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1, let status = Int(words[1]) else {
            throw Failure( "no response: \(lines)")
        }
        let headers = lines.dropFirst().map { line -> (String, String) in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (line[..<colon].lowercased(), String(line[colon...].dropFirst().drop { $0 == " " }))
        }
        return Response(status: status, headers: Dictionary(headers) { $1 }, body: [])
    }

    /// The next piece of a chunked body; `nil` at its end.
    public func chunk() throws -> [UInt8]? {
        let end = Array("\r\n".utf8)
        while received.firstRange(of: end) == nil { try receive() }
        guard let line = received.firstRange(of: end),
            let size = Int(String(decoding: received[..<line.lowerBound], as: UTF8.self), radix: 16)
        else { throw Failure( "no chunk") }
        while received.count < line.upperBound + size + 2 { try receive() }
        let chunk = Array(received[line.upperBound..<line.upperBound + size])
        received.removeFirst(line.upperBound + size + 2)
        return size == 0 ? nil : chunk
    }

    /// Waits for the server to close the connection; what it says before is dropped.
    public func waitForEnd() throws { while try receiveOrEnd() { received = [] } }

    private func receive() throws {
        guard try receiveOrEnd() else {
            throw Failure( "closed after: \(String(decoding: received, as: UTF8.self))")
        }
    }

    private func receiveOrEnd() throws -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Int32(patience / .milliseconds(1))) == 1 else {
            throw Failure( "nothing within \(patience)")
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { received += buffer.prefix(count) }
        return count > 0
    }
}

/// A reader of server-sent events.
public final class EventReader {
    public struct Event: Sendable {
        public var name = ""
        public var id = ""
        public var data = ""
    }

    private let client: HTTPClient
    private var text: [UInt8] = []

    public init(_ port: UInt16, _ target: String = "/events", _ headers: [String] = [], receiveBuffer: Int32? = nil)
        throws
    {
        client = try HTTPClient(port: port, receiveBuffer: receiveBuffer)
        try client.send(HTTPClient.request(target, ["Host: localhost"] + headers))
        let head = try client.head()
        guard head.status == 200, head.headers["content-type"] == "text/event-stream" else {
            throw HTTPClient.Failure( "no events: \(head)")
        }
    }

    /// The next event; comments and other lines are passed over. `nil` at the end of the stream.
    public func next() throws -> Event? {
        let end = Array("\n\n".utf8)
        while true {
            guard let block = text.firstRange(of: end) else {
                guard let chunk = try client.chunk() else { return nil }
                text += chunk
                continue
            }
            var event = Event()
            for line in String(decoding: text[..<block.lowerBound], as: UTF8.self).split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                let value = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
                switch parts[0] {
                case "event": event.name = value
                case "id": event.id = value
                case "data": event.data = value
                default: break
                }
            }
            text.removeSubrange(..<block.upperBound)
            if !event.name.isEmpty { return event }
        }
    }
}
