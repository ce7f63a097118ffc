internal import CMicroHTTPD
internal import Glibc

/// Answers GET and HEAD requests. Everything that is no such request, or too much of one, is refused before the handler.
///
/// Not `Sendable`: it belongs to the thread that made it.
public final class HTTPServer {
    private static let threads = 2

    /// Where it listens; the port also where it was left to the system.
    public let host: String
    public let port: UInt16

    private let context: ServerContext
    private let daemon: OpaquePointer
    private var isRunning = true

    /// - Parameters:
    ///   - host: An IPv4 or IPv6 address.
    ///   - port: 0: any that is free.
    ///   - handle: Answers a request; called on the server's threads, which it must not keep waiting.
    public init(
        host: String, port: UInt16, limits: ServerLimits = ServerLimits(),
        handle: @escaping @Sendable (HTTPRequest) -> HTTPAnswer
    ) throws(ListenError) {
        let socket = try ListeningSocket(host: host, port: port)
        (self.host, self.port) = (host, socket.port)
        let context = ServerContext(limits, handle)
        self.context = context
        guard let daemon = startDaemon(socket.descriptor, context, threads: Self.threads) else {
            close(socket.descriptor)
            throw ListenError(description: "the HTTP library does not start")
        }
        self.daemon = daemon
        context.keeper.start()
    }

    deinit { stop() }

    /// Streams that have nothing more to say are asked again. It returns at once.
    public func wakeStreams() { context.keeper.wakeStreams() }

    /// Ends all connections and the server's threads. What streams have begun ends with what was said so far.
    public func stop() {
        guard isRunning else { return }
        isRunning = false
        context.keeper.end()
        MHD_stop_daemon(daemon)
    }
}

/// What the library's callbacks work with.
final class ServerContext: Sendable {
    let limits: ServerLimits
    let handle: @Sendable (HTTPRequest) -> HTTPAnswer
    let keeper: ConnectionKeeper

    init(_ limits: ServerLimits, _ handle: @escaping @Sendable (HTTPRequest) -> HTTPAnswer) {
        (self.limits, self.handle) = (limits, handle)
        keeper = ConnectionKeeper(limits)
    }
}
