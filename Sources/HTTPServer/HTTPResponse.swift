/// An answer with its body, or with a stream that goes on as long as both sides want.
public struct HTTPResponse: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        case stream(any ResponseStream)
    }

    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: Body

    public init(_ status: Int, headers: [(name: String, value: String)] = [], _ body: Body = .bytes([])) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// A body of one type.
    public init(_ status: Int = 200, type: String, _ bytes: [UInt8]) {
        self.init(status, headers: [("Content-Type", type)], .bytes(bytes))
    }

    public static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status, type: "text/plain; charset=utf-8", Array((text + "\n").utf8))
    }

    public func adding(_ name: String, _ value: String) -> HTTPResponse {
        var response = self
        response.headers.append((name, value))
        return response
    }
}

/// A body that comes bit by bit, as fast as the client takes it. Called on the server's threads, one at a time.
public protocol ResponseStream: AnyObject, Sendable {
    func next(into buffer: UnsafeMutableBufferPointer<UInt8>) -> StreamStep
    /// The client is gone, or the server ends.
    func closed()
}

public enum StreamStep: Sendable {
    /// So many bytes are in the buffer, at least one.
    case bytes(Int)
    /// There is nothing now: ask again after ``HTTPServer/wakeStreams()``, or in a second.
    case nothingYet
    case end
}

/// What a handler says to a request.
public enum HTTPAnswer: Sendable {
    case now(HTTPResponse)
    /// Somebody else will say it; the server's threads do not wait.
    case later(PendingResponse)
}
