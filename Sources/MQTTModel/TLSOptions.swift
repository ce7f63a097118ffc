/// With what a connection is secured. The files are PEM, and are read at each connect.
public struct TLSOptions: Sendable, Equatable {
    /// Certificates of the authorities that are trusted, and no others; `nil`: the system's.
    public var caFile: String?
    /// Our own certificate, with those between it and its authority behind it; `nil`: we show none.
    public var certFile: String?
    /// The private key that belongs to ``certFile``, without a passphrase.
    public var keyFile: String?
    /// The name or address that the other side's certificate must be for; `nil`: the host that is connected to.
    public var serverName: String?

    public init() {}
}
