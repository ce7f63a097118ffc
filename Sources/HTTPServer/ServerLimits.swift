/// What the server puts up with.
public struct ServerLimits: Sendable {
    /// Connections at once; more wait in the system's queue.
    public var connections = 200
    /// Seconds without a byte in either direction.
    public var silence = 30
    /// From the first byte of a request, or the begin of a connection, to the end of its headers.
    public var head: Duration = .seconds(10)
    /// Between two requests of a connection.
    public var idle: Duration = .seconds(60)
    /// Bytes of a request line with its headers, and of what is being written.
    public var memory = 32 << 10
    /// Bytes of a body that is thrown away.
    public var body = 64 << 10
    /// The shortest time between two rounds in which streams are asked for more.
    public var streamInterval: Duration = .milliseconds(100)

    public init() {}
}
