internal import CMicroHTTPD

/// One request, from its first line to the end of its answer. The library keeps it, and hands it back with each call.
final class RequestState {
    let rawTarget: [UInt8]
    /// Whether the headers have been seen: an answer before the body's end would cost the connection.
    var isKnown = false
    var bodySize = 0
    var pending: PendingResponse?

    init(rawTarget: [UInt8]) { self.rawTarget = rawTarget }
}

/// What the library reads a body from.
final class BodyReader {
    private enum Source {
        case bytes([UInt8])
        case stream(any ResponseStream)
    }

    private let source: Source
    private let connection: OpaquePointer
    private let keeper: ConnectionKeeper

    init(_ body: HTTPResponse.Body, _ connection: OpaquePointer, _ keeper: ConnectionKeeper) {
        switch body {
        case .bytes(let bytes): source = .bytes(bytes)
        case .stream(let stream): source = .stream(stream)
        }
        (self.connection, self.keeper) = (connection, keeper)
    }

    /// Bytes; `nil` where nobody knows.
    var size: UInt64? {
        switch source {
        case .bytes(let bytes): UInt64(bytes.count)
        case .stream: nil
        }
    }

    /// - Returns: Bytes, 0 where there are none yet, or the library's word for the end.
    func read(at position: UInt64, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        switch source {
        case .bytes(let bytes):
            let rest = bytes[Int(position)...].prefix(buffer.count)
            _ = buffer.update(fromContentsOf: rest)
            return rest.count
        case .stream(let stream):
            while true {
                let round = keeper.currentRound
                guard !keeper.isOver else { return Self.endOfStream }
                switch stream.next(into: buffer) {
                case .bytes(let count): return count
                case .end: return Self.endOfStream
                case .nothingYet:
                    guard !keeper.isGone(connection) else { return Self.endOfStream }
                    if keeper.suspend(connection, since: round) { return 0 }
                }
            }
        }
    }

    private static let endOfStream = -1  // MHD_CONTENT_READER_END_OF_STREAM, a macro with a cast

    deinit { if case .stream(let stream) = source { stream.closed() } }
}
